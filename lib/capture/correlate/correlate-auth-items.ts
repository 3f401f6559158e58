import { chainOf, type AuthRecord } from './auth-record.ts';
import { momentOf } from './correlate-source.ts';
import type { AuthItem, Item } from './items.ts';
import type { EventOf, WireEvent } from '../wire-event.ts';

/** Authorizations, each with all that belongs to it. */
export interface AuthLog {
  /** By chain. */
  readonly auths: ReadonlyMap<string, AuthRecord>;
}

/** Authorizations as rows of their own. */
interface AuthItems extends AuthLog {
  /** Takes note of a fact, or of an exchange, where it belongs to an authorization. */
  note(event: WireEvent): void;
}

/** What can happen to rows. */
export interface ItemChanges {
  add(item: Item): void;
  change(item: Item): void;
  /** Makes an item that had ended pending again. */
  reopen(item: Item): void;
}

/** Folds the facts and exchanges of authorizations into one row for each chain. */
export function createAuthItems({ add, change, reopen }: ItemChanges): AuthItems {
  const auths = new Map<string, AuthRecord>();

  function recordOf(chain: string): AuthRecord {
    const known = auths.get(chain);
    if (known !== undefined) return known;
    const record: AuthRecord = { chain, facts: [], exchanges: [] };
    auths.set(chain, record);
    return record;
  }

  return {
    auths,
    note(event) {
      const chain = chainOf(event);
      if (chain === undefined) return;
      const record = recordOf(chain);
      if (event.kind === 'http-request') record.exchanges.push(event);
      // All other events with a chain are facts of it.
      else if ('chain' in event && event.chain !== undefined)
        record.facts.push({ ...event, chain });
      const { item } = record;
      if (item === undefined) {
        if (!isStep(event)) return;
        const begun = (record.item = newItem(chain, event));
        apply(begun, event);
        add(begun);
      } else {
        const wasOver = item.ended !== undefined;
        // A login that was interrupted goes on.
        if (wasOver && event.kind === 'auth-started') reopen(item);
        apply(item, event);
        change(item);
      }
    },
  };
}

/** Who only waits for a chain, or repeats a request after it, is no step of it. */
function isStep({ kind }: WireEvent): boolean {
  return /^auth-(?:started|step|question|consent|ended)$/.test(kind);
}

function newItem(chain: string, event: WireEvent): AuthItem {
  return {
    kind: 'auth',
    key: `auth ${chain}`,
    sequence: event.sequence,
    connectionId: event.connectionId,
    started: momentOf(event),
    revision: 0,
    chain,
    outcome: 'pending',
  };
}

function apply(item: AuthItem, event: WireEvent): void {
  if (event.kind === 'auth-consent' && event.state === 'interrupted') {
    item.outcome = 'interrupted';
    item.ended = momentOf(event);
  }
  if (event.kind !== 'auth-ended') return;
  item.outcome = outcomeOf(item, event);
  item.ended = momentOf(event);
  if (event.problem !== undefined) item.problem = event.problem;
}

function outcomeOf(item: AuthItem, event: EventOf<'auth-ended'>): AuthItem['outcome'] {
  if (event.outcome !== 'failed') return event.outcome;
  switch (event.problem?.code) {
    case 'auth-denied':
    case 'permission-denied':
      return 'denied';
    // The user has given it up in one way or the other.
    case 'aborted':
    case 'auth-closed':
      return item.outcome === 'interrupted' ? 'interrupted' : 'closed';
    default:
      return 'failed';
  }
}
