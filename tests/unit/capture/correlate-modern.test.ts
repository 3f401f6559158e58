import { describe, expect, test } from 'vitest';
import { lastRound } from '../../../lib/capture/correlate/correlate-rounds.ts';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import type { WireFact } from '../../../lib/capture/wire-event.ts';
import { LogBuilder } from '../../support/builders.ts';
import { correlate, result } from './correlated.ts';

const MODERN = [{ name: 'MCP-Protocol-Version', value: '2026-07-28' }];
const ENVELOPE = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const utf8 = new TextEncoder();

const failure = (id: string, code: number, message: string) =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":"${message}"}}`;
const asks = (keys: string[], requestState?: string) => ({
  resultType: 'input_required',
  inputRequests: Object.fromEntries(keys.map((key) => [key, { method: 'elicitation/create' }])),
  ...(requestState === undefined ? {} : { requestState }),
});

function call(log: LogBuilder, id: string, links = {}, method = 'tools/call'): string {
  return log.call(id, method, { name: 'deploy', ...ENVELOPE }, { headers: MODERN, links });
}

/** Writes the frames of one socket. */
class SocketLog extends LogBuilder {
  start(socketId = 's1'): this {
    this.add({ kind: 'socket-opening', socketId, url: { text: 'ws://h/mcp' }, subprotocols: [] });
    this.add({ kind: 'socket-open', socketId, subprotocol: 'mcp' });
    return this;
  }

  frame(direction: 'outgoing' | 'incoming', message: unknown, socketId = 's1'): this {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    const data = { bytes: utf8.encode(text) };
    this.add({ kind: 'socket-frame', socketId, direction, opcode: 'text', data });
    return this;
  }

  ask(id: unknown, method: string, params: object): this {
    return this.frame('outgoing', { jsonrpc: '2.0', id, method, params });
  }

  close(by: 'us' | 'server' | 'network', code: number): this {
    const fact: WireFact = {
      kind: 'socket-close',
      socketId: 's1',
      code,
      reason: '',
      clean: by !== 'network',
      by,
    };
    this.add(fact);
    return this;
  }
}

describe('a call of several rounds', () => {
  test('is one chain, whose first round learns of every later one', () => {
    const log = new LogBuilder();
    const first = call(log, '1');
    log.answer(first, result('1', asks(['confirm'], 's')));
    const waiting = correlate(log);
    expect(waiting.requests).toMatchObject([{ outcome: 'result', resultType: 'input_required' }]);
    expect(waiting.chains.get(waiting.requests[0]!.key)).toMatchObject({ isWaiting: true });

    const links = { retryOf: first, attempt: 2, reason: 'input-required' };
    const second = call(log, '2', links);
    log.answer(second, result('2', asks(['reason'])));
    const third = call(log, '3', { retryOf: second, attempt: 3, reason: 'input-required' });
    const before = createCorrelation();
    before.apply(log.events);
    const head = before.items[0]!;
    const { revision } = head;
    const known = log.events.length;
    log.answer(third, result('3', { content: [], isError: true }));
    const touched = before.apply(log.events.slice(known));
    expect(touched.has(head)).toBe(true);
    expect(head.revision).toBeGreaterThan(revision);

    const { requests, chains } = correlate(log);
    const { key } = requests[0]!;
    expect(requests[0]!.round).toBeUndefined();
    expect(requests.slice(1)).toMatchObject([
      { round: { first: key, number: 2 }, resultType: 'input_required' },
      { round: { first: key, number: 3 }, toolFailure: expect.any(String) },
    ]);
    expect(chains.size).toBe(1);
    expect(chains.get(key)).toMatchObject({ isWaiting: false });
    expect(lastRound(chains.get(key)!)).toBe(requests[2]);
  });

  test('keeps the number of a round that had to be sent again for its headers', () => {
    const log = new LogBuilder();
    const first = call(log, '1');
    log.answer(first, result('1', asks(['a'])));
    const second = call(log, '2', { retryOf: first, attempt: 2, reason: 'input-required' });
    log.answer(second, failure('2', -32020, 'Header mismatch'), 400);
    const again = call(log, '3', { retryOf: second, attempt: 2, reason: 'headers' });
    log.answer(again, result('3', asks(['b'])));
    const fourth = call(log, '4', { retryOf: again, attempt: 3, reason: 'input-required' });
    log.answer(fourth, result('4'));
    expect(correlate(log).requests.map(({ round }) => round?.number)).toEqual([undefined, 2, 2, 3]);
  });

  test('is no chain where a request is only repeated', () => {
    const log = new LogBuilder();
    const first = call(log, '1');
    log.answer(first, failure('1', -32020, 'Header mismatch'), 400);
    log.answer(call(log, '2', { retryOf: first, attempt: 2, reason: 'headers' }), result('2'));
    const { requests, chains } = correlate(log);
    expect(requests.map(({ round }) => round)).toEqual([undefined, undefined]);
    expect(chains.size).toBe(0);
  });

  test.each<[string, (log: LogBuilder) => void, boolean]>([
    [
      'its connection closed',
      (log) => log.add({ kind: 'connection-closed', cause: 'user' }),
      false,
    ],
    ['the worker started again', (log) => log.restart('later'), false],
    [
      'another connection closed',
      (log) => {
        log.connectionId = 'other';
        log.add({ kind: 'connection-closed', cause: 'user' });
      },
      true,
    ],
  ])('waits no more once %s', (_, happen, isWaiting) => {
    const log = new LogBuilder();
    log.opened();
    log.answer(call(log, '1'), result('1', asks(['a'])));
    happen(log);
    const { requests, chains } = correlate(log);
    expect(chains.get(requests[0]!.key)).toMatchObject({ isWaiting });
  });

  test('is told on a socket by the state that is sent back', () => {
    const log = new SocketLog().start();
    log.ask(1, 'tools/call', { name: 'deploy' }).ask(2, 'tools/call', { name: 'deploy' });
    log.frame('incoming', result('2', asks(['a'], 'two')));
    log.frame('incoming', result('1', asks(['a'], 'one')));
    const inputResponses = { a: { action: 'accept' } };
    log.ask(3, 'tools/call', { name: 'deploy', inputResponses, requestState: 'one' });
    log.ask(4, 'tools/call', { name: 'deploy', inputResponses, requestState: 'two' });
    const { requests } = correlate(log);
    expect(requests.map(({ round }) => round)).toEqual([
      undefined,
      undefined,
      { first: requests[0]!.key, number: 2 },
      { first: requests[1]!.key, number: 2 },
    ]);
  });

  test('is told on a socket without state by what is answered, if only one can be meant', () => {
    const inputResponses = { a: { action: 'accept' }, b: { action: 'decline' } };
    const log = new SocketLog().start();
    log.ask(1, 'tools/call', { name: 'deploy' }).ask(2, 'prompts/get', { name: 'deploy' });
    log.frame('incoming', result('1', asks(['b', 'a'])));
    log.frame('incoming', result('2', asks(['a', 'b'])));
    log.ask(3, 'tools/call', { name: 'other', inputResponses });
    log.ask(4, 'tools/call', { name: 'deploy', inputResponses: { a: {} } });
    log.ask(5, 'tools/call', { name: 'deploy', inputResponses });
    const { requests } = correlate(log);
    expect(requests.slice(2).map(({ round }) => round)).toEqual([
      undefined,
      undefined,
      { first: requests[0]!.key, number: 2 },
    ]);

    const unsure = new SocketLog().start();
    for (const id of [1, 2]) {
      unsure.ask(id, 'tools/call', { name: 'deploy' });
      unsure.frame('incoming', result(String(id), asks(['a', 'b'])));
    }
    unsure.ask(3, 'tools/call', { name: 'deploy', inputResponses });
    expect(correlate(unsure).requests[2]!.round).toBeUndefined();
  });
});

describe('a subscription', () => {
  const notifications = { toolsListChanged: true, promptsListChanged: true };
  const told = (method: string, id: unknown, params = {}) => ({
    jsonrpc: '2.0',
    method,
    params: { _meta: { [SUBSCRIPTION]: id }, ...params },
  });
  const acknowledged = (id: unknown) =>
    told('notifications/subscriptions/acknowledged', id, {
      notifications: { toolsListChanged: true },
    });

  function listen(log: LogBuilder): string {
    const params = { notifications, ...ENVELOPE };
    const h = log.call('"l"', 'subscriptions/listen', params, { headers: MODERN });
    log.head(h, 200, 'text/event-stream');
    log.message(h, acknowledged('l'));
    return h;
  }

  test('keeps what was asked, what was agreed to, and what it was told', () => {
    const log = new LogBuilder();
    log.message(listen(log), told('notifications/tools/list_changed', 'l'));
    const { requests, notifications: told_, subscriptions } = correlate(log);
    expect(requests).toMatchObject([{ outcome: 'pending', related: 2 }]);
    expect(told_.map(({ parent }) => parent)).toEqual([requests[0]!.key, requests[0]!.key]);
    expect(subscriptions.get(requests[0]!.key)).toEqual({
      asked: notifications,
      acknowledged: { toolsListChanged: true },
    });
  });

  test('is found on a shared channel by its id, which keeps its JSON type', () => {
    const log = new SocketLog().start();
    log.ask(1, 'subscriptions/listen', { notifications });
    log.ask('1', 'subscriptions/listen', { notifications });
    log.frame('incoming', acknowledged('1'));
    log.frame('incoming', told('notifications/tools/list_changed', 1));
    log.frame('incoming', told('notifications/tools/list_changed', 7));
    const { requests, notifications: told_, subscriptions } = correlate(log);
    expect(told_.map(({ parent }) => parent)).toEqual([
      requests[1]!.key,
      requests[0]!.key,
      undefined,
    ]);
    expect(subscriptions.get(requests[0]!.key)).not.toHaveProperty('acknowledged');
    expect(subscriptions.get(requests[1]!.key)).toHaveProperty('acknowledged');
  });

  test('ends by its result', () => {
    const log = new LogBuilder();
    const h = listen(log);
    log.message(h, result('"l"', { resultType: 'complete' }));
    log.end(h);
    expect(correlate(log).requests).toMatchObject([{ outcome: 'result' }]);
    expect(correlate(log).requests[0]).not.toHaveProperty('problem');
  });

  test('ends by a cancellation of the server, and the end of its stream changes nothing', () => {
    const log = new LogBuilder();
    const h = listen(log);
    log.message(h, told('notifications/cancelled', 'l', { requestId: 'l' }));
    const { requests, subscriptions } = correlate(log);
    expect(requests).toMatchObject([{ outcome: 'cancelled', problem: { code: 'aborted' } }]);
    expect(subscriptions.get(requests[0]!.key)).toMatchObject({ isCancelledByServer: true });
    log.end(h);
    const [after] = correlate(log).requests;
    expect(after).toMatchObject({
      outcome: 'cancelled',
      problem: { message: 'The server has cancelled the subscription.' },
    });
    expect(after!.ended).toEqual(requests[0]!.ended);
  });

  test('ends by a cancellation of the server on a socket too', () => {
    const log = new SocketLog().start();
    log.ask(1, 'subscriptions/listen', { notifications });
    log.ask(2, 'subscriptions/listen', { notifications });
    log.frame('incoming', {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 2 },
    });
    const { requests } = correlate(log);
    expect(requests).toMatchObject([{ outcome: 'pending' }, { outcome: 'cancelled' }]);
    expect(requests[1]!.ended).toBeDefined();
  });

  test.each([
    [{ outcome: 'cut', errorName: 'ECONNRESET' } as const, 'failed', /subscription was lost/],
    [{ outcome: 'complete' } as const, 'failed', /subscription was lost/],
    [{ outcome: 'aborted', cause: 'user' } as const, 'cancelled', /ends the subscription/],
    [{ outcome: 'aborted', cause: 'close' } as const, 'cancelled', /with the connection/],
  ])('whose stream ends with %j is %s', (end, outcome, message) => {
    const log = new LogBuilder();
    log.end(listen(log), end);
    const [request] = correlate(log).requests;
    expect(request).toMatchObject({
      outcome,
      problem: { message: expect.stringMatching(message) },
    });
    const advice = request!.problem!.advice ?? '';
    expect(/Nothing is replayed/.test(advice)).toBe(outcome === 'failed');
    expect(advice).not.toMatch(/resume/);
  });

  test.each([
    ['us', 1000, 'cancelled'],
    ['server', 1000, 'failed'],
    ['network', 1006, 'failed'],
  ] as const)('on a socket that %s closed with %d is %s', (by, code, outcome) => {
    const log = new SocketLog().start();
    log.ask(1, 'subscriptions/listen', { notifications }).close(by, code);
    expect(correlate(log).requests).toMatchObject([{ outcome, problem: {} }]);
  });
});

describe('an error with a status', () => {
  const modern = { headers: MODERN };

  test.each([400, 404, 422])('%d is the answer of a modern server (C184)', (status) => {
    const log = new LogBuilder();
    const h = log.call('3', 'ping', ENVELOPE, modern);
    log.answer(h, failure('3', -32601, 'Method not found'), status);
    expect(correlate(log).requests).toMatchObject([
      { outcome: 'error', problem: { code: 'rpc-error', message: 'Method not found (-32601)' } },
    ]);
  });

  test('is an answer by the envelope alone, whatever its content type', () => {
    const log = new LogBuilder();
    log.answer(log.call('3', 'ping', ENVELOPE), failure('3', -32601, 'No'), 404, 'text/plain');
    expect(correlate(log).requests).toMatchObject([
      { outcome: 'error', problem: { code: 'rpc-error' } },
    ]);
  });

  test.each([
    [401, 'http-unauthorized'],
    [403, 'http-forbidden'],
    [500, 'http-status'],
  ])('%d is first of all that status', (status, code) => {
    const log = new LogBuilder();
    const h = log.call('3', 'ping', ENVELOPE, modern);
    log.answer(h, failure('3', -32000, 'No'), status);
    expect(correlate(log).requests).toMatchObject([{ problem: { code } }]);
  });

  test('404 still means a lost session in the legacy era (C184)', () => {
    const log = new LogBuilder();
    const headers = [
      { name: 'MCP-Protocol-Version', value: '2025-11-25' },
      { name: 'Mcp-Session-Id', value: 's' },
    ];
    const h = log.call('3', 'ping', {}, { headers });
    log.answer(h, failure('3', -32601, 'Method not found'), 404);
    expect(correlate(log).requests).toMatchObject([{ problem: { code: 'http-session-ended' } }]);
  });

  test('without a message fails its request', () => {
    const log = new LogBuilder();
    log.answer(log.call('3', 'ping', ENVELOPE, modern), 'Not Found', 404, 'text/plain');
    expect(correlate(log).requests).toMatchObject([
      { outcome: 'failed', problem: { code: 'http-not-found' } },
    ]);
  });
});

describe('a modern exchange', () => {
  test('that broke may have run, and nothing resumes it (C189)', () => {
    const log = new LogBuilder();
    const h = call(log, '1');
    log.head(h, 200, 'text/event-stream');
    log.message(h, { jsonrpc: '2.0', method: 'notifications/progress', params: {} }, 'e1');
    log.end(h, { outcome: 'cut', errorName: 'ECONNRESET' });
    const { problem } = correlate(log).requests[0]!;
    expect(problem).toMatchObject({
      code: 'stream-cut',
      advice: expect.stringMatching(/may have run on the server.*nothing resumes it/),
      detail: 'ECONNRESET',
    });
  });

  test('that the user ended is cancelled on the server', () => {
    const log = new LogBuilder();
    log.end(call(log, '1'), { outcome: 'aborted', cause: 'user' });
    expect(correlate(log).requests).toMatchObject([
      {
        outcome: 'cancelled',
        problem: {
          message: 'Cancelled: closing the stream cancels the request on the server.',
        },
      },
    ]);
    const legacy = new LogBuilder();
    legacy.end(legacy.call('1'), { outcome: 'aborted', cause: 'user' });
    expect(correlate(legacy).requests[0]).not.toHaveProperty('problem');
  });

  test('that creates a task owns it; a server that gives its id twice gives it to the first call', () => {
    const log = new LogBuilder();
    const created = { resultType: 'task', taskId: 't-1', status: 'working' };
    for (const id of ['1', '2']) log.answer(call(log, id), result(id, created));
    const { requests } = correlate(log);
    expect(requests.map(({ createdTask }) => createdTask)).toEqual(['t-1', undefined]);
  });

  test('about a task names it', () => {
    const log = new LogBuilder();
    log.call('1', 'tasks/get', { taskId: 't-1' });
    expect(correlate(log).requests).toMatchObject([{ target: 't-1' }]);
  });

  test.each([
    [{ resultType: 'complete' }, undefined],
    [{}, undefined],
    [{ resultType: 7 }, undefined],
    [{ resultType: 'task' }, 'task'],
    [{ resultType: 'weird' }, 'weird'],
  ])('with the result %j is of type %s (C190)', (value, resultType) => {
    const log = new LogBuilder();
    log.answer(call(log, '1'), result('1', value));
    expect(correlate(log).requests[0]!.resultType).toBe(resultType);
  });
});
