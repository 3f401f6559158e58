import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { Item, RequestItem } from '../../capture/correlate/items.ts';
import { recordedText } from '../../capture/correlate/socket-record.ts';
import { classifyPayload } from '../../protocol/jsonrpc.ts';
import { taskOf } from '../../protocol/result-type.ts';
import { isRecord } from '../../record.ts';

/** A task of a server, as it was last heard of. */
export interface TaskRecord {
  connectionId: string;
  taskId: string;
  status: string;
  statusMessage?: string;
  /** How long the server wants us to wait between two questions, in milliseconds. */
  pollMs?: number;
  /** How long it keeps the task, in milliseconds. */
  ttlMs?: number;
  /** Wall time, ms. */
  heardAt: number;
  /** The call that has made it, where that is in the log. */
  call?: RequestItem;
  /** The row that told of it last. */
  told: Item;
  /** The row that brought its result or its error. */
  result?: Item;
}

type Source = Pick<Correlation, 'https' | 'sockets'>;

const STATUS = new Set(['notifications/tasks/status', 'notifications/tasks']);

/** What the log says about tasks. */
export interface TasksLog {
  readonly tasks: ReadonlyMap<string, TaskRecord>;
  /** Takes rows that are new or have changed; whether it has learnt something. */
  take(changed: Iterable<Item>, source: Source): boolean;
}

/** Follows tasks by the answers and notifications that tell of them. */
export function createTasksLog(): TasksLog {
  const tasks = new Map<string, TaskRecord>();
  const read = new WeakMap<Item, string>();

  function learn(item: Item, value: unknown, call?: RequestItem): boolean {
    const facts = taskOf(value);
    const { connectionId } = item;
    if (facts === undefined || connectionId === undefined || !isRecord(value)) return false;
    const key = `${connectionId} ${facts.taskId}`;
    const known = tasks.get(key);
    // What is told late is about an earlier state.
    if (known !== undefined && known.told !== item && known.told.sequence > item.sequence) {
      if (call === undefined) return false;
      tasks.set(key, { ...known, call });
      return true;
    }
    const { pollInterval, ttl, ttlMs } = value;
    const pollMs =
      facts.pollIntervalMs ?? (typeof pollInterval === 'number' ? pollInterval : known?.pollMs);
    const life = typeof ttlMs === 'number' ? ttlMs : typeof ttl === 'number' ? ttl : known?.ttlMs;
    const made = call ?? known?.call;
    const hasResult = value['result'] !== undefined || value['error'] !== undefined;
    const result = hasResult ? item : known?.result;
    tasks.set(key, {
      connectionId,
      taskId: facts.taskId,
      status: facts.status,
      ...(facts.statusMessage === undefined ? {} : { statusMessage: facts.statusMessage }),
      ...(pollMs === undefined ? {} : { pollMs }),
      ...(life === undefined ? {} : { ttlMs: life }),
      heardAt: (item.ended ?? item.started).wallTime,
      ...(made === undefined ? {} : { call: made }),
      ...(result === undefined ? {} : { result }),
      told: item,
    });
    return true;
  }

  function takeRequest(item: RequestItem, source: Source): boolean {
    if (item.direction !== 'outgoing' || item.response === undefined) return false;
    const isAbout = item.method.startsWith('tasks/');
    if (!isAbout && item.createdTask === undefined) return false;
    const stamp = JSON.stringify(item.response);
    if (read.get(item) === stamp) return false;
    const payload = classifyPayload(recordedText(source, item.response) ?? '');
    const message = payload.kind === 'message' ? payload.message : undefined;
    if (message === undefined) return false;
    read.set(item, stamp);
    if (item.method === 'tasks/result') return takeResult(item);
    if (message.kind !== 'result' || !isRecord(message.result)) return false;
    const { result } = message;
    if (!isAbout) return learn(item, taskOf(result) === undefined ? result['task'] : result, item);
    const list = Array.isArray(result['tasks']) ? result['tasks'] : [result];
    return list.map((task) => learn(item, task)).includes(true);
  }

  /** Its answer is that of the call. */
  function takeResult(item: RequestItem): boolean {
    const key = `${item.connectionId ?? ''} ${item.aboutTask ?? ''}`;
    const known = tasks.get(key);
    if (known === undefined) return false;
    tasks.set(key, { ...known, result: item });
    return true;
  }

  return {
    tasks,
    take(changed, source) {
      let isNew = false;
      for (const item of changed) {
        if (item.kind === 'request') isNew = takeRequest(item, source) || isNew;
        if (item.kind !== 'notification' || item.direction !== 'incoming') continue;
        if (!STATUS.has(item.method) || read.has(item)) continue;
        const payload = classifyPayload(recordedText(source, item.message) ?? '');
        const message = payload.kind === 'message' ? payload.message : undefined;
        if (message?.kind !== 'notification') continue;
        read.set(item, '');
        isNew = learn(item, message.params) || isNew;
      }
      return isNew;
    },
  };
}
