import { batch, computed, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { Item, NotificationItem, RequestItem } from '../../capture/correlate/items.ts';
import type { Problem } from '../../errors.ts';
import type { BackgroundFunctions } from '../../port/contract.ts';
import type { SendOptions } from '../../port/send-contract.ts';
import { roundStateOf } from '../view/call-state.ts';
import { readProblem } from '../captures/read-problem.ts';
import { readResult, type CallResult } from './server-results.ts';

/** A request that was sent from the server screen, and how it stands. */
export interface CallRun {
  /** Counts all that were sent. */
  readonly number: number;
  readonly method: string;
  /** Wall time, ms. */
  readonly sentAt: number;
  /** How many problems its arguments had, and were sent all the same. */
  readonly knownProblems: number;
  /** Its row; absent until the log has it. */
  item: ReadonlySignal<RequestItem | undefined>;
  /** Why it could not be sent. */
  problem: ReadonlySignal<Problem | undefined>;
  progress: ReadonlySignal<string | undefined>;
  isOver: ReadonlySignal<boolean>;
  /** The result asks something, and the question waits for the user. */
  isAsking: ReadonlySignal<boolean>;
  /** Undefined while there is none, or while it is not in memory. */
  result: ReadonlySignal<CallResult | undefined>;
  cancel(): void;
}

/** Sends requests and follows them in the log. */
export interface CallDesk {
  send(
    connectionId: string,
    method: string,
    paramsText: string,
    knownProblems: number,
    options?: SendOptions,
  ): CallRun;
  /** To be called with what has changed in the log. */
  apply(changed: ReadonlySet<Item>): void;
}

export interface CallDeskParts {
  background: Pick<BackgroundFunctions, 'send' | 'cancel'>;
  correlation: Correlation;
  /** Text of a message; undefined while it is not in memory. */
  read(item: RequestItem, which: 'response'): string | undefined;
  /** Grows when texts that were missing may be there. */
  restored: ReadonlySignal<number>;
  now(): number;
}

interface Followed {
  connectionId: string;
  rpcId: string | undefined;
  item: Signal<RequestItem | undefined>;
  revision: Signal<number>;
  progress: Signal<string | undefined>;
}

/** How far back in the log a request is looked for that was just sent. */
const LOOK_BACK = 2000;
/** Followed runs; older ones show what they showed last. */
const MANY = 50;

/** Creates the desk; what goes wrong in sending ends in the run's own problem. */
export function createCallDesk(parts: CallDeskParts): CallDesk {
  const { background, correlation, read, restored } = parts;
  let followed: Followed[] = [];
  let count = 0;

  function take(run: Followed, item: Item): void {
    if (item.kind !== 'request' || item.direction !== 'outgoing') return;
    if (item.connectionId !== run.connectionId || item.rpcId !== run.rpcId) return;
    run.item.value = item;
    run.revision.value += 1;
  }

  function apply(changed: ReadonlySet<Item>): void {
    if (followed.length === 0) return;
    batch(() => {
      for (const item of changed) {
        for (const run of followed) {
          const own = run.item.peek();
          if (own === item) run.revision.value += 1;
          else if (own === undefined) take(run, item);
          else if (item.kind === 'notification') noteProgress(run, item, own);
        }
      }
    });
  }

  function noteProgress(run: Followed, item: NotificationItem, own: RequestItem): void {
    if (item.method !== 'notifications/progress') return;
    const last = roundStateOf(own, correlation)?.decisive ?? own;
    if (item.parent === own.key || item.parent === last.key) run.progress.value = item.summary;
  }

  function send(
    connectionId: string,
    method: string,
    paramsText: string,
    knownProblems: number,
    options?: SendOptions,
  ): CallRun {
    const item = signal<RequestItem | undefined>(undefined);
    const revision = signal(0);
    const problem = signal<Problem | undefined>(undefined);
    const progress = signal<string | undefined>(undefined);
    const run: Followed = { connectionId, rpcId: undefined, item, revision, progress };
    followed = [...followed.slice(1 - MANY), run];
    count += 1;

    const decisive = computed(() => {
      void revision.value;
      const own = item.value;
      return own && (roundStateOf(own, correlation)?.decisive ?? own);
    });
    // Items change in place: their revision is the sign to look again.
    const state = computed(() => {
      void revision.value;
      const own = item.value;
      return own && roundStateOf(own, correlation)?.asked;
    });

    background.send(connectionId, method, paramsText, ...(options ? [options] : [])).then(
      ({ rpcId }) => {
        run.rpcId = rpcId;
        for (const recent of correlation.items.slice(-LOOK_BACK)) take(run, recent);
      },
      (error: unknown) => {
        problem.value = readProblem(error);
      },
    );

    return {
      number: count,
      method,
      sentAt: parts.now(),
      knownProblems,
      item,
      problem,
      progress,
      isAsking: computed(() => state.value === 'waiting'),
      isOver: computed(() => {
        void revision.value;
        if (problem.value !== undefined) return true;
        return decisive.value?.ended !== undefined && state.value !== 'waiting';
      }),
      result: computed(() => {
        void revision.value;
        void restored.value;
        const last = decisive.value;
        if (last?.response === undefined || state.value === 'waiting') return undefined;
        const text = read(last, 'response');
        return text === undefined ? undefined : readResult(text);
      }),
      cancel() {
        const { rpcId } = decisive.value ?? run;
        if (rpcId === undefined) return;
        background.cancel(connectionId, rpcId).catch((error: unknown) => {
          problem.value = readProblem(error);
        });
      },
    };
  }

  return { send, apply };
}
