import type {
  MessageRef,
  NotificationItem,
  RequestItem,
} from '../../../lib/capture/correlate/items.ts';
import { recordedText } from '../../../lib/capture/correlate/socket-record.ts';
import type { EventOf, WireFact } from '../../../lib/capture/wire-event.ts';
import type { Issue } from '../../../lib/lint/issue.ts';
import type { AnswerPolicies, ConnectRequest } from '../../../lib/port/contract.ts';
import { classifyPayload } from '../../../lib/protocol/jsonrpc.ts';
import { startTestWorker, type TestWorker } from '../../support/connected.ts';
import { issuesOf } from '../../support/rules.ts';

/** Everything is asked, nothing answered by itself. */
export const ASK: AnswerPolicies = { elicitation: 'ask', sampling: 'ask', roots: 'ask' };

/** Params of `tools/call`. */
export function toolCall(name: string, values: object = {}, meta?: object): object {
  return { name, arguments: values, ...(meta === undefined ? {} : { _meta: meta }) };
}

/** A connection of ours to a server of others. */
export interface Visit extends AsyncDisposable {
  worker: TestWorker;
  id: string;
  /** Sends a request; resolves with its item once it is settled. */
  call(method: string, params?: unknown): Promise<RequestItem>;
  begin(method: string, params?: unknown): Promise<RequestItem>;
  /** The last round of a multi round-trip request, once it is settled. */
  lastRound(first: RequestItem, number?: number): Promise<RequestItem>;
  /** What we sent, and what came back, to the letter. */
  sent(item: RequestItem): string;
  received(item: RequestItem): string;
  /** Rungs that were judged, with their verdicts. */
  rungs(): [rung: string, verdict: string][];
  facts<Kind extends WireFact['kind']>(kind: Kind): EventOf<Kind>[];
  /** Our own messages of a method, however they travelled. */
  posted(method: string): string[];
  notifications(method: string): NotificationItem[];
  /** Listens for changes of tools; resolves with the item once the server has acknowledged it. */
  subscribe(): Promise<RequestItem>;
  /** The texts of a tool's result. */
  texts(item: RequestItem): string;
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

  const facts = <Kind extends WireFact['kind']>(kind: Kind) =>
    worker.events.filter((event): event is EventOf<Kind> => event.kind === kind);
  const notifications = (method: string) =>
    correlation.items.filter(
      (item): item is NotificationItem => item.kind === 'notification' && item.method === method,
    );
  const textAt = (message: MessageRef) => recordedText(correlation, message) ?? '';

  function result(item: RequestItem): Record<string, unknown> {
    const text = textAt(item.response!);
    const payload = classifyPayload(text);
    if (payload.kind !== 'message' || payload.message.kind !== 'result') {
      throw new Error(`no result: ${text}`);
    }
    return payload.message.result as Record<string, unknown>;
  }

  return {
    worker,
    id,
    begin,
    facts,
    notifications,
    async subscribe() {
      const method = 'notifications/subscriptions/acknowledged';
      const before = notifications(method).length;
      const item = await begin('subscriptions/listen', {
        notifications: { toolsListChanged: true },
      });
      await worker.until(() => notifications(method).length > before, method);
      return item;
    },
    texts: (item) =>
      (result(item) as { content: { text?: string }[] }).content.map(({ text }) => text).join('\n'),
    result,
    sent: ({ message }) => textAt(message),
    received: ({ response }) => textAt(response!),
    rungs: () => facts('rung-judged').map(({ rung, verdict }) => [rung, verdict]),
    posted: (method) =>
      correlation.items.flatMap((item) =>
        'method' in item && item.method === method && item.direction === 'outgoing'
          ? [textAt(item.message)]
          : [],
      ),
    lastRound: ({ key }, number = 2) =>
      worker.until(
        () =>
          correlation.items.find(
            (item): item is RequestItem =>
              item.kind === 'request' &&
              item.round?.first === key &&
              item.round.number === number &&
              item.outcome !== 'pending',
          ),
        `round ${number}`,
      ),
    async call(method, params) {
      const item = await begin(method, params);
      await worker.until(() => item.response !== undefined, `the response to ${method}`);
      return item;
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
      // A busy machine holds streams back as a proxy would.
      return issuesOf(correlation).filter(({ ruleId }) => ruleId !== 'HTT-23');
    },
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  };
}
