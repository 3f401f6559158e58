import type { Problem } from '../../errors.ts';
import { createAuthItems, type AuthLog, type ItemChanges } from './correlate-auth-items.ts';
import type { Item } from './items.ts';
import type { EventOf, WireEvent } from '../wire-event.ts';

export type { AuthLog };

/** Authorizations, and requests whose answer asked for one, which wait for what comes of it. */
export interface AuthWaits extends AuthLog {
  /** Takes note of an exchange that may belong to an authorization. */
  note(event: EventOf<'http-request'>): void;
  /** Takes a fact of a wait; false for every other one. */
  apply(event: WireEvent): boolean;
  /** Keeps the end of an exchange that is not the end of what it carried; false for every other one. */
  keepEnd(event: EventOf<'http-end'>): boolean;
  /** Says why authorization was in vain, where that is why an answer stands. */
  explain(item: Item, httpId: string): void;
}

/** Starts with nobody waiting. `settle` is called when an answer stands that was there already. */
export function createAuthWaits(
  carried: ReadonlyMap<string, Item>,
  settle: (end: EventOf<'http-end'>) => void,
  items: ItemChanges,
): AuthWaits {
  const { auths, note } = createAuthItems(items);
  const waiting = new Map<string, EventOf<'http-end'> | undefined>();
  const problems = new Map<string, Problem>();
  const begun = new Set<string>();

  /** Others may wait for a chain too; it belongs to the first. */
  function begin(chain: string, item: Item): void {
    if (begun.has(chain)) return;
    begun.add(chain);
    (item.authChains ??= []).push(chain);
    items.change(item);
  }

  return {
    auths,
    note,
    apply(event) {
      note(event);
      if (event.kind === 'auth-challenged') {
        const item = carried.get(event.httpId);
        if (item === undefined) return true;
        waiting.set(event.httpId, undefined);
        begin(event.chain, item);
        return true;
      }
      if (event.kind !== 'auth-resolved') return false;
      const { httpId, outcome, problem } = event;
      if (problem !== undefined) problems.set(httpId, problem);
      if (outcome === 'repeat') return true;
      const end = waiting.get(httpId);
      waiting.delete(httpId);
      if (end !== undefined) settle(end);
      return true;
    },
    keepEnd(event) {
      const isWaiting = waiting.has(event.httpId);
      if (isWaiting) waiting.set(event.httpId, event);
      return isWaiting;
    },
    explain(item, httpId) {
      const problem = problems.get(httpId);
      if (problem !== undefined && 'outcome' in item) item.problem = problem;
    },
  };
}
