import { V5 } from '../clause.ts';
import { evidenceOf, type Detect, type Detectors, type MessageFact } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { shown } from '../payload.ts';
import { TSK } from '../rules/tasks.ts';
import { msBetween } from '../state.ts';
import { isRecord } from '../../record.ts';
import { resultOf, taskKey, type Memories } from './memory.ts';
import { isTooSoon, noteTask, statusFault } from './tasks.ts';

type Members = Record<string, unknown>;

function finding(group: string, message: string, more: Partial<Finding> = {}): Finding {
  return { rule: TSK.extension, side: 'server', group, message, ...more };
}

/** What a task has to bring by its status. */
function contentFault({ status, result, error, inputRequests }: Members): string | undefined {
  if (status === 'completed' && !isRecord(result)) return 'is completed, without its result';
  if (status === 'input_required' && !isRecord(inputRequests)) {
    return 'wants input, without inputRequests';
  }
  if (status !== 'failed') return undefined;
  if (isRecord(result) && result['isError'] === true) {
    return 'is "failed" because of isError; a tool that says isError has completed';
  }
  return isRecord(error) ? undefined : 'is failed, without its error';
}

/** Tasks as an extension of 2026-07-28, which servers run. */
export function taskExtensionDetectors(memories: Memories): Detectors {
  /** A task in a message: one that is created, polled, or told about on a subscription. */
  function taskIn(fact: MessageFact): { task: Members; from: 'new' | 'poll' | 'told' } | undefined {
    if (fact.revision !== V5 || fact.direction === 'outgoing') return undefined;
    const params = fact.members?.['params'];
    if (fact.method === 'notifications/tasks' && isRecord(params)) {
      return { task: params, from: 'told' };
    }
    const { method, result } = resultOf(fact) ?? {};
    if (result === undefined) return undefined;
    if (method === 'tasks/get') return { task: result, from: 'poll' };
    return result['resultType'] === 'task' ? { task: result, from: 'new' } : undefined;
  }

  const place: Detect<MessageFact> = (fact) => {
    const { from, task } = taskIn(fact) ?? {};
    const method = fact.request?.method ?? '';
    if (from === 'new' && method !== 'tools/call') {
      return finding(method, `\`${method}\` was answered by a task; only \`tools/call\` may be.`);
    }
    if (from !== 'poll' || task?.['resultType'] !== 'task') return undefined;
    return finding('type', 'The result of `tasks/get` has the resultType "task", not "complete".', {
      severity: 'warning',
    });
  };

  const state: Detect<MessageFact> = (fact) => {
    const { from, task } = taskIn(fact) ?? {};
    if (task === undefined) return undefined;
    const { taskId, status, pollIntervalMs } = task;
    const memory = memories(fact.connection);
    const key = taskKey('server', taskId);
    const before = memory.tasks.get(key)?.status;
    noteTask(memory, key, status, pollIntervalMs);
    const fault =
      typeof taskId === 'string'
        ? (statusFault(status, before, false) ?? (from === 'new' ? undefined : contentFault(task)))
        : `has the taskId ${shown(taskId)}`;
    if (fault === undefined) return undefined;
    return finding(`${key} ${fault}`, `The task ${shown(taskId)} ${fault}.`);
  };

  const reused: Detect<MessageFact> = (fact) => {
    const { task } = taskIn(fact) ?? {};
    const asked = task?.['inputRequests'];
    if (task === undefined || !isRecord(asked)) return undefined;
    const { taskId, status } = task;
    const known = noteTask(
      memories(fact.connection),
      taskKey('server', taskId),
      status,
      task['pollIntervalMs'],
    );
    for (const [key, request] of Object.entries(asked)) {
      const text = JSON.stringify(request);
      const before = known.asked.get(key);
      known.asked.set(key, text);
      if (before === undefined || before === text) continue;
      return finding(
        `${String(taskId)} ${key}`,
        `The task ${shown(taskId)} asks for something else under the key ${shown(key)}, which it has used before.`,
      );
    }
    return undefined;
  };

  const polling: Detect<MessageFact> = ({ shape, direction, method, members, ...fact }) => {
    if (shape !== 'request' || direction === 'incoming' || method !== 'tasks/get') return undefined;
    const params = members?.['params'];
    const taskId = isRecord(params) ? params['taskId'] : undefined;
    if (fact.revision !== V5) return undefined;
    const task = memories(fact.connection).tasks.get(taskKey('server', taskId));
    const before = task?.polled;
    if (!isTooSoon(task, fact.event) || before === undefined) return undefined;
    return {
      ...finding(
        `poll ${String(taskId)}`,
        `The task ${shown(taskId)} was asked about again after ${Math.round(msBetween(before, fact.event))} ms; its pollIntervalMs is ${task?.pollMs}.`,
      ),
      severity: 'warning',
      side: 'client',
      evidence: [evidenceOf(fact.event, fact.span), evidenceOf(before)],
    };
  };

  return {
    requests: [polling],
    notifications: [state, reused],
    responses: [place, state, reused],
  };
}
