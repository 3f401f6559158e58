import { batch } from '@preact/signals-core';
import type { Item } from '../../capture/correlate/items.ts';
import type { SendOptions } from '../../port/send-contract.ts';
import { readProblem } from '../captures/read-problem.ts';
import type { Replay, ReplayParts, ReplayQuestion } from './replay.ts';
import { planExact, type ExactPlan } from './replay-exact-plan.ts';
import { prepareExact } from './replay-exact-send.ts';
import { filledText, type Replayed } from './replay-fill.ts';
import { isReplayable } from './replay-links.ts';
import { planReplay, type ReplayPlan } from './replay-plan.ts';
import { freshProgressToken } from './replay-token.ts';

type ReadyPlan = Extract<ReplayPlan, { kind: 'ready' }>;

/** What replaying does, once it is asked for. */
export type ReplayWork = Pick<
  Replay,
  'start' | 'startExact' | 'follow' | 'followExact' | 'ask' | 'watch'
>;

/** Creates the work behind a replay, whose question and notice it sets. */
export function createReplayWork(parts: ReplayParts): ReplayWork {
  const { background, source, connections, sent, question, notice } = parts;

  function watch(work: Promise<Replayed | string>): void {
    work.then(
      (outcome) => {
        if (typeof outcome === 'string') notice.value = outcome;
        else sent(outcome);
      },
      (error: unknown) => {
        const problem = readProblem(error);
        notice.value = [problem.message, problem.advice, problem.detail].filter(Boolean).join(' ');
      },
    );
  }

  async function send({ connectionId, method, paramsText, replayOf }: ReadyPlan) {
    const filled = await filledText(background, paramsText);
    if ('refused' in filled) return filled.refused;
    const options: SendOptions = replayOf === undefined ? {} : { replayOf };
    // A request that only follows from another one is no second one of the same kind.
    const params = replayOf === undefined ? filled.text : freshProgressToken(filled.text);
    const { carrierId } = await background.send(connectionId, method, params, options);
    return { carrierId, replayOf };
  }

  function ask(next: ReplayQuestion): void {
    if (next.calls.length > 0 || next.differences.length > 0) question.value = next;
    else next.send();
  }

  function follow(plan: ReplayPlan): void {
    batch(() => {
      notice.value = plan.kind === 'refused' ? plan.reason : undefined;
      question.value = undefined;
      if (plan.kind === 'refused') return;
      const calls = plan.asksFor === undefined ? [] : [plan.asksFor];
      ask({ calls, differences: [], send: () => watch(send(plan)) });
    });
  }

  async function followExact(plan: ExactPlan): Promise<void> {
    notice.value = plan.kind === 'refused' ? plan.reason : undefined;
    question.value = undefined;
    if (plan.kind === 'refused') return;
    const { sending, replayOf, asksFor } = plan;
    const prepared = await prepareExact(background, sending);
    if (!prepared.ok) {
      notice.value = prepared.reason;
      return;
    }
    const { differences } = prepared;
    ask({ calls: asksFor, differences, send: () => watch(prepared.send({ replayOf })) });
  }

  function startExact(item: Item | undefined): void {
    void followExact(planExact(item, source.value, connections.value));
  }

  return {
    start(item) {
      const isRequest = item?.kind === 'request' && item.direction === 'outgoing';
      if (isReplayable(item) && !isRequest) startExact(item);
      else follow(planReplay(item, source.value, connections.value));
    },
    startExact,
    follow,
    followExact: (plan) => void followExact(plan),
    ask,
    watch,
  };
}
