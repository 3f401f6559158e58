import { readInputRequests } from '../protocol/input-required.ts';
import { isTaskOver, taskOf } from '../protocol/result-type.ts';
import type { RoundsContext } from './rounds.ts';

export interface TaskQuestionsParts {
  ask: RoundsContext['ask'];
  /** Sends `tasks/update`. */
  update(paramsText: string): Promise<unknown>;
}

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
    const facts = taskOf(described);
    if (facts === undefined) return;
    const { taskId, status } = facts;
    const task = tasks.get(taskId) ?? { target, asked: new Map<string, AbortController>() };
    const { inputRequests } = described as { inputRequests?: unknown };
    const requests = status === 'input_required' ? readInputRequests(inputRequests) : [];
    // What it no longer asks needs no answer any more.
    for (const [key, asking] of task.asked) {
      if (requests.every((request) => request.key !== key)) asking.abort();
    }
    if (isTaskOver(facts)) return void tasks.delete(taskId);
    tasks.set(taskId, task);
    for (const request of requests) if (!task.asked.has(request.key)) void put(request);

    async function put(request: (typeof requests)[number]): Promise<void> {
      const { key } = request;
      const asking = new AbortController();
      task.asked.set(key, asking);
      const asker = { method: 'tools/call', taskId };
      const askedBy = task.target === undefined ? asker : { ...asker, target: task.target };
      const asked = { requests: [request], hasRequests: true };
      try {
        const answer = (await ask(asked, askedBy, carrierId, asking.signal))?.get(key);
        if (answer === undefined) return;
        const responses = `{${JSON.stringify(key)}:${answer}}`;
        await update(`{"taskId":${JSON.stringify(taskId)},"inputResponses":${responses}}`);
      } catch {
        // Its row tells why; the next word of the task asks again.
        task.asked.delete(key);
      }
    }
  };
}
