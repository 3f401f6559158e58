import { computed, effect, signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Problem } from '../errors.ts';
import type { BackgroundFunctions, ConnectionSummary } from '../port/contract.ts';
import { isTaskOver } from '../protocol/result-type.ts';
import type { AppModel } from './app-model.ts';
import { canSend } from './connection-words.ts';
import { createQuestions, type Questions } from './questions.ts';
import { readProblem } from './read-problem.ts';
import { withCapabilities } from './resend.ts';
import { createTasksLog, type TaskRecord } from './tasks-log.ts';

/** Who speaks of a task has to declare the extension (2026-07-28). */
const EXTENSION = '{"extensions":{"io.modelcontextprotocol/tasks":{}}}';
/** Between two questions about a task, in milliseconds, where the server names no time; and at least. */
const [POLL_MS, LEAST_MS] = [2000, 250];

/** The tasks of all connections, and what can be done about them. */
export interface TasksModel {
  /** The newest first. */
  tasks: ReadonlySignal<readonly TaskRecord[]>;
  /** What tasks ask for (2026-07-28); older servers ask by requests of their own. */
  questions: Questions;
  problem: ReadonlySignal<Problem | undefined>;
  /** Whether its server can be asked. */
  isLive(task: TaskRecord): boolean;
  ask(task: TaskRecord): void;
  /** Waits for the result, and for what the task asks meanwhile (2025-11-25). */
  result(task: TaskRecord): void;
  hasResultMethod(task: TaskRecord): boolean;
  cancel(task: TaskRecord): void;
  /** Connections that can list their tasks (2025-11-25). */
  listers: ReadonlySignal<readonly ConnectionSummary[]>;
  list(connectionId: string): void;
  /** Asks about all open tasks as often as their servers want, until the result is called. */
  follow(): () => void;
}

const models = new WeakMap<AppModel, TasksModel>();

/** The tasks of a panel. */
export function tasksModelOf(model: AppModel): TasksModel {
  const known = models.get(model);
  if (known !== undefined) return known;
  const made = createTasksModel(model);
  models.set(model, made);
  return made;
}

type Parts = Pick<AppModel, 'correlation' | 'watch' | 'connections'> & {
  background: Pick<BackgroundFunctions, 'send'>;
};

/** Creates the tasks over a log; `model.correlation` is read anew each time. */
export function createTasksModel(model: Parts): TasksModel {
  const log = createTasksLog();
  const tasks = signal<readonly TaskRecord[]>([]);
  const problem = signal<Problem | undefined>(undefined);
  const answers = signal<ReadonlyMap<string, Record<string, string>>>(new Map());
  const asked = new Set<string>();

  function refresh(changed: Iterable<AppModel['correlation']['items'][number]>): void {
    if (!log.take(changed, model.correlation)) return;
    tasks.value = [...log.tasks.values()].toSorted((a, b) => b.told.sequence - a.told.sequence);
  }

  refresh(model.correlation.items);
  model.watch(refresh);

  function connectionOf(task: TaskRecord): ConnectionSummary | undefined {
    return model.connections.value.find(
      (each) => each.connectionId === task.connectionId && canSend(each),
    );
  }

  async function send(
    connectionId: string,
    method: string,
    params: Record<string, unknown>,
  ): Promise<void> {
    const era = model.connections.value.find((each) => each.connectionId === connectionId)?.era;
    const text = JSON.stringify(params);
    problem.value = undefined;
    try {
      const paramsText = era === 'modern' ? withCapabilities(text, EXTENSION) : text;
      await model.background.send(connectionId, method, paramsText);
    } catch (error) {
      problem.value = readProblem(error);
    }
  }

  const about = (task: TaskRecord, method: string) =>
    send(task.connectionId, method, { taskId: task.taskId });

  // One question for each thing that a task asks for, as the servers' own questions are.
  const asking = computed(() =>
    tasks.value.flatMap((task): ConnectionSummary[] => {
      const connection = connectionOf(task);
      if (connection === undefined || task.status !== 'input_required') return [];
      const given = answers.value.get(task.taskId) ?? {};
      const questions = Object.entries(task.inputRequests)
        .filter(([key]) => !Object.hasOwn(given, key))
        .map(([key, { method, params }]) => ({
          rpcId: JSON.stringify([task.taskId, key]),
          method,
          params,
          since: task.heardAt,
        }));
      return [{ ...connection, questions }];
    }),
  );

  const questions = createQuestions(
    {
      async answer(connectionId, rpcId, answer) {
        const [taskId = '', key = ''] = JSON.parse(rpcId) as string[];
        // There is no way to send an error: what is refused stays unanswered.
        if (!('resultText' in answer)) return;
        const given = { ...answers.value.get(taskId), [key]: answer.resultText };
        answers.value = new Map(answers.value).set(taskId, given);
        const responses = `{${JSON.stringify(key)}:${answer.resultText}}`;
        const text = `{"taskId":${JSON.stringify(taskId)},"inputResponses":${responses}}`;
        await model.background.send(
          connectionId,
          'tasks/update',
          withCapabilities(text, EXTENSION),
        );
      },
    },
    asking,
  );

  /** One question at a time about each task: a slow server is not asked again before it has answered. */
  function pollSoon(task: TaskRecord, timers: Map<string, ReturnType<typeof setTimeout>>): void {
    const key = `${task.connectionId} ${task.taskId}`;
    const stamp = `${key} ${task.told.sequence} ${task.told.revision}`;
    if (isTaskOver(task) || connectionOf(task) === undefined || asked.has(stamp)) return;
    asked.add(stamp);
    clearTimeout(timers.get(key));
    const pause = Math.max(task.pollMs ?? POLL_MS, LEAST_MS);
    timers.set(
      key,
      setTimeout(() => void about(task, 'tasks/get'), pause),
    );
  }

  return {
    tasks,
    questions,
    problem,
    isLive: (task) => connectionOf(task) !== undefined,
    ask: (task) => void about(task, 'tasks/get'),
    result: (task) => void about(task, 'tasks/result'),
    hasResultMethod: (task) => connectionOf(task)?.era === 'legacy',
    cancel: (task) => void about(task, 'tasks/cancel'),
    listers: computed(() =>
      model.connections.value.filter(
        (each) => canSend(each) && each.era === 'legacy' && each.revision === '2025-11-25',
      ),
    ),
    list: (connectionId) => void send(connectionId, 'tasks/list', {}),
    follow() {
      const timers = new Map<string, ReturnType<typeof setTimeout>>();
      const stop = effect(() => {
        for (const task of tasks.value) pollSoon(task, timers);
      });
      return () => {
        stop();
        asked.clear();
        for (const timer of timers.values()) clearTimeout(timer);
      };
    },
  };
}
