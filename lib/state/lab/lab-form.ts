import type { Fault } from '../../capture/correlate/fault.ts';
import type { ConnectionSummary } from '../../port/contract.ts';

export type FaultName = 'delay' | 'split' | 'cut' | '401' | '404';

/** A fault to choose, and the number that it needs. */
export interface FaultChoice {
  name: FaultName;
  label: string;
  number?: { label: string; usual: string; least: number };
}

const CHOICES: readonly FaultChoice[] = [
  {
    name: 'delay',
    label: 'Hold the answer back',
    number: { label: 'Milliseconds', usual: '2000', least: 0 },
  },
  {
    name: 'split',
    label: 'Split the body',
    number: { label: 'Bytes of a piece', usual: '1', least: 1 },
  },
  { name: 'cut', label: 'Cut the body', number: { label: 'After bytes', usual: '20', least: 0 } },
  { name: '401', label: 'Answer 401, send nothing' },
  { name: '404', label: 'Answer 404 for the session, send nothing' },
];

/** The faults that can strike on a connection: there is no 404 for a session that does not exist. */
export function toFaultChoices({ session }: ConnectionSummary): FaultChoice[] {
  return CHOICES.filter(({ name }) => name !== '404' || session !== undefined);
}

/** The fault as chosen and typed; undefined where the number is none that it could use. */
export function toFault({ name, number }: FaultChoice, typed: string): Fault | undefined {
  const value = /^\d{1,9}$/.test(typed.trim()) ? Number(typed) : NaN;
  if (number !== undefined && !(value >= number.least)) return undefined;
  switch (name) {
    case 'delay':
      return { kind: 'delay', delayMs: value };
    case 'split':
      return { kind: 'split', pieceBytes: value };
    case 'cut':
      return { kind: 'cut', afterBytes: value };
    case '401':
      return { kind: 'refuse', status: 401 };
    case '404':
      return { kind: 'refuse', status: 404 };
  }
}
