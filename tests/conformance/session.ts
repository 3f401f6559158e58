import type { AuthSettings } from '../../lib/capture/auth-settings.ts';
import type { RequestItem } from '../../lib/capture/correlate/items.ts';
import type { Era } from '../../lib/capture/wire-event.ts';
import { recordedText } from '../../lib/capture/correlate/socket-record.ts';
import { createTransport } from '../../lib/connection/connect/create-transport.ts';
import { createWriter } from '../../lib/connection/link.ts';
import { checkProfile } from '../../lib/connection/profile.ts';
import {
  DEFAULT_CONNECT,
  type AnswerPolicies,
  type ServerQuestion,
} from '../../lib/port/contract.ts';
import { buildNotification } from '../../lib/protocol/jsonrpc.ts';
import { startTestWorker, type TestWorker } from '../support/connected.ts';
import { createNodeHttpDoor } from '../support/node-http.ts';
import { createNodeSocketDoor } from '../support/node-socket.ts';

/** One connection to a mock server, by the same calls as a page makes; what came of them is read from the log. */
export interface Session {
  /** What the choice came to. */
  era: Era | undefined;
  /** Resolves with the result, of the last round where there are several; rejects where there is an error. */
  request(method: string, params?: object): Promise<Record<string, unknown>>;
  callTool(name: string, callArguments?: unknown): Promise<Record<string, unknown>>;
  /** What the server asks the user next. */
  question(): Promise<ServerQuestion>;
  /** Accepts a form as the user would. */
  accept(question: ServerQuestion, content: object): Promise<void>;
  /** Sends a notification of the modern era, in which the library itself has none to send over HTTP. */
  notify(method: string): Promise<void>;
  close(): Promise<void>;
}

/** What a server may ask is declared, and nobody has to be asked. */
const BY_POLICY: AnswerPolicies = { elicitation: 'defaults', sampling: 'refuse', roots: [] };

/** Connects by the automatic choice; rejects where that fails. */
export async function openSession(
  url: string,
  answers: Partial<AnswerPolicies> = {},
  auth?: AuthSettings,
): Promise<Session> {
  const worker = await startTestWorker({}, undefined, undefined, {});
  const { functions } = worker.manager;
  const connectionId = await worker.connect(url, {
    transport: 'auto',
    answers: { ...BY_POLICY, ...answers },
    ...(auth === undefined ? {} : { auth }),
  });
  const { problem, era } = await worker.state(connectionId, 'connected', 'failed');
  if (problem !== undefined) throw new Error(problem.message);

  async function request(method: string, params?: object): Promise<Record<string, unknown>> {
    const paramsText = params === undefined ? undefined : JSON.stringify(params);
    const { rpcId } = await functions.send(connectionId, method, paramsText);
    // A stream that ends may be resumed, so only a response settles a request for good.
    const answered = await worker.until(() => {
      const item = lastRound(rpcId);
      const isRefused = item?.problem?.code.startsWith('auth-') === true;
      const isAnswered = item?.response !== undefined && item.resultType !== 'input_required';
      return (isRefused || isAnswered) && item;
    }, `an answer to ${method}`);
    if (answered.response === undefined) throw new Error(answered.problem?.message);
    const text = answered.response && recordedText(worker.correlation, answered.response);
    const message = JSON.parse(text ?? '{}') as { result?: Record<string, unknown> };
    if (message.result === undefined) throw new Error(`${method} was answered with ${text}`);
    return message.result;
  }

  function lastRound(rpcId: string): RequestItem | undefined {
    const requests = worker.correlation.items.filter((item) => item.kind === 'request');
    const first = requests.find((item) => item.rpcId === rpcId && item.direction === 'outgoing');
    return requests.findLast(
      (item) => item === first || (first !== undefined && item.round?.first === first.key),
    );
  }

  return {
    era,
    request,
    callTool: (name, callArguments = {}) =>
      request('tools/call', { name, arguments: callArguments }),
    question: () => worker.until(() => worker.summary(connectionId).questions[0], 'a question'),
    accept: ({ rpcId }, content) =>
      functions.answer(connectionId, rpcId, {
        resultText: JSON.stringify({ action: 'accept', content }),
      }),
    notify: (method) => notifyModern(worker, url, connectionId, method),
    async close() {
      await functions.disconnect(connectionId, true);
      await worker.recorder.flushed();
    },
  };
}

/** By the connection's own parts, since a page can send requests only. */
async function notifyModern(
  worker: TestWorker,
  url: string,
  connectionId: string,
  method: string,
): Promise<void> {
  const write = createWriter('0.0.0', () => ({}), { of: () => [] });
  const { paramsText, headers = [] } = write('modern', method, undefined);
  const context = {
    door: createNodeHttpDoor(),
    socketDoor: createNodeSocketDoor(),
    recorder: worker.recorder,
    connectionId,
    newHttpId: () => `notification ${method}`,
  };
  const profile = checkProfile({ ...DEFAULT_CONNECT, url });
  const events = { received: () => undefined, lost: () => undefined };
  const transport = createTransport('streamable-http', 'modern', profile, context, events);
  const text = buildNotification(method, paramsText);
  const { signal } = new AbortController();
  await transport.send({ text, kind: 'notification', method, headers, signal });
}
