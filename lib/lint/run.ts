import type { Span } from '../capture/store/stored-text.ts';
import type { WireEvent } from '../capture/wire-event.ts';
import { ANSWER_DETECTORS } from './detectors/answers.ts';
import { CACHING_DETECTORS } from './detectors/caching.ts';
import { CAPABILITY_DETECTORS } from './detectors/capabilities.ts';
import type { Collector } from './collect.ts';
import { evidenceOf, type Detect, type Detectors } from './facts.ts';
import { HEADER_DETECTORS } from './detectors/headers.ts';
import { HTTP_DETECTORS } from './detectors/http.ts';
import { LIFECYCLE_DETECTORS } from './detectors/lifecycle.ts';
import { META_DETECTORS } from './detectors/meta.ts';
import { MIRROR_DETECTORS } from './detectors/mirrored.ts';
import { MODERN_DETECTORS } from './detectors/modern.ts';
import { MODERN_HTTP_DETECTORS } from './detectors/modern-http.ts';
import { PROGRESS_DETECTORS } from './detectors/progress.ts';
import { REFUSAL_DETECTORS } from './detectors/refusals.ts';
import type { Report } from './report.ts';
import { RESPONSE_DETECTORS } from './detectors/responses.ts';
import { ROUND_DETECTORS } from './detectors/rounds.ts';
import { RPC_DETECTORS } from './detectors/rpc.ts';
import { SESSION_DETECTORS } from './detectors/session.ts';
import { SSE_DETECTORS } from './detectors/sse.ts';
import { SUBSCRIPTION_DETECTORS } from './detectors/subscriptions.ts';
import { revisionIn, revisionOf } from './claims.ts';
import type { Revision } from './clause.ts';
import type { Carrier, ConnectionState } from './state.ts';

/** Detectors that every log needs. */
export const FAMILIES: readonly Detectors[] = [
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
  CACHING_DETECTORS,
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
export interface DetectorSet extends Required<Detectors> {
  /** Takes up the detectors of rules that came later. */
  add(family: Detectors): void;
}

type Lists = { [Kind in keyof Detectors]-?: NonNullable<Detectors[Kind]>[number][] };

/** What whoever reads events reports to, and asks. */
export interface Bench {
  report: Report;
  collector: Collector;
  detectors: DetectorSet;
}

/** The detectors that every log needs. */
export function createDetectorSet(): DetectorSet {
  const lists: Lists = {
    request: [],
    received: [],
    head: [],
    stream: [],
    payload: [],
    message: [],
    requests: [],
    notifications: [],
    responses: [],
    socket: [],
    deadline: [],
    end: [],
    tail: [],
    connection: [],
  };
  function add(family: Detectors): void {
    lists.request.push(...(family.request ?? []));
    lists.received.push(...(family.received ?? []));
    lists.head.push(...(family.head ?? []));
    lists.stream.push(...(family.stream ?? []));
    lists.payload.push(...(family.payload ?? []));
    lists.message.push(...(family.message ?? []));
    lists.requests.push(...(family.requests ?? []));
    lists.notifications.push(...(family.notifications ?? []));
    lists.responses.push(...(family.responses ?? []));
    lists.socket.push(...(family.socket ?? []));
    lists.deadline.push(...(family.deadline ?? []));
    lists.end.push(...(family.end ?? []));
    lists.tail.push(...(family.tail ?? []));
    lists.connection.push(...(family.connection ?? []));
  }
  for (const family of FAMILIES) add(family);
  return { ...lists, add };
}

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
      const found = { revision, itemKey: finding.itemKey ?? itemKey, evidence };
      report.add(connection, finding, { ...found, wholeKey: wholeOf(place) });
    } catch {
      // What a rule cannot judge is left to the eye: the traffic itself is shown all the same.
    }
  }
}

/** The authorization of which an exchange or a fact is a step: its row has them all under it. */
function wholeOf({ event, exchange }: Place): string | undefined {
  const { purpose, links } = exchange?.record?.request ?? {};
  const isMessage = purpose === 'message' || purpose === 'stream' || purpose === 'terminate';
  const own = event.kind.startsWith('auth-') && 'chain' in event ? event.chain : undefined;
  const chain = own ?? (isMessage ? undefined : links?.authChain);
  return chain === undefined ? undefined : `auth ${chain}`;
}
