import { useState } from 'preact/hooks';
import type { Fault, FaultPlace } from '../../lib/capture/correlate/fault.ts';
import type { ConnectionSummary } from '../../lib/port/contract.ts';
import { toFault, toFaultChoices, type FaultName } from '../../lib/state/lab/lab-form.ts';
import { LabInput } from './LabInput.tsx';
import { LabSelect } from './LabSelect.tsx';

interface FaultFormProps {
  connection: ConnectionSummary;
  onArm: (fault: Fault, place: FaultPlace) => void;
}

const PLACES = [
  ['exchange', 'the next request of ours'],
  ['stream', 'the next GET of a stream'],
] as const;

/** One fault, and where it is to strike, once. */
export function FaultForm({ connection, onArm }: FaultFormProps) {
  const [name, setName] = useState<FaultName>('delay');
  const [place, setPlace] = useState<FaultPlace>('exchange');
  const [typed, setTyped] = useState<string>();
  const choices = toFaultChoices(connection);
  const choice = choices.find((each) => each.name === name) ?? choices[0];
  if (choice === undefined) return null;
  const text = typed ?? choice.number?.usual ?? '';
  const fault = toFault(choice, text);
  // Revision 2026-07-28 has no GET.
  const hasGet = connection.era !== 'modern';

  function submit(event: Event): void {
    event.preventDefault();
    if (fault !== undefined) onArm(fault, hasGet ? place : 'exchange');
  }

  return (
    <form class="lab-form" aria-label="Fault injection" onSubmit={submit}>
      <h2>Fault injection</h2>
      <LabSelect
        label="Fault"
        value={choice.name}
        choices={choices.map((each) => [each.name, each.label] as const)}
        onChange={(chosen) => {
          setName(chosen);
          setTyped(undefined);
        }}
      />
      {choice.number && (
        <LabInput
          label={choice.number.label}
          value={text}
          isNumber
          isWrong={fault === undefined}
          onInput={setTyped}
        />
      )}
      {hasGet && <LabSelect label="Strikes" value={place} choices={PLACES} onChange={setPlace} />}
      <button type="submit" class="bordered" disabled={fault === undefined}>
        Arm
      </button>
    </form>
  );
}
