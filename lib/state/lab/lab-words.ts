import type { LabFault, LabFinding } from './lab-verdict.ts';
import type { Resumption } from './lab-resumptions.ts';
import type { LabStream } from './lab-log.ts';

const FAULT_WORDS: Record<LabFault, string> = {
  gap: 'gap',
  duplicate: 'duplicate',
  reordered: 'reordered',
  foreign: 'replayed from another stream',
};

const START_WORDS: Record<Resumption['from'], string> = {
  last: 'the last id',
  chosen: 'a chosen id',
  wrong: 'a wrong id',
  none: 'no resumption',
  'no-id': 'no id, as the server gave none',
};

export type VerdictLevel = 'good' | 'bad' | 'open';

/** What came of a break, in a few words, and what it stands on. */
export interface VerdictWords {
  level: VerdictLevel;
  verdict: string;
  evidence: string[];
}

/** How a stream is called: by what it answers. */
export function toStreamName({ asked }: LabStream): string {
  if (asked === undefined) return 'GET stream';
  const calls = asked.map(({ method, rpcId }) => `${method} (id ${rpcId})`);
  return calls.length === 0 ? 'Answer stream' : calls.join(', ');
}

/** What was done: `dropped by us, taken up with a wrong id`. */
export function toBreakWords({ isDropped, from, lastEventId }: Resumption): string {
  const how = isDropped ? 'dropped by us' : 'broke off';
  const id = lastEventId === undefined ? '' : ` ${lastEventId}`;
  return `${how}, ${from === 'none' ? 'not resumed' : `taken up with ${START_WORDS[from]}${id}`}`;
}

/** The verdict on one break in words, with the events that prove it. */
export function toVerdict(resumption: Resumption): VerdictWords {
  const { findings } = resumption;
  const evidence = findings.map(toEvidence);
  if (findings.length > 0) {
    const words = [...new Set(findings.map(({ fault }) => FAULT_WORDS[fault]))].join(', ');
    const isOwnWish = resumption.state === 'none' || isRightRefusal(resumption);
    return { level: isOwnWish ? 'open' : 'bad', verdict: capital(words), evidence };
  }
  return { ...withoutFindings(resumption), evidence };
}

function withoutFindings(resumption: Resumption): Pick<VerdictWords, 'level' | 'verdict'> {
  const { state, eventCount, from, record } = resumption;
  switch (state) {
    case 'waiting':
      return { level: 'open', verdict: 'Not taken up yet' };
    case 'none':
      return { level: 'open', verdict: 'Nothing to judge' };
    case 'refused': {
      const status = record?.response?.status;
      const answer = status === undefined ? 'no answer' : String(status);
      return isRightRefusal(resumption)
        ? { level: 'good', verdict: `Refused (${answer}), as an unknown id should be` }
        : { level: 'bad', verdict: `Refused (${answer})` };
    }
    case 'open':
      if (eventCount === 0) return { level: 'open', verdict: 'Open, nothing has come yet' };
      return { level: from === 'no-id' ? 'open' : 'good', verdict: cleanWords(from, 'so far') };
    case 'over':
      return { level: from === 'no-id' ? 'open' : 'good', verdict: cleanWords(from, '') };
  }
}

function cleanWords(from: Resumption['from'], soFar: string): string {
  if (from === 'no-id') return 'Without ids, what is missing cannot be known';
  return ['Clean', soFar].filter(Boolean).join(' ');
}

/** The server has never given this id. */
function isRightRefusal({ state, from }: Resumption): boolean {
  return state === 'refused' && from === 'wrong';
}

function toEvidence({ fault, eventIds, rpcIds, count }: LabFinding): string {
  const events = eventIds.map((id) => `event ${id}`);
  const messages = rpcIds.map((id) => `message ${id}`);
  const named = [...events, ...messages];
  const unnamed = count - Math.max(eventIds.length, rpcIds.length);
  const more = unnamed > 0 ? `, and ${unnamed} more` : '';
  return `${EVIDENCE_WORDS[fault]}: ${named.join(', ')}${more}`;
}

const EVIDENCE_WORDS: Record<LabFault, string> = {
  gap: 'Missing',
  duplicate: 'Came again unasked',
  reordered: 'Out of order',
  foreign: 'Of another stream',
};

function capital(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
