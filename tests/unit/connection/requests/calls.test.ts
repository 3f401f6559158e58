import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConnectRequest } from '../../../../lib/port/contract.ts';
import { climb, DISCOVERED, refuse, type Climber } from '../connect/climber.ts';
import { EVENT_STREAM, type ScriptedCall } from '../../../support/scripted-door.ts';

const REGION = {
  name: 'mirror',
  inputSchema: {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  },
};
const CALL = '{"name":"mirror","arguments":{"region":"eu"}}';
const ELICIT = { method: 'elicitation/create', params: { message: 'Sure?' } };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

async function connect(options: Partial<ConnectRequest> = {}): Promise<Climber> {
  const climber = await climb({ transport: 'modern', ...options });
  (await climber.network.next('server/discover')).result(DISCOVERED);
  await climber.opened;
  expect(climber.connection.summary.state).toBe('connected');
  return climber;
}

/** Sends a request and lets its failure be the log's affair. */
function send({ connection }: Climber, method: string, params?: string) {
  const sent = connection.send({ method, paramsText: params }, {});
  sent.catch(() => undefined);
  return sent;
}

/** Links of all requests of a method. */
async function linksOf(climber: Climber, method: string) {
  const requests = await climber.facts('http-request');
  return requests
    .filter(({ headers }) => headers.some(({ value }) => value === method))
    .map(({ links }) => links);
}

describe('a tool whose arguments are to be mirrored', () => {
  test('is called with them once its list is known', async () => {
    const climber = await connect();
    void send(climber, 'tools/list');
    (await climber.network.next('tools/list')).result({ tools: [REGION] });
    await vi.waitFor(async () => expect(await climber.facts('http-end')).toHaveLength(2));
    void send(climber, 'tools/call', CALL);
    const call = await climber.network.next('tools/call');
    expect(call.header('Mcp-Param-Region')).toBe('eu');
    expect(call.header('Mcp-Name')).toBe('mirror');
  });

  test('is refused without: its list is fetched, and the call repeated once, with a new id', async () => {
    const climber = await connect();
    void send(climber, 'tools/call', CALL);
    const first = await climber.network.next('tools/call');
    expect(first.header('Mcp-Param-Region')).toBeUndefined();
    refuse(first, 400, -32020);
    (await climber.network.next('tools/list')).result({ tools: [], nextCursor: 'more' });
    const page = await climber.network.next('tools/list');
    expect(page.message.params).toMatchObject({ cursor: 'more' });
    page.result({ tools: [REGION] });
    const again = await climber.network.next('tools/call');
    expect(again.header('Mcp-Param-Region')).toBe('eu');
    expect(again.message.id).not.toBe(first.message.id);
    // The second refusal is the answer.
    refuse(again, 400, -32020);
    await vi.waitFor(async () => expect(await climber.facts('http-end')).toHaveLength(5));
    expect(climber.sent().filter((method) => method === 'tools/call')).toHaveLength(2);
    expect(await linksOf(climber, 'tools/call')).toEqual([
      {},
      { retryOf: 'h2', attempt: 2, reason: 'headers' },
    ]);
    expect(await linksOf(climber, 'tools/list')).toEqual([
      { causedBy: 'h2', reason: 'headers' },
      { causedBy: 'h2', reason: 'headers' },
    ]);
  });

  test.each([
    ['tells nothing new', (call: ScriptedCall) => call.result({ tools: [{ name: 'mirror' }] })],
    ['fails', (call: ScriptedCall) => call.answer(500)],
  ])('is not repeated where its list %s', async (_, answer) => {
    const climber = await connect();
    void send(climber, 'tools/call', CALL);
    refuse(await climber.network.next('tools/call'), 400, -32020);
    answer(await climber.network.next('tools/list'));
    await vi.waitFor(async () => expect(await climber.facts('http-end')).toHaveLength(3));
    void send(climber, 'tools/list');
    await climber.network.next('tools/list');
    expect(climber.sent().slice(1)).toEqual(['tools/call', 'tools/list', 'tools/list']);
  });

  test.each([-32022, -32021, -32602])('any other error (%s) is the answer', async (code) => {
    const climber = await connect();
    void send(climber, 'tools/call', CALL);
    refuse(await climber.network.next('tools/call'), 400, code);
    await vi.waitFor(async () => expect(await climber.facts('http-end')).toHaveLength(2));
    expect(climber.sent()).toEqual(['server/discover', 'tools/call']);
    expect(climber.connection.summary.state).toBe('connected');
  });
});

describe('a request in several rounds', () => {
  test('the state goes back byte for byte, with a new id and headers anew', async () => {
    const climber = await connect();
    const state = 'é/\\u2028\u2028"\u0001 =='.repeat(2000);
    void send(climber, 'tools/call', '{"name":"deploy"}');
    const first = await climber.network.next('tools/call');
    first.result({
      resultType: 'input_required',
      inputRequests: { sure: ELICIT },
      requestState: state,
    });
    const [question] = await vi.waitFor(() => {
      const { questions } = climber.connection.summary;
      expect(questions).toHaveLength(1);
      return questions;
    });
    expect(question).toMatchObject({
      ...ELICIT,
      askedBy: { method: 'tools/call', target: 'deploy' },
    });
    climber.connection.answer(question!.rpcId, { resultText: '{"action":"accept","content":{}}' });
    const second = await climber.network.next('tools/call');
    expect(second.message.id).not.toBe(first.message.id);
    expect(second.message.params).toMatchObject({
      name: 'deploy',
      inputResponses: { sure: { action: 'accept', content: {} } },
      requestState: state,
    });
    expect(second.header('Mcp-Name')).toBe('deploy');
    expect((await linksOf(climber, 'tools/call')).at(-1)).toEqual({
      retryOf: 'h2',
      attempt: 2,
      reason: 'input-required',
    });
    expect(await climber.facts('server-request-answered')).toMatchObject([
      { carrierId: 'h2', rpcId: 'sure', by: 'user' },
    ]);
  });

  test('what waits for the user when the connection is closed is not sent', async () => {
    const climber = await connect();
    void send(climber, 'tools/call', '{"name":"deploy"}');
    (await climber.network.next('tools/call')).result({
      resultType: 'input_required',
      inputRequests: { sure: ELICIT },
    });
    await vi.waitFor(() => expect(climber.connection.summary.questions).toHaveLength(1));
    await climber.connection.close('user', true);
    expect(climber.connection.summary.questions).toEqual([]);
    expect(climber.sent()).toEqual(['server/discover', 'tools/call']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a modern connection', () => {
  test('answers no request of the server, which may not send any', async () => {
    const climber = await connect();
    void send(climber, 'tools/call', '{"name":"echo"}');
    const body = (await climber.network.next('tools/call')).head(200, EVENT_STREAM);
    body.event({ jsonrpc: '2.0', id: 9, method: 'ping' });
    body.event({ jsonrpc: '2.0', id: 10, ...ELICIT });
    await vi.waitFor(async () => expect(await climber.facts('sse-event')).toHaveLength(2));
    expect(climber.connection.summary.questions).toEqual([]);
    expect(climber.sent()).toEqual(['server/discover', 'tools/call']);
  });

  test('cancels by closing the exchange, at the deadline too', async () => {
    const climber = await connect({ idleTimeoutMs: 1000 });
    void send(climber, 'tools/call', '{"name":"echo"}');
    const call = await climber.network.next('tools/call');
    await vi.advanceTimersByTimeAsync(1000);
    expect(call.call.signal.aborted).toBe(true);
    expect(climber.sent()).toEqual(['server/discover', 'tools/call']);
    expect(await climber.facts('deadline-fired')).toHaveLength(1);
  });

  test('waits for a subscription for as long as it is wanted', async () => {
    const climber = await connect({ idleTimeoutMs: 1000 });
    const { rpcId } = await send(climber, 'subscriptions/listen', '{"notifications":{}}');
    const call = await climber.network.next('subscriptions/listen');
    call.head(200, EVENT_STREAM);
    await vi.advanceTimersByTimeAsync(24 * 60 * 60_000);
    expect(call.call.signal.aborted).toBe(false);
    climber.connection.cancel(rpcId);
    expect(call.call.signal.aborted).toBe(true);
    expect(climber.sent()).toEqual(['server/discover', 'subscriptions/listen']);
  });

  test('has nothing to terminate', async () => {
    const climber = await connect();
    await climber.connection.close('user', true);
    expect(climber.sent()).toEqual(['server/discover']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a task', () => {
  const EXTENSION = { 'io.modelcontextprotocol/tasks': {} };
  const declared = ({ message }: ScriptedCall) => {
    const meta = (message.params as { _meta: Record<string, object> })._meta;
    return meta['io.modelcontextprotocol/clientCapabilities'];
  };

  test('may come of a call that allows it, declares all that others do, and asks in the queue', async () => {
    const climber = await connect();
    const call = { method: 'tools/call', paramsText: '{"name":"dig"}' };
    void climber.connection.send({ ...call, asTask: true }, {});
    const made = await climber.network.next('tools/call');
    expect(declared(made)).toEqual({
      elicitation: { form: {}, url: {} },
      sampling: {},
      roots: {},
      extensions: EXTENSION,
    });
    const task = { taskId: 't', createdAt: '', lastUpdatedAt: '', ttlMs: null };
    made.result({ resultType: 'task', status: 'working', ...task });
    void send(climber, 'tasks/get', '{"taskId":"t"}');
    const poll = await climber.network.next('tasks/get');
    expect(declared(poll)).toMatchObject({ extensions: EXTENSION });
    const inputRequests = { sure: ELICIT };
    poll.result({ resultType: 'complete', status: 'input_required', ...task, inputRequests });
    const [question] = await vi.waitFor(() => {
      const { questions } = climber.connection.summary;
      expect(questions).toHaveLength(1);
      return questions;
    });
    expect(question?.askedBy).toEqual({ method: 'tools/call', target: 'dig', taskId: 't' });
    climber.connection.answer(question!.rpcId, { resultText: '{"action":"decline"}' });
    const update = await climber.network.next('tasks/update');
    expect(update.header('Mcp-Name')).toBe('t');
    expect(update.message.params).toMatchObject({
      taskId: 't',
      inputResponses: { sure: { action: 'decline' } },
    });
    expect(declared(update)).toMatchObject({ extensions: EXTENSION });
    // What does not allow one does not declare it.
    void send(climber, 'tools/call', '{"name":"dig"}');
    expect(declared(await climber.network.next('tools/call'))).not.toHaveProperty('extensions');
  });

  test('that tells of itself asks by the policy of the connection', async () => {
    const climber = await connect({
      answers: { elicitation: 'decline', sampling: 'refuse', roots: [] },
    });
    void send(climber, 'subscriptions/listen', '{"notifications":{"taskIds":["t"]}}');
    const listening = (await climber.network.next('subscriptions/listen')).head(200, EVENT_STREAM);
    const params = { taskId: 't', status: 'input_required', inputRequests: { sure: ELICIT } };
    listening.event({ jsonrpc: '2.0', method: 'notifications/tasks', params });
    const update = await climber.network.next('tasks/update');
    expect(update.message.params).toMatchObject({
      inputResponses: { sure: { action: 'decline' } },
    });
    expect(climber.connection.summary.questions).toEqual([]);
  });
});
