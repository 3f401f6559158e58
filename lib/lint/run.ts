import type { Span } from '../capture/stored-text.ts';
import type { WireEvent } from '../capture/wire-event.ts';
import { ANSWER_DETECTORS } from './answers.ts';
import { CACHING_DETECTORS } from './caching.ts';
import { CAPABILITY_DETECTORS } from './capabilities.ts';
import { evidenceOf, type Detect, type Detectors } from './facts.ts';
import { HEADER_DETECTORS } from './headers.ts';
import { HTTP_DETECTORS } from './http.ts';
import { LIFECYCLE_DETECTORS } from './lifecycle.ts';
import { LOG_DETECTORS } from './log-messages.ts';
import { META_DETECTORS } from './meta.ts';
import { MIRROR_DETECTORS } from './mirrored.ts';
import { MODERN_DETECTORS } from './modern.ts';
import { MODERN_HTTP_DETECTORS } from './modern-http.ts';
import { PROGRESS_DETECTORS } from './progress.ts';
import { REFUSAL_DETECTORS } from './refusals.ts';
import type { Report } from './report.ts';
import { RESPONSE_DETECTORS } from './responses.ts';
import { ROUND_DETECTORS } from './rounds.ts';
import { RPC_DETECTORS } from './rpc.ts';
import { SESSION_DETECTORS } from './session.ts';
import { SSE_DETECTORS } from './sse.ts';
import { SUBSCRIPTION_DETECTORS } from './subscriptions.ts';
import { TOOL_DETECTORS } from './tools.ts';
import { revisionIn, revisionOf } from './claims.ts';
import type { Revision } from './clause.ts';
import type { Carrier, ConnectionState } from './state.ts';

const FAMILIES: readonly Detectors[] = [
  RPC_DETECTORS,
  RESPONSE_DETECTORS,
  META_DETECTORS,
  LIFECYCLE_DETECTORS,
  CAPABILITY_DETECTORS,
  PROGRESS_DETECTORS,
  HEADER_DETECTORS,
  SESSION_DETECTORS,
  ANSWER_DETECTORS,
  HTTP_DETECTORS,
  SSE_DETECTORS,
  MODERN_DETECTORS,
  REFUSAL_DETECTORS,
  MIRROR_DETECTORS,
  MODERN_HTTP_DETECTORS,
  ROUND_DETECTORS,
  SUBSCRIPTION_DETECTORS,
  LOG_DETECTORS,
  CACHING_DETECTORS,
  TOOL_DETECTORS,
];

/** Where a finding belongs, unless it says otherwise itself. */
export interface Place {
  connection: ConnectionState;
  exchange?: Carrier;
  /** Where it is not that of the exchange, or else of the connection. */
  revision?: Revision;
  event: WireEvent;
  itemKey: string;
  span?: Span;
}

/** All detectors, by what they look at. */
export const DETECTORS = {
  request: FAMILIES.flatMap(({ request = [] }) => request),
  received: FAMILIES.flatMap(({ received = [] }) => received),
  head: FAMILIES.flatMap(({ head = [] }) => head),
  stream: FAMILIES.flatMap(({ stream = [] }) => stream),
  payload: FAMILIES.flatMap(({ payload = [] }) => payload),
  message: FAMILIES.flatMap(({ message = [] }) => message),
  socket: FAMILIES.flatMap(({ socket = [] }) => socket),
  deadline: FAMILIES.flatMap(({ deadline = [] }) => deadline),
  end: FAMILIES.flatMap(({ end = [] }) => end),
  tail: FAMILIES.flatMap(({ tail = [] }) => tail),
  connection: FAMILIES.flatMap(({ connection = [] }) => connection),
};

/** Asks detectors about a subject. One that throws costs its own finding, and nothing else. */
export function runDetectors<Subject>(
  report: Report,
  detectors: readonly Detect<Subject>[],
  subject: Subject,
  place: Place,
): void {
  if (place.exchange?.isProvoked === true) return;
  for (const detect of detectors) {
    try {
      const finding = detect(subject);
      if (finding === undefined) continue;
      const { connection, exchange, itemKey, event, span } = place;
      const evidence = evidenceOf(event, span);
      const own =
        exchange === undefined ? revisionOf(connection) : revisionIn(connection, exchange);
      const revision = finding.revision ?? place.revision ?? own;
      report.add(connection, finding, { revision, itemKey: finding.itemKey ?? itemKey, evidence });
    } catch {
      // What a rule cannot judge is left to the eye: the traffic itself is shown all the same.
    }
  }
}
