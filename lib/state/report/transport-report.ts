import { createCorrelation, type Correlation } from '../../capture/correlate/correlate.ts';
import { payloadBytes } from '../../capture/correlate/http-record.ts';
import type { ConnectionRecord } from '../../capture/correlate/items.ts';
import type { TransportKind } from '../../capture/store/stored-profile.ts';
import type { Era, EventOf, WireEvent } from '../../capture/wire-event.ts';
import type { Problem } from '../../errors.ts';
import { reportCandidates } from '../../protocol/report-candidates.ts';
import { durationBetween } from '../../capture/correlate/moments.ts';
import { readReportEvidence, type ReportEvidence } from './transport-report-evidence.ts';

/** `not-this`: the server does not speak it. `refused`: it did not connect for another reason. */
export type ReportOutcome =
  | 'waiting'
  | 'running'
  | 'answered'
  | 'not-this'
  | 'refused'
  | 'stopped'
  | 'interrupted';

/** What came of one candidate of a transport report. */
export interface ReportRow {
  candidate: string;
  connectionId: string;
  url: string;
  offerRevision?: string;
  isGuess: boolean;
  outcome: ReportOutcome;
  transport?: TransportKind;
  era?: Era;
  revision?: string;
  /** Where it was not answered: why, in a few words, and the first error in full. */
  reason?: string;
  problem?: Problem;
  /** Until it was chosen or had failed; bytes are those of bodies and frames, in both directions. */
  exchanges: number;
  sizeBytes: number;
  durationMs?: number;
  evidence: ReportEvidence;
}

/** One run of a transport report, as far as it has come. */
export interface TransportReport {
  reportId: string;
  url: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  serverName?: string;
  rows: ReportRow[];
  isRunning: boolean;
}

/** Derives a report from the events that the log holds for it, which begin with those of its connections. */
export function deriveReport(reportId: string, events: readonly WireEvent[]): TransportReport {
  const correlation = createCorrelation();
  correlation.apply(events);
  const opened = events.filter(
    (event): event is EventOf<'connection-opened'> =>
      event.kind === 'connection-opened' && event.report?.reportId === reportId,
  );
  const url = opened[0]?.profile.url.text ?? '';
  const lastBoot = events.at(-1)?.bootId;
  const rows = opened.map((event) => toRow(event, url, events, correlation));
  const isRunning = opened.some(
    ({ connectionId, bootId }) =>
      bootId === lastBoot &&
      !events.some(
        (event) => event.kind === 'connection-closed' && event.connectionId === connectionId,
      ),
  );
  const serverName = opened
    .map(({ connectionId = '' }) => correlation.connections.get(connectionId)?.serverName)
    .find((name) => name !== undefined);
  return {
    reportId,
    url,
    startedAt: opened[0]?.wallTime ?? 0,
    ...(serverName === undefined ? {} : { serverName }),
    rows,
    isRunning,
  };
}

function toRow(
  opened: EventOf<'connection-opened'>,
  url: string,
  events: readonly WireEvent[],
  correlation: Correlation,
): ReportRow {
  const { connectionId = '', report, profile } = opened;
  const candidate = report?.candidate ?? '';
  const plan = reportCandidates(url).find((known) => known.candidate === candidate);
  const own = events.filter((event) => event.connectionId === connectionId);
  const decided = own.find(isDecision);
  const upTo = own.filter(({ sequence }) => sequence <= (decided?.sequence ?? Infinity));
  const begun = upTo[1];
  const connection = correlation.connections.get(connectionId);
  const { outcome, reason, problem } = judge(candidate, connection, decided, begun);
  const isAnswered = connection !== undefined && connection.transport !== undefined;
  return {
    candidate,
    connectionId,
    url: profile.url.text,
    ...(plan?.offerRevision === undefined ? {} : { offerRevision: plan.offerRevision }),
    isGuess: plan?.isGuess ?? false,
    outcome,
    ...(isAnswered ? linkOf(connection) : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(problem === undefined ? {} : { problem }),
    exchanges: upTo.filter(({ kind }) => kind === 'http-request' || kind === 'socket-opening')
      .length,
    sizeBytes: upTo.reduce((sum, event) => sum + payloadBytes(event), 0),
    ...(decided === undefined || begun === undefined
      ? {}
      : { durationMs: durationBetween(begun, decided).ms }),
    evidence: readReportEvidence(connectionId, correlation),
  };
}

function isDecision({ kind }: WireEvent): boolean {
  return kind === 'connection-chosen' || kind === 'connection-failed';
}

function judge(
  candidate: string,
  connection: ConnectionRecord | undefined,
  decided: WireEvent | undefined,
  begun: WireEvent | undefined,
): { outcome: ReportOutcome; reason?: string; problem?: Problem } {
  if (decided?.kind === 'connection-chosen') {
    const isOther = candidate === 'modern' && decided.era !== 'modern';
    return isOther
      ? { outcome: 'not-this', reason: `answered as ${decided.era} ${decided.revision}` }
      : { outcome: 'answered' };
  }
  if (decided?.kind === 'connection-failed') {
    const rung = connection?.rungs.findLast(({ reason }) => reason !== undefined);
    const { problem } = decided;
    const reason = rung?.reason ?? problem.message;
    return { outcome: rung?.verdict === 'not-this' ? 'not-this' : 'refused', reason, problem };
  }
  if (connection?.state === 'interrupted') return { outcome: 'interrupted' };
  if (connection?.state === 'closed') return { outcome: 'stopped' };
  return { outcome: begun === undefined ? 'waiting' : 'running' };
}

function linkOf({ transport, era, revision }: ConnectionRecord) {
  return {
    ...(transport === undefined ? {} : { transport }),
    ...(era === undefined ? {} : { era }),
    ...(revision === undefined ? {} : { revision }),
  };
}
