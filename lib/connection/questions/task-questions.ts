import { readInputRequests } from '../../protocol/input-required.ts';
import type { RoundsContext } from './rounds.ts';

export interface TaskQuestionsParts {
  ask: RoundsContext['ask'];
  /** Sends `tasks/update`. */
  update(paramsText: string): Promise<unknown>;
}

/** A task as a message describes it; nothing of it is checked. */
type Described = { taskId?: unknown; status?: unknown; inputRequests?: unknown } | null | undefined;

interface AskingTask {
  /** The tool that was called. */
  target: string | undefined;
  /** Ends the wait for an answer, by the key of the question. */
  asked: Map<string, AbortController>;
}

/**
 * Takes what tasks ask for (tasks extension of 2026-07-28) to where all questions go, once each, and the answers back.
 * The result heeds a task as a message describes it: `carrierId` carried that, `target` is the tool that was called.
 */
export function createTaskQuestions({ ask, update }: TaskQuestionsParts) {
  const tasks = new Map<string, AskingTask>();

  return (described: unknown, carrierId: string, target?: string): void => {
    const { taskId, status, inputRequests } = (described as Described) ?? {};
    if (typeof taskId !== 'string') return;
    const task = tasks.get(taskId) ?? { target, asked: new Map<string, AbortController>() };
    tasks.set(taskId, task);
    const requests = status === 'input_required' ? readInputRequests(inputRequests) : [];
    // What it no longer asks needs no answer any more.
    for (const [key, asking] of task.asked) {
      if (requests.every((request) => request.key !== key)) asking.abort();
    }
    const askedBy = { method: 'tools/call', target: task.target, taskId };
    for (const request of requests) {
      const { key } = request;
      if (task.asked.has(key)) continue;
      const asking = new AbortController();
      task.asked.set(key, asking);
      ask({ requests: [request], hasRequests: true }, askedBy, carrierId, asking.signal)
        .then((answers) => {
          const given = answers?.get(key);
          if (given === undefined) return undefined;
          const responses = `{${JSON.stringify(key)}:${given}}`;
          return update(`{"taskId":${JSON.stringify(taskId)},"inputResponses":${responses}}`);
        })
        // Its row tells why; the next word of the task asks again.
        .catch(() => task.asked.delete(key));
    }
  };
}
