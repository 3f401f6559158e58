import type { AuthItem } from './items.ts';
import type { EventOf, WireEvent } from '../wire-event.ts';

/** A fact that belongs to one authorization. */
export type ChainFact = EventOf<
  | 'auth-challenged'
  | 'auth-resolved'
  | 'auth-started'
  | 'auth-step'
  | 'auth-question'
  | 'auth-consent'
  | 'auth-credential'
  | 'auth-ended'
  | 'permission-asked'
  | 'permission-granted'
  | 'permission-denied'
  | 'permission-revoked'
>;

/** Everything that the log holds about one authorization. */
export interface AuthRecord {
  chain: string;
  /** In order. */
  facts: ChainFact[];
  /** Its exchanges, and the requests that were repeated after it, in order. */
  exchanges: EventOf<'http-request'>[];
  /** Its row; absent where only waiting for it is known. */
  item?: AuthItem;
}

/** The authorization that a fact belongs to. */
export function chainOf(event: WireEvent): string | undefined {
  if (event.kind === 'http-request') return event.links.authChain;
  return 'chain' in event ? event.chain : undefined;
}
