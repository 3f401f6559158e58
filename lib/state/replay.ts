import { batch, signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Item } from '../capture/items.ts';
import type { BackgroundFunctions, ConnectionSummary } from '../port/contract.ts';
import { readProblem } from './read-problem.ts';
import { planReplay } from './replay-plan.ts';
import type { ReplayPlan, ReplaySource } from './replay-plan.ts';

type ReadyPlan = Extract<ReplayPlan, { kind: 'ready' }>;

/** Sends recorded requests again. */
export interface Replay {
  /** A plan that waits for the user's yes. */
  question: ReadonlySignal<ReadyPlan | undefined>;
  /** Why the last replay did not happen, in words for the user. */
  notice: ReadonlySignal<string | undefined>;
  start(item: Item | undefined): void;
  /** Sends what is planned, asks first, or says why it cannot be. */
  follow(plan: ReplayPlan): void;
  confirm(): void;
  cancel(): void;
  clearNotice(): void;
}

/** Creates the replay of items from a log, over the live connections. */
export function createReplay(
  background: BackgroundFunctions,
  source: ReadonlySignal<ReplaySource>,
  connections: ReadonlySignal<readonly ConnectionSummary[]>,
): Replay {
  const question = signal<ReadyPlan | undefined>(undefined);
  const notice = signal<string | undefined>(undefined);

  function send(plan: ReadyPlan): void {
    background
      .send(plan.connectionId, plan.method, plan.paramsText, plan.replayOf)
      .catch((error: unknown) => {
        const problem = readProblem(error);
        notice.value = [problem.message, problem.advice].filter(Boolean).join(' ');
      });
  }

  function follow(plan: ReplayPlan): void {
    batch(() => {
      notice.value = plan.kind === 'refused' ? plan.reason : undefined;
      question.value = plan.kind === 'ready' && plan.asksFor ? plan : undefined;
    });
    if (plan.kind === 'ready' && plan.asksFor === undefined) send(plan);
  }

  return {
    question,
    notice,
    start: (item) => follow(planReplay(item, source.value, connections.value)),
    follow,
    confirm() {
      const plan = question.value;
      question.value = undefined;
      if (plan !== undefined) send(plan);
    },
    cancel() {
      question.value = undefined;
    },
    clearNotice() {
      notice.value = undefined;
    },
  };
}
