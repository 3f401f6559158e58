import { expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { Item } from '../../../../lib/capture/correlate/items.ts';
import type { TypeChip } from '../../../../lib/state/filter/filter-types.ts';
import { createTrafficView } from '../../../../lib/state/view/traffic-view.ts';
import { LogBuilder } from '../../../support/builders.ts';

/** What stands under what, one line a row: two spaces for each step of depth. */
function outline(log: LogBuilder, batchSize = Infinity, types: TypeChip[] = []): string[] {
  const correlation = createCorrelation();
  const view = createTrafficView(correlation, {
    now: () => 0,
    hasIssue: () => false,
    loadLanguage: () => Promise.reject(new Error('not needed')),
  });
  view.filter.types.value = new Set(types);
  for (let from = 0; from < log.events.length; from += batchSize) {
    view.refresh(correlation.apply(log.events.slice(from, from + batchSize)));
  }
  return Array.from({ length: view.count.value }, (_, index) => {
    const item = view.itemAt(index);
    return `${'  '.repeat(view.depthAt(index))}${item === undefined ? '' : nameOf(item)}`;
  });
}

function nameOf(item: Item): string {
  if (item.kind === 'request') return `${item.method} ${item.rpcId}`;
  if (item.kind === 'notification') return `${item.method} ${item.summary ?? ''}`.trim();
  return item.kind === 'lifecycle' ? item.title : `${item.kind} ${item.httpId ?? ''}`;
}

function progress(log: LogBuilder, httpId: string, progressToken: number, done: number): void {
  const params = { progressToken, progress: done };
  log.message(httpId, { jsonrpc: '2.0', method: 'notifications/progress', params });
}

function callWithToken(log: LogBuilder, id: number, links = {}): string {
  return log.call(`${id}`, 'tools/call', { name: 't', _meta: { progressToken: id } }, { links });
}

test('progress of interleaved calls stands under its own call', () => {
  const log = new LogBuilder();
  const [one, two] = [callWithToken(log, 1), callWithToken(log, 2)];
  log.head(one, 200, 'text/event-stream');
  log.head(two, 200, 'text/event-stream');
  progress(log, one, 1, 10);
  progress(log, two, 2, 20);
  progress(log, one, 1, 11);
  progress(log, two, 2, 21);
  const expected = [
    'tools/call 1',
    '  notifications/progress 10',
    '  notifications/progress 11',
    'tools/call 2',
    '  notifications/progress 20',
    '  notifications/progress 21',
  ];
  expect(outline(log)).toEqual(expected);
  expect(outline(log, 1)).toEqual(expected);
});

test('progress on the GET stream goes to its call by the token', () => {
  const log = new LogBuilder();
  const stream = log.stream();
  callWithToken(log, 1);
  progress(log, stream, 1, 5);
  expect(outline(log)).toEqual(['stream c1-h1', 'tools/call 1', '  notifications/progress 5']);
});

test('repeats of a request stand side by side under the first, each with what came of it', () => {
  const log = new LogBuilder();
  const first = callWithToken(log, 1);
  log.answer(first, 'no', 401, 'text/plain');
  const other = log.call('9', 'ping');
  const metadata = log.request(undefined, {
    purpose: 'discovery',
    method: 'GET',
    links: { causedBy: first },
  });
  log.answer(metadata, {});
  const second = callWithToken(log, 1, { retryOf: first, attempt: 2, reason: 'auth' });
  log.answer(second, 'no', 403, 'text/plain');
  const third = callWithToken(log, 1, { retryOf: second, attempt: 3, reason: 'scope' });
  log.head(third, 200, 'text/event-stream');
  progress(log, third, 1, 1);
  log.answer(other, { jsonrpc: '2.0', id: 9, result: {} });
  expect(outline(log)).toEqual([
    'tools/call 1',
    `  http ${metadata}`,
    '  tools/call 1',
    '  tools/call 1',
    '    notifications/progress 1',
    'ping 9',
  ]);
});

test('rounds of a call stand under the first one', () => {
  const log = new LogBuilder();
  const first = log.call('1', 'tools/call', { name: 't' });
  log.answer(first, {
    jsonrpc: '2.0',
    id: 1,
    result: { resultType: 'input_required', inputRequests: { a: {} }, requestState: 's' },
  });
  log.call('2', 'ping');
  log.call(
    '3',
    'tools/call',
    { name: 't', inputResponses: { a: {} }, requestState: 's' },
    { links: { retryOf: first, attempt: 2, reason: 'input-required' } },
  );
  expect(outline(log)).toEqual(['tools/call 1', '  tools/call 3', 'ping 2']);
});

test('a stream that goes on with an answer stands under the call, and so does what it brings', () => {
  const log = new LogBuilder();
  const call = callWithToken(log, 1);
  log.head(call, 200, 'text/event-stream');
  log.sse(call, 'id: 1\ndata:\n\n');
  log.end(call, { outcome: 'cut', errorName: 'TypeError' });
  log.call('2', 'ping');
  const resumed = log.request(undefined, {
    purpose: 'stream',
    method: 'GET',
    links: { causedBy: call, reason: 'resume', attempt: 1, lastEventId: '1' },
  });
  log.head(resumed, 200, 'text/event-stream');
  progress(log, resumed, 1, 3);
  log.message(resumed, { jsonrpc: '2.0', id: 's1', method: 'roots/list' });
  expect(outline(log)).toEqual([
    'tools/call 1',
    `  stream ${resumed}`,
    '  notifications/progress 3',
    '  roots/list "s1"',
    'ping 2',
  ]);
});

test('a standalone stream that is resumed belongs to the one before; one that is opened anew does not', () => {
  const log = new LogBuilder();
  const opened = log.stream();
  log.end(opened);
  const again = (causedBy: string, reason: string) => {
    const links = { causedBy, reason, attempt: 1 };
    const httpId = log.request(undefined, { purpose: 'stream', method: 'GET', links });
    log.head(httpId, 200, 'text/event-stream');
    return httpId;
  };
  const resumed = again(opened, 'resume');
  const resumedAgain = again(resumed, 'resume');
  const reopened = again(resumedAgain, 'reopen');
  // What a row says of the course of things stays where it happened.
  log.end(resumedAgain);
  expect(outline(log)).toEqual([
    `stream ${opened}`,
    `  stream ${resumed}`,
    `  stream ${resumedAgain}`,
    'GET stream closed',
    `stream ${reopened}`,
    'GET stream closed',
  ]);
});

test('a request of the server stands under the call on whose stream it came', () => {
  const log = new LogBuilder();
  const call = log.call('1', 'tools/call', { name: 't' });
  log.head(call, 200, 'text/event-stream');
  const stream = log.stream();
  log.message(call, { jsonrpc: '2.0', id: 's1', method: 'elicitation/create' });
  log.message(stream, { jsonrpc: '2.0', id: 's2', method: 'roots/list' });
  expect(outline(log)).toEqual([
    'tools/call 1',
    '  elicitation/create "s1"',
    `stream ${stream}`,
    'roots/list "s2"',
  ]);
});

const CREATED = {
  'of 2025-11-25': { task: { taskId: 'a', status: 'working' } },
  'of the extension': { resultType: 'task', taskId: 'a', status: 'working' },
};

for (const [version, result] of Object.entries(CREATED)) {
  test(`what is about a task ${version} stands under the call that created it`, () => {
    const log = new LogBuilder();
    const stream = log.stream();
    const call = log.call('1', 'tools/call', { name: 't', task: {} });
    const early = { jsonrpc: '2.0', method: 'notifications/tasks/status', params: { taskId: 'a' } };
    log.message(stream, early);
    log.message(stream, { ...early, params: { taskId: 'b' } });
    log.answer(call, { jsonrpc: '2.0', id: 1, result });
    log.call('2', 'ping');
    const poll = log.call('3', 'tasks/get', { taskId: 'a' });
    log.answer(poll, { jsonrpc: '2.0', id: 3, result: { taskId: 'a', status: 'working' } });
    const related = { 'io.modelcontextprotocol/related-task': { taskId: 'a' } };
    log.message(stream, {
      jsonrpc: '2.0',
      id: 's1',
      method: 'elicitation/create',
      params: { _meta: related },
    });
    const expected = [
      `stream ${stream}`,
      'tools/call 1',
      '  notifications/tasks/status',
      '  tasks/get 3',
      '  elicitation/create "s1"',
      'notifications/tasks/status',
      'ping 2',
    ];
    expect(outline(log)).toEqual(expected);
    expect(outline(log, 1)).toEqual(expected);
  });
}

test('tasks of different connections are different tasks', () => {
  const log = new LogBuilder();
  const call = log.call('1', 'tools/call', { name: 't' });
  log.answer(call, { jsonrpc: '2.0', id: 1, result: CREATED['of 2025-11-25'] });
  log.connectionId = 'c2';
  log.call('2', 'tasks/get', { taskId: 'a' });
  expect(outline(log)).toEqual(['tools/call 1', 'tasks/get 2']);
});

test('an authorization stands under the request whose answer began it', () => {
  const log = new LogBuilder();
  const chained = (purpose: 'discovery' | 'token', authStep: number) => {
    const links = { authChain: 'k1', authStep };
    log.answer(log.request(undefined, { purpose, method: 'GET', links }), {});
  };
  const first = log.call('1', 'tools/call', { name: 't' });
  const other = log.call('2', 'ping');
  log.answer(first, '', 401, null);
  // The chain may be under way before it is said who waits for it.
  log.add({
    kind: 'auth-started',
    chain: 'k1',
    reason: 'authorization',
    url: { text: 'https://a.example/mcp' },
  });
  chained('discovery', 1);
  log.add({ kind: 'auth-challenged', httpId: first, chain: 'k1', reason: 'authorization' });
  log.answer(other, '', 401, null);
  log.add({ kind: 'auth-challenged', httpId: other, chain: 'k1', reason: 'authorization' });
  log.add({ kind: 'auth-consent', chain: 'k1', step: 2, state: 'opened' });
  log.call('3', 'ping');
  chained('token', 3);
  for (const [httpId, id, method] of [
    [first, '1', 'tools/call'],
    [other, '2', 'ping'],
  ] as const) {
    log.add({ kind: 'auth-resolved', httpId, chain: 'k1', outcome: 'repeat' });
    const again = { retryOf: httpId, attempt: 2, reason: 'authorization', authChain: 'k1' };
    log.answer(log.call(id, method, undefined, { links: again }), {
      jsonrpc: '2.0',
      id: Number(id),
      result: {},
    });
  }
  const lines = (outlined: string[]) =>
    outlined.map((line) => line.replace(/(?<=http) c1-h\d+/, ''));
  const expected = ['tools/call 1', '  auth ', 'ping 2', 'ping 3'];
  expect(lines(outline(log))).toEqual(expected);
  expect(lines(outline(log, 1))).toEqual(expected);
  const steps = ['    http', '    Consent asked', '    http'];
  expect(lines(outline(log, 1, ['auth', 'requests']))).toEqual(expected.toSpliced(2, 0, ...steps));
});

test('a repeat of a request that was redirected stands under it', () => {
  const log = new LogBuilder();
  const first = log.call('1', 'ping');
  log.add({
    kind: 'http-redirect',
    httpId: first,
    status: 308,
    location: '/other',
    target: 'http://127.0.0.1:3001/other',
  });
  const hop = log.call('1', 'ping', undefined, { links: { causedBy: first, reason: 'redirect' } });
  log.answer(hop, 'no', 401, 'text/plain');
  log.call('1', 'ping', undefined, { links: { retryOf: hop, attempt: 2, reason: 'auth' } });
  const expected = ['ping 1', '  ping 1'];
  expect(outline(log).filter((line) => line.includes('ping'))).toEqual(expected);
  expect(outline(log, 1).filter((line) => line.includes('ping'))).toEqual(expected);
});
