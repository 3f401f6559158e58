import type { AnswerPolicies, ConnectionSummary } from '../../port/contract.ts';
import { readCheckpoints, type ConnectionCheckpoint } from './checkpoint.ts';
import type { Connection } from '../connection.ts';
import type { Wish } from '../wishes/wishes.ts';

export interface SurvivalParts {
  connections: ReadonlyMap<string, Connection>;
  /** In memory, and only as long as the browser lives. */
  loadOpen(): Promise<Wish[]>;
  saveOpen(open: Wish[]): Promise<void>;
}

/** Keeps what a later life of the worker needs of the connections that are open now. */
export interface Survival {
  /** A connection was made for a wish. */
  add(wish: Wish): void;
  /** Changes the policies of an open connection, where some are given; returns those that hold. */
  answers(connectionId: string, policies?: AnswerPolicies): AnswerPolicies | undefined;
  /** Connections have changed: those that are over need nothing any more. */
  changed(summaries: readonly ConnectionSummary[]): void;
  /** The connections that an earlier life had open; `checkpoint` is absent where it had not got so far. */
  load(text: string | undefined): Promise<{ wish: Wish; checkpoint?: ConnectionCheckpoint }[]>;
  /** As text; `undefined` until what was found has been taken up. */
  checkpoint(): string | undefined;
  /** From now on, what is stored is what is open now. */
  begin(): void;
}

/** Profiles go to memory, since they hold headers; the rest goes into the log's own transactions. */
export function createSurvival({ connections, loadOpen, saveOpen }: SurvivalParts): Survival {
  const wishes = new Map<string, Wish>();
  let hasBegun = false;

  function save(): void {
    // Without it a restart ends the connection; that is no reason to end it now.
    saveOpen([...wishes.values()]).catch(() => undefined);
  }

  return {
    add(wish) {
      wishes.set(wish.connectionId, wish);
      save();
    },
    answers(connectionId, policies) {
      const profile = wishes.get(connectionId)?.profile;
      if (profile !== undefined && policies !== undefined) {
        profile.answers = policies;
        save();
      }
      return profile?.answers;
    },
    changed(summaries) {
      const over = summaries.filter(
        ({ connectionId, state }) =>
          (state === 'closed' || state === 'failed') && wishes.has(connectionId),
      );
      for (const { connectionId } of over) wishes.delete(connectionId);
      if (over.length > 0) save();
    },
    async load(text) {
      const checkpoints = readCheckpoints(text);
      const open = await loadOpen().catch(() => []);
      return open.map((wish) => {
        const checkpoint = checkpoints.find(
          ({ connectionId }) => connectionId === wish.connectionId,
        );
        return checkpoint === undefined ? { wish } : { wish, checkpoint };
      });
    },
    checkpoint() {
      if (!hasBegun) return undefined;
      const open = [...wishes.keys()].flatMap((id) => connections.get(id)?.checkpoint ?? []);
      return JSON.stringify(open);
    },
    begin() {
      hasBegun = true;
    },
  };
}
