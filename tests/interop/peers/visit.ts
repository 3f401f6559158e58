import type { RequestItem } from '../../../lib/capture/items.ts';
import { recordedText } from '../../../lib/capture/socket-record.ts';
import { createLint } from '../../../lib/lint/lint.ts';
import type { Issue } from '../../../lib/lint/issue.ts';
import type { AnswerPolicies, ConnectRequest } from '../../../lib/port/contract.ts';
import { classifyPayload } from '../../../lib/protocol/jsonrpc.ts';
import { startTestWorker, type TestWorker } from '../../support/connected.ts';

/** Everything is asked, nothing answered by itself. */
export const ASK: AnswerPolicies = { elicitation: 'ask', sampling: 'ask', roots: 'ask' };

/** A connection of ours to a server of others. */
export interface Visit extends AsyncDisposable {
  worker: TestWorker;
  id: string;
  /** Sends a request; resolves with its item once it is settled. */
  call(method: string, params?: unknown): Promise<RequestItem>;
  begin(method: string, params?: unknown): Promise<RequestItem>;
  /** The result that an item was answered with. */
  result(item: RequestItem): Record<string, unknown>;
  /** Answers the next question of the server that has this method. */
  answer(method: string, value: unknown): Promise<unknown>;
  /** All findings, by either side. */
  issues(): Promise<readonly Issue[]>;
}

/** Connects and waits until that is done. */
export async function visit(url: string, options: Partial<ConnectRequest> = {}): Promise<Visit> {
  const worker = await startTestWorker();
  const { functions } = worker.manager;
  const { correlation } = worker;
  const id = await worker.connect(url, options);
  const { state, problem } = await worker.state(id, 'connected', 'failed');
  if (state === 'failed') throw new Error(`${url}: ${JSON.stringify(problem)}`);

  async function begin(method: string, params?: unknown): Promise<RequestItem> {
    const text = params === undefined ? undefined : JSON.stringify(params);
    const { rpcId } = await functions.send(id, method, text);
    return worker.until(() =>
      correlation.items.find(
        (item): item is RequestItem =>
          item.kind === 'request' && item.direction === 'outgoing' && item.rpcId === rpcId,
      ),
    );
  }

  return {
    worker,
    id,
    begin,
    async call(method, params) {
      const item = await begin(method, params);
      await worker.until(() => item.response !== undefined, `the response to ${method}`);
      return item;
    },
    result(item) {
      const text = recordedText(correlation, item.response!) ?? '';
      const payload = classifyPayload(text);
      if (payload.kind !== 'message' || payload.message.kind !== 'result') {
        throw new Error(`no result: ${text}`);
      }
      return payload.message.result as Record<string, unknown>;
    },
    async answer(method, value) {
      const question = await worker.until(
        () => worker.summary(id).questions.find((asked) => asked.method === method),
        `the server asks ${method}`,
      );
      await functions.answer(id, question.rpcId, { resultText: JSON.stringify(value) });
      return question.params;
    },
    async issues() {
      await worker.recorder.flushed();
      const lint = createLint(correlation);
      lint.apply(new Set(correlation.items));
      return lint.all;
    },
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  };
}
