import type { WireEvent } from '../../capture/wire-event.ts';
import { metaOf } from '../claims.ts';
import { V4 } from '../clause.ts';
import { evidenceOf, type Detect, type Detectors, type MessageFact } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { shown } from '../payload.ts';
import { senderOf } from '../detectors/rpc.ts';
import { TSK } from '../rules/tasks.ts';
import { msBetween } from '../state.ts';
import { isRecord } from '../../record.ts';
import { taskKey, type FeatureMemory, type Memories, type SeenTask } from './memory.ts';

type Members = Record<string, unknown>;

const STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'];
const TERMINAL = new Set(['completed', 'failed', 'cancelled']);
const RELATED = 'io.modelcontextprotocol/related-task';
/** Timers are not exact. */
const TOLERANCE = 0.9;

/** A task as a message tells of it. */
interface Told {
  task: Members;
  isNew: boolean;
}

/** Tasks of 2025-11-25 in a message: one that is created, or those that are told about. */
function toldBy({ shape, method, members, request }: MessageFact): Told[] {
  if (shape === 'notification') {
    const params = members?.['params'];
    const isStatus = method === 'notifications/tasks/status' && isRecord(params);
    return isStatus ? [{ task: params, isNew: false }] : [];
  }
  const result = members?.['result'];
  if (shape !== 'response' || !isRecord(result)) return [];
  switch (request?.method) {
    case 'tasks/get':
    case 'tasks/cancel':
      return [{ task: result, isNew: false }];
    case 'tasks/list':
      return (Array.isArray(result['tasks']) ? result['tasks'] : [])
        .filter(isRecord)
        .map((task) => ({ task, isNew: false }));
    default:
      return isRecord(result['task']) ? [{ task: result['task'], isNew: true }] : [];
  }
}

/** What every task has to say of itself. */
function fieldFaults(task: Members): string[] {
  const faults: string[] = [];
  if (typeof task['taskId'] !== 'string') faults.push(`its taskId is ${shown(task['taskId'])}`);
  for (const name of ['createdAt', 'lastUpdatedAt']) {
    const value = task[name];
    if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) {
      faults.push(`its ${name} is ${shown(value)}`);
    }
  }
  const { ttl } = task;
  if (ttl !== null && typeof ttl !== 'number') faults.push(`its ttl is ${shown(ttl)}`);
  return faults;
}

/** What is wrong with a status, after the one before it. */
export function statusFault(
  status: unknown,
  before: string | undefined,
  isNew: boolean,
): string | undefined {
  if (!STATUSES.includes(String(status))) return `is ${shown(status)}, which is no status`;
  if (isNew && status !== 'working') return `begins as ${shown(status)}, not as "working"`;
  if (before === undefined || before === status || !TERMINAL.has(before)) return undefined;
  return `went from ${shown(before)} to ${shown(status)}; it was over`;
}

/** Notes how a task stands, and how often it may be asked about. */
export function noteTask(
  memory: FeatureMemory,
  key: string,
  status: unknown,
  pollMs: unknown,
): SeenTask {
  const known = memory.tasks.get(key) ?? { status: '', pollMs: undefined, asked: new Map() };
  known.status = String(status);
  if (typeof pollMs === 'number') known.pollMs = pollMs;
  memory.tasks.set(key, known);
  return known;
}

/** Whether a task is asked about sooner than its pace says; counts this time as one. */
export function isTooSoon(task: SeenTask | undefined, event: WireEvent): boolean {
  if (task === undefined) return false;
  const { polled, pollMs } = task;
  task.polled = event;
  if (polled === undefined || pollMs === undefined) return false;
  return msBetween(polled, event) < pollMs * TOLERANCE;
}

/** The capability that a request has to be declared with, to be run as a task. */
function needOf(method: string): { path: string[]; of: 'server' | 'client' } | undefined {
  if (method === 'tools/call') return { path: ['tools', 'call'], of: 'server' };
  if (method === 'sampling/createMessage')
    return { path: ['sampling', 'createMessage'], of: 'client' };
  if (method === 'elicitation/create') return { path: ['elicitation', 'create'], of: 'client' };
  return undefined;
}

function isDeclared(capabilities: unknown, path: readonly string[]): boolean {
  let value: unknown = capabilities;
  for (const name of ['tasks', 'requests', ...path])
    value = isRecord(value) ? value[name] : undefined;
  return value !== undefined;
}

/** Tasks of 2025-11-25, which either side may run. */
export function taskDetectors(memories: Memories): Detectors {
  const fields: Detect<MessageFact> = (fact) => {
    if (fact.revision !== V4) return undefined;
    for (const { task } of toldBy(fact)) {
      const faults = fieldFaults(task);
      if (faults.length === 0) continue;
      return {
        rule: TSK.fields,
        side: senderOf(fact),
        group: faults.join(),
        message: `A task is told about incompletely: ${faults.join('; ')}.`,
      };
    }
    return undefined;
  };

  const status: Detect<MessageFact> = (fact) => {
    if (fact.revision !== V4) return undefined;
    const memory = memories(fact.connection);
    let found: Finding | undefined;
    for (const { task, isNew } of toldBy(fact)) {
      const key = taskKey(senderOf(fact), task['taskId']);
      const fault = statusFault(task['status'], memory.tasks.get(key)?.status, isNew);
      noteTask(memory, key, task['status'], task['pollInterval']);
      if (fault === undefined) continue;
      found ??= {
        rule: TSK.status,
        side: senderOf(fact),
        group: `${key} ${fault}`,
        message: `The task ${shown(task['taskId'])} ${fault}.`,
      };
    }
    return found;
  };

  const undeclared: Detect<MessageFact> = (fact) => {
    const { shape, method = '', members, connection } = fact;
    const params = members?.['params'];
    const need = needOf(method);
    if (shape !== 'request' || fact.revision !== V4 || need === undefined) return undefined;
    if (!isRecord(params) || params['task'] === undefined) return undefined;
    const declared =
      need.of === 'server' ? connection.serverCapabilities : connection.clientCapabilities;
    if (!isRecord(declared) || isDeclared(declared, need.path)) return undefined;
    return {
      rule: TSK.undeclared,
      side: senderOf(fact),
      group: method,
      message: `\`${method}\` was sent as a task, but the ${need.of} did not declare \`tasks.requests.${need.path.join('.')}\`.`,
    };
  };

  const unrelated: Detect<MessageFact> = (fact) => {
    const { shape, request, members } = fact;
    const result = members?.['result'];
    if (shape !== 'response' || fact.revision !== V4 || !isRecord(result)) return undefined;
    if (request?.method !== 'tasks/result') return undefined;
    const related = metaOf(result)[RELATED];
    if (isRecord(related) && typeof related['taskId'] === 'string') return undefined;
    return {
      rule: TSK.unrelated,
      side: senderOf(fact),
      group: 'result',
      message: `The result of \`tasks/result\` has no ${RELATED} in its _meta.`,
    };
  };

  const polling: Detect<MessageFact> = (fact) => {
    const { shape, method, members, connection, event } = fact;
    const params = members?.['params'];
    if (shape !== 'request' || fact.revision !== V4 || method !== 'tasks/get') return undefined;
    const side = senderOf(fact);
    const taskId = isRecord(params) ? params['taskId'] : undefined;
    const key = taskKey(side === 'client' ? 'server' : 'client', taskId);
    const task = memories(connection).tasks.get(key);
    const before = task?.polled;
    if (!isTooSoon(task, event) || before === undefined) return undefined;
    return {
      rule: TSK.polling,
      side,
      group: key,
      message: `The task ${shown(taskId)} was asked about again after ${Math.round(msBetween(before, event))} ms; its pollInterval is ${task?.pollMs} ms.`,
      evidence: [evidenceOf(event, fact.span), evidenceOf(before)],
    };
  };

  return {
    requests: [undeclared, polling],
    notifications: [fields, status],
    responses: [fields, status, unrelated],
  };
}
