import { signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { Item } from '../../capture/correlate/items.ts';
import type { BackgroundFunctions, ConnectionSummary } from '../../port/contract.ts';
import type { ExactPlan } from './replay-exact-plan.ts';
import type { Replayed } from './replay-fill.ts';
import type { Asked, ReplayPlan, ReplaySource } from './replay-plan.ts';
import type { ReplayWork } from './replay-work.ts';

/** What the user has to agree to before anything is sent. */
export interface ReplayQuestion {
  /** Calls that may change something. */
  calls: readonly Asked[];
  /** What does not go out as it was, in sentences. */
  differences: readonly string[];
  send(): void;
}

/** Sends recorded requests again. */
export interface Replay {
  question: ReadonlySignal<ReplayQuestion | undefined>;
  /** Why the last replay did not happen, in words for the user. */
  notice: ReadonlySignal<string | undefined>;
  /** As a new request of its connection; what is no request is sent as it was. */
  start(item: Item | undefined): void;
  /** As it was, to the byte. */
  startExact(item: Item | undefined): void;
  /** Sends what is planned, asks first, or says why it cannot be. */
  follow(plan: ReplayPlan): void;
  followExact(plan: ExactPlan): void;
  /** Sends at once where there is nothing to agree to. */
  ask(question: ReplayQuestion): void;
  /** Tells what becomes of something that is being sent; a text is the reason why it is not. */
  watch(sending: Promise<Replayed | string>): void;
  confirm(): void;
  cancel(): void;
  clearNotice(): void;
}

export interface ReplayParts {
  background: Pick<BackgroundFunctions, 'send' | 'sendRaw' | 'reveal'>;
  source: ReadonlySignal<ReplaySource>;
  connections: ReadonlySignal<readonly ConnectionSummary[]>;
  question: Signal<ReplayQuestion | undefined>;
  notice: Signal<string | undefined>;
  /** Hears of each replay that is on its way. */
  sent(replayed: Replayed): void;
}

/** Creates the replay of items from a log, over the live connections. Its work is a chunk of its own. */
export function createReplay(given: Omit<ReplayParts, 'question' | 'notice'>): Replay {
  const question = signal<ReplayQuestion | undefined>(undefined);
  const notice = signal<string | undefined>(undefined);
  let work: Promise<ReplayWork> | undefined;

  function withWork(act: (work: ReplayWork) => void): void {
    work ??= import('./replay-work.ts').then(({ createReplayWork }) =>
      createReplayWork({ ...given, question, notice }),
    );
    void work.then(act);
  }

  return {
    question,
    notice,
    start: (item) => withWork(({ start }) => start(item)),
    startExact: (item) => withWork(({ startExact }) => startExact(item)),
    follow: (plan) => withWork(({ follow }) => follow(plan)),
    followExact: (plan) => withWork(({ followExact }) => followExact(plan)),
    ask: (next) => withWork(({ ask }) => ask(next)),
    watch: (sending) => withWork(({ watch }) => watch(sending)),
    confirm() {
      const next = question.value;
      question.value = undefined;
      next?.send();
    },
    cancel() {
      question.value = undefined;
    },
    clearNotice() {
      notice.value = undefined;
    },
  };
}
