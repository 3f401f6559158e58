import type { TransportKind } from '../../capture/store/stored-profile.ts';
import type { ClientVerdict } from './transport-report-clients.ts';
import type { ReportOutcome, ReportRow } from './transport-report.ts';

const TRANSPORTS: Record<TransportKind, string> = {
  'streamable-http': 'Streamable HTTP',
  'http-sse': 'HTTP+SSE',
  websocket: 'WebSocket',
};

const OUTCOMES: Record<ReportOutcome, string> = {
  waiting: 'waiting',
  running: 'running',
  answered: 'answered',
  'not-this': 'not this',
  refused: 'refused',
  stopped: 'stopped',
  interrupted: 'interrupted: the browser stopped the worker',
};

const VERDICTS: Record<ClientVerdict['verdict'], string> = {
  connects: 'would connect',
  'by-hand': 'only with a transport chosen by hand',
  no: 'would not connect',
  unproven: 'not known',
};

/** The name of a transport as the report and its text give it. */
export function toTransportName(transport: TransportKind): string {
  return TRANSPORTS[transport];
}

/** What a row of the report tries. */
export function toCandidateTitle(row: ReportRow): string {
  const { candidate, offerRevision } = row;
  if (candidate === 'modern') return 'Streamable HTTP, 2026-07-28';
  if (candidate === 'websocket') return 'WebSocket';
  if (offerRevision !== undefined) return `Streamable HTTP, offering ${offerRevision}`;
  return row.isGuess ? `HTTP+SSE at ${pathOf(row.url)}, a guess` : 'HTTP+SSE';
}

/** What came of it: `answered with legacy 2025-06-18`, `not this: answered 404`. */
export function toOutcomeWords(row: ReportRow): string {
  if (row.outcome === 'answered') {
    return `answered with ${[row.era, row.revision].filter(Boolean).join(' ')}`;
  }
  const { reason = '', problem } = row;
  // The first error, which is shown beside it, often says the same.
  const isSaid = problem?.message.includes(reason) === true;
  return [OUTCOMES[row.outcome], isSaid ? '' : reason].filter(Boolean).join(': ');
}

/** A verdict about a client, as the cell of a table. */
export function toVerdictWords(verdict: ClientVerdict['verdict']): string {
  return VERDICTS[verdict];
}

/** `yes`, `no`, or nothing where there is no such thing or nobody knows. */
export function toSessionWords({ outcome, evidence }: ReportRow): string {
  if (outcome !== 'answered') return '';
  return evidence.hasSession ? 'yes' : 'no';
}

/** Whether there is a GET stream, as the server answered it. */
export function toStreamWords({ outcome, transport, evidence }: ReportRow): string {
  if (outcome !== 'answered' || transport !== 'streamable-http') return '';
  const { stream } = evidence;
  if (stream === 'open') return 'yes';
  if (stream === 'silent') return 'nothing came in 2 s';
  return stream === undefined ? '' : `no (${stream})`;
}

/** Why a row did not connect, to stand within a sentence. */
export function refusalWords({ reason, problem }: ReportRow): string {
  return (reason ?? problem?.message ?? 'no reason is known').replace(/\.$/, '');
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
