import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Problem } from '../../errors.ts';
import type { BackgroundFunctions } from '../../port/contract.ts';
import { createAnswerOptions, type AnswerOptions } from './answer-options.ts';
import type { AppModel } from '../app-model.ts';
import { readProblem } from '../captures/read-problem.ts';

/** How a connection that is open answers its server, while that is being looked at. */
export interface AnswerDesk {
  /** The connection whose answers are shown. */
  shown: ReadonlySignal<string | undefined>;
  /** Absent until the background has told them. */
  options: ReadonlySignal<AnswerOptions | undefined>;
  /** What is chosen here holds from now on. */
  isSaved: ReadonlySignal<boolean>;
  problem: ReadonlySignal<Problem | undefined>;
  open(connectionId: string): void;
  close(): void;
  /** Makes what is chosen hold for the next question. */
  save(): void;
}

type Parts = Pick<AppModel['connector'], 'requestOf'> & Pick<BackgroundFunctions, 'answers'>;

const NOT_OPEN: Problem = {
  code: 'not-connected',
  message: 'This connection is not open.',
  advice: 'Connect to the server again; how it answers is chosen under Options.',
};

const desks = new WeakMap<AppModel, AnswerDesk>();

/** The answers of a panel's connections. */
export function answerDeskOf(model: AppModel): AnswerDesk {
  const known = desks.get(model);
  if (known !== undefined) return known;
  const { background, connector } = model;
  const desk = createAnswerDesk({ answers: background.answers, requestOf: connector.requestOf });
  desks.set(model, desk);
  return desk;
}

/** Creates a desk at which nothing is shown. */
export function createAnswerDesk({ answers, requestOf }: Parts): AnswerDesk {
  const shown = signal<string | undefined>(undefined);
  const options = signal<AnswerOptions | undefined>(undefined);
  const isSaved = signal(false);
  const problem = signal<Problem | undefined>(undefined);

  /** Asks the background; what has come too late for what is shown now is dropped. */
  async function ask(connectionId: string, policies?: Parameters<Parts['answers']>[1]) {
    problem.value = undefined;
    isSaved.value = false;
    try {
      const now = await answers(connectionId, policies);
      if (shown.value !== connectionId) return;
      if (now === undefined) return void (problem.value = NOT_OPEN);
      if (policies === undefined) options.value = createAnswerOptions(now);
      else isSaved.value = true;
      // Connecting again is to answer in the same way.
      const made = requestOf(connectionId);
      if (made !== undefined) made.answers = now;
    } catch (error) {
      if (shown.value === connectionId) problem.value = readProblem(error);
    }
  }

  return {
    shown,
    options,
    isSaved,
    problem,
    open(connectionId) {
      shown.value = connectionId;
      options.value = undefined;
      void ask(connectionId);
    },
    close() {
      shown.value = undefined;
    },
    save() {
      const chosen = options.value;
      if (shown.value === undefined || chosen === undefined) return;
      if (chosen.fault.value === undefined) void ask(shown.value, chosen.toPolicies());
    },
  };
}
