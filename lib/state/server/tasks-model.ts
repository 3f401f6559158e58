import { computed, effect, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { Problem } from '../../errors.ts';
import type { BackgroundFunctions, ConnectionSummary } from '../../port/contract.ts';
import { isTaskOver } from '../../protocol/result-type.ts';
import type { AppModel } from '../app-model.ts';
import { canSend } from '../connect/connection-state.ts';
import { readProblem } from '../captures/read-problem.ts';
import { createTasksLog, type TaskRecord } from './tasks-log.ts';

/** Between two questions about a task, in milliseconds, where the server names no time; and at least. */
const [POLL_MS, LEAST_MS] = [2000, 250];

/** The tasks of all connections, and what can be done about them. */
export interface TasksModel {
  /** The newest first. */
  tasks: ReadonlySignal<readonly TaskRecord[]>;
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
  /** Whether open tasks are asked about while they are looked at. */
  isFollowing: Signal<boolean>;
  /** Asks about all open tasks as often as their servers want, until the result is called. */
  follow(): () => void;
}

const models = new WeakMap<AppModel, TasksModel>();

/** The tasks of a panel, made when they are first asked for and kept as long as it is. */
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
    problem.value = undefined;
    try {
      await model.background.send(connectionId, method, JSON.stringify(params));
    } catch (error) {
      problem.value = readProblem(error);
    }
  }

  const about = (task: TaskRecord, method: string) =>
    send(task.connectionId, method, { taskId: task.taskId });

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
    isFollowing: signal(true),
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
