import type { ConnectionState, ConnectionSummary } from '../port/contract.ts';

/** What pages are told of a connection, and who is told when it changes. */
export interface SummaryKeeper {
  readonly current: ConnectionSummary;
  update(change: Partial<ConnectionSummary>): void;
  /** A new state is the end of what the old one was about: its phase and its problem. */
  setState(state: ConnectionState): void;
  /** One more message, in either direction. */
  count(): void;
}

/** Keeps the summary of one connection. */
export function createSummary(
  first: Pick<ConnectionSummary, 'connectionId' | 'url'>,
  now: () => number,
  changed: () => void,
): SummaryKeeper {
  let current: ConnectionSummary = {
    ...first,
    state: 'connecting',
    since: now(),
    messageCount: 0,
    questions: [],
  };

  function update(change: Partial<ConnectionSummary>): void {
    current = { ...current, ...change };
    changed();
  }

  return {
    get current() {
      return current;
    },
    update,
    setState(state) {
      const { problem: _problem, phase: _phase, hostPattern: _host, ...rest } = current;
      current = { ...rest, state, since: now() };
      changed();
    },
    count: () => update({ messageCount: current.messageCount + 1 }),
  };
}
