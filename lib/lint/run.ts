import type { Span } from '../capture/stored-text.ts';
import type { WireEvent } from '../capture/wire-event.ts';
import { ANSWER_DETECTORS } from './answers.ts';
import { CAPABILITY_DETECTORS } from './capabilities.ts';
import { evidenceOf, type Detect, type Detectors } from './facts.ts';
import { HEADER_DETECTORS } from './headers.ts';
import { HTTP_DETECTORS } from './http.ts';
import { LIFECYCLE_DETECTORS } from './lifecycle.ts';
import { META_DETECTORS } from './meta.ts';
import { PROGRESS_DETECTORS } from './progress.ts';
import type { Report } from './report.ts';
import { RESPONSE_DETECTORS } from './responses.ts';
import { RPC_DETECTORS } from './rpc.ts';
import { SESSION_DETECTORS } from './session.ts';
import { SSE_DETECTORS } from './sse.ts';
import type { ConnectionState } from './state.ts';

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
];

/** Where a finding belongs, unless it says otherwise itself. */
export interface Place {
  connection: ConnectionState;
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
  for (const detect of detectors) {
    try {
      const finding = detect(subject);
      if (finding === undefined) continue;
      const { connection, itemKey, event, span } = place;
      const evidence = evidenceOf(event, span);
      report.add(connection, finding, finding.itemKey ?? itemKey, evidence);
    } catch {
      // What a rule cannot judge is left to the eye: the traffic itself is shown all the same.
    }
  }
}
