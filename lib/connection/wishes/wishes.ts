import type { Problem } from '../../errors.ts';
import type { WireFact } from '../../capture/wire-event.ts';
import type { ConnectionSummary } from '../../port/contract.ts';
import type { Profile } from '../profile.ts';

/** A wish to connect that waits for the user's answer to the browser's question. */
export interface Wish {
  connectionId: string;
  profile: Profile;
  hostPattern: string;
  since: number;
  /** The answer was no: it stays so, and can still be allowed. */
  problem?: Problem;
}

export interface WishesContext {
  hasPermission(hostPattern: string): Promise<boolean>;
  loadWishes(): Promise<Wish[]>;
  saveWishes(wishes: Wish[]): Promise<void>;
  record(fact: WireFact, connectionId: string): void;
  /** Carries a wish out. */
  open(wish: Wish): void;
  /** Tells that one is carried out, after its question. */
  wishGranted?(): void;
  changed(): void;
}

/** What waits for a permission, refused or not, and what is over. */
export interface Wishes {
  readonly summaries: readonly ConnectionSummary[];
  /** Waits for the answer. */
  add(wish: Wish): Promise<void>;
  /** The user's answer, where a page saw it. */
  answered(connectionId: string, granted: boolean): Promise<void>;
  /** The browser granted hosts, to whoever asked. */
  granted(): Promise<void>;
  /** Lists a connection that is over, until it is forgotten. */
  end(summary: ConnectionSummary): void;
  /** Gives a wish up; false where none waits under this id. */
  drop(connectionId: string): Promise<boolean>;
  /** Forgets what is over. */
  forget(connectionId: string): void;
  /** Takes up what an earlier life of the worker left; `found` sees each before anything is done. */
  restore(found: (wish: Wish) => void): Promise<void>;
}

/** Wishes outlive a restart of the worker: the browser may stop it while the user reads the question. */
export function createWishes(context: WishesContext): Wishes {
  const { record, hasPermission, changed } = context;
  const wishes = new Map<string, Wish>();
  const ended = new Map<string, ConnectionSummary>();

  function save(): Promise<void> {
    return context.saveWishes([...wishes.values()]);
  }

  async function take(wish: Wish): Promise<void> {
    if (!wishes.delete(wish.connectionId)) return;
    record({ kind: 'permission-granted', host: wish.hostPattern }, wish.connectionId);
    delete wish.problem;
    context.open(wish);
    context.wishGranted?.();
    await save();
  }

  async function granted(): Promise<void> {
    for (const wish of wishes.values()) {
      if (await hasPermission(wish.hostPattern)) await take(wish);
    }
  }

  async function drop(connectionId: string): Promise<boolean> {
    if (!wishes.delete(connectionId)) return false;
    record({ kind: 'connection-closed', cause: 'user' }, connectionId);
    await save();
    changed();
    return true;
  }

  return {
    get summaries() {
      return [...ended.values(), ...[...wishes.values()].map(askingSummary)];
    },
    async add(wish) {
      // Who asks again means the same, and is not to get both.
      for (const { connectionId, hostPattern, problem } of wishes.values()) {
        if (problem && hostPattern === wish.hostPattern) await drop(connectionId);
      }
      record({ kind: 'permission-asked', host: wish.hostPattern }, wish.connectionId);
      wishes.set(wish.connectionId, wish);
      await save();
      changed();
    },
    async answered(connectionId, isGranted) {
      const wish = wishes.get(connectionId);
      if (wish === undefined) return;
      // The page's word is not enough: it may have closed, or answered for another prompt.
      if (isGranted) {
        if (await hasPermission(wish.hostPattern)) await take(wish);
        return;
      }
      wish.problem = denied(wish);
      record({ kind: 'permission-denied', host: wish.hostPattern }, connectionId);
      await save();
      changed();
    },
    granted,
    end(summary) {
      ended.set(summary.connectionId, summary);
      changed();
    },
    drop,
    forget: (connectionId) => void ended.delete(connectionId),
    async restore(found) {
      for (const wish of await context.loadWishes()) {
        found(wish);
        wishes.set(wish.connectionId, wish);
      }
      await granted();
    },
  };
}

function askingSummary(wish: Wish): ConnectionSummary {
  return {
    connectionId: wish.connectionId,
    url: wish.profile.url,
    ...(wish.problem
      ? { state: 'failed', problem: wish.problem }
      : { state: 'asking', phase: 'permission' }),
    hostPattern: wish.hostPattern,
    since: wish.since,
    messageCount: 0,
    questions: [],
  };
}

function denied(wish: Wish): Problem {
  return {
    code: 'permission-denied',
    message: `Access to ${wish.hostPattern} was not allowed, so nothing was sent.`,
    advice: 'Allow it to go on.',
  };
}
