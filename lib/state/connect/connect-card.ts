import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { ConnectionRecord, RungRecord } from '../../capture/correlate/items.ts';
import type { TransportChoice } from '../../capture/store/stored-profile.ts';
import type { Problem } from '../../errors.ts';
import { toRungLines, toRungProblems } from './connect-lines.ts';
import type { ConnectLine } from './connect-lines.ts';
import { toLinkName } from './connection-words.ts';

/** How a connection came about, or why it did not: what was tried, and what came of it. */
export interface ConnectCard {
  state: 'connecting' | 'found' | 'failed' | 'stopped';
  /** Heading of the list. */
  title: string;
  lines: ConnectLine[];
  /** What was found and by what, or that nothing was; empty where the problem of the connection says it all. */
  verdict: string;
  /** What went wrong first; absent where that is why connecting failed. */
  firstError?: Problem;
}

type Source = Pick<Correlation, 'items' | 'https' | 'sockets' | 'connections'>;

const ONLY: Partial<Record<TransportChoice, string>> = {
  modern: 'revision 2026-07-28 over Streamable HTTP',
  'streamable-http': 'legacy Streamable HTTP',
  'http-sse': 'HTTP+SSE',
};

/** The card of a connection from the log as it stands; undefined where nothing was tried for it. */
export function toConnectCard(connectionId: string, source: Source): ConnectCard | undefined {
  const record = source.connections.get(connectionId);
  if (record === undefined || record.rungs.length === 0) return undefined;
  const lines = record.rungs.flatMap((rung) => toRungLines(rung, connectionId, source));
  const firstError = findFirstError(record, source);
  const state = toState(record);
  return {
    state,
    title: TITLES[state](record.url),
    lines,
    verdict: toVerdict(state, record, lines, source),
    ...(firstError === undefined ? {} : { firstError }),
  };
}

const TITLES: Record<ConnectCard['state'], (url: string) => string> = {
  connecting: (url) => `Connecting to ${url}`,
  found: (url) => `How ${url} was connected`,
  failed: (url) => `Tried at ${url}`,
  stopped: (url) => `Tried at ${url}`,
};

/** What found the server: `found by server/discover`. Undefined where nothing has yet. */
export function toFoundBy(connectionId: string, source: Source): string | undefined {
  const rungs = source.connections.get(connectionId)?.rungs ?? [];
  const chosen = rungs.findLast(({ verdict }) => verdict === 'chosen');
  if (chosen === undefined) return undefined;
  if (chosen.rung === 'http-sse') return 'found by its `endpoint` event';
  return `found by ${toRungLines(chosen, connectionId, source).at(-1)?.name ?? chosen.rung}`;
}

function toState({ state, transport }: ConnectionRecord): ConnectCard['state'] {
  if (transport !== undefined) return 'found';
  if (state === 'failed') return 'failed';
  return state === 'opening' ? 'connecting' : 'stopped';
}

/** Of what went wrong, the first, unless it is already told as the reason why connecting failed. */
function findFirstError(record: ConnectionRecord, source: Source): Problem | undefined {
  const told = record.problem?.message;
  for (const rung of record.rungs) {
    const problems = toRungProblems(rung, record.connectionId, source);
    if (problems.some(({ message }) => message === told)) return undefined;
    const isWrong = rung.verdict === 'undecided' || rung.verdict === 'failed';
    if (isWrong && problems[0] !== undefined) return problems[0];
  }
  return undefined;
}

function toVerdict(
  state: ConnectCard['state'],
  record: ConnectionRecord,
  lines: readonly ConnectLine[],
  source: Source,
): string {
  switch (state) {
    case 'connecting':
      return '';
    case 'found': {
      const foundBy = toFoundBy(record.connectionId, source);
      const found = [toLinkName(record), foundBy].filter(Boolean).join(', ');
      const doubts = record.rungs.filter(isUndecided).map(({ reason = '' }) => reason);
      return [`${found}.`, ...doubts.map(sentence)].join(' ');
    }
    case 'failed':
      return toFailure(record, lines);
    case 'stopped':
      return 'Connecting was stopped before anything was found.';
  }
}

function toFailure({ rungs, choice }: ConnectionRecord, lines: readonly ConnectLine[]): string {
  const only = ONLY[choice];
  if (only !== undefined) return `Only ${only} was tried, as you chose.`;
  if (rungs.filter(({ verdict }) => verdict !== 'skipped').length < 2) return '';
  const answers = lines
    .filter(({ sign }) => sign !== 'skipped')
    .map(({ name, status }) => `${name}: ${status === '' ? 'no answer' : status}`);
  return `Nothing that Wirescope speaks was found. ${answers.join('; ')}.`;
}

function isUndecided({ verdict }: RungRecord): boolean {
  return verdict === 'undecided';
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
