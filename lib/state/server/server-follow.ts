import { effect, untracked } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { ConnectionSummary } from '../../port/contract.ts';
import type { CallDesk, CallRun } from './server-call.ts';
import type { ServerIdentity } from './server-identity.ts';

interface FollowParts {
  desk: CallDesk;
  /** Whether the user wants to hear of changes. */
  follows: ReadonlySignal<boolean>;
  live: ReadonlySignal<ConnectionSummary | undefined>;
  identity(connectionId: string): ServerIdentity | undefined;
}

/** What a subscription can tell of lists (2026-07-28, basic/patterns, "Subscriptions"). */
const TOLD = ['tools', 'prompts', 'resources'] as const;

/**
 * Hears of changed lists from a modern server, which tells of them only in a subscription: one is opened while
 * changes are followed, and cancelled afterwards. A legacy server tells by itself. Returns what ends it.
 */
export function followLists({ desk, follows, live, identity }: FollowParts): () => void {
  const runs = new Map<string, CallRun>();

  function stopAll(): void {
    for (const run of runs.values()) if (!run.isOver.peek()) run.cancel();
    runs.clear();
  }

  const end = effect(() => {
    const connection = live.value;
    if (!follows.value) return untracked(stopAll);
    if (connection?.era !== 'modern') return;
    const { connectionId } = connection;
    untracked(() => {
      if (runs.has(connectionId)) return;
      const offered = identity(connectionId)?.capabilities ?? [];
      const told = TOLD.filter((name) =>
        offered.some((each) => each.name === name && each.settings.includes('"listChanged":true')),
      );
      if (told.length === 0) return;
      const notifications = Object.fromEntries(told.map((name) => [`${name}ListChanged`, true]));
      const params = JSON.stringify({ notifications });
      runs.set(connectionId, desk.send(connectionId, 'subscriptions/listen', params, 0));
    });
  });
  return () => {
    end();
    stopAll();
  };
}
