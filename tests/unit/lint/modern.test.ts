import { expect, test } from 'vitest';
import { issuesIn, LintLog, notification, result } from './lint-log.ts';
import {
  ask,
  asked,
  cacheable,
  complete,
  ended,
  frame,
  interim,
  modern,
  modernSocket,
  onSubscription,
  ACKNOWLEDGED,
  streamed,
  subscription,
} from './modern-log.ts';

const MIRRORS = [
  { name: 'Region', path: ['region'] },
  { name: 'Count', path: ['count'] },
];
const TOOL = {
  name: 'mirror',
  inputSchema: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      count: { type: 'integer', 'x-mcp-header': 'Count' },
    },
  },
};

/** Lists, calls, rounds, logs and progress, a subscription, and refusals in due form. */
function writeGoodTraffic(log: LintLog): void {
  modern(log);
  asked(log, 'tools/list', {}, cacheable({ tools: [TOOL], nextCursor: 'more' }));
  asked(log, 'tools/list', { cursor: 'more' }, cacheable({ tools: [], ttlMs: 5 }));
  const given = { region: ' é ', count: 3 };
  const change = { mirrors: MIRRORS };
  asked(log, 'tools/call', { name: 'mirror', arguments: given }, complete(), change);
  const numeric = { ...change, headers: { 'Mcp-Param-Count': '3.0' } };
  asked(log, 'tools/call', { name: 'mirror', arguments: given }, complete(), numeric);

  const params = { name: 'progress', _meta: { progressToken: 't' } };
  const call = streamed(log, 'tools/call', params, { envelope: { logLevel: 'info' } });
  const progress = { progressToken: 't', progress: 1 };
  log.message(call.httpId, notification('notifications/progress', progress));
  log.message(call.httpId, notification('notifications/message', { level: 'error', data: 'x' }));
  log.message(call.httpId, result(call.id, complete()));
  log.end(call.httpId);

  const listen = subscription(log, { toolsListChanged: true, resourceSubscriptions: ['a:b'] });
  log.message(listen.httpId, onSubscription(listen.id, 'notifications/tools/list_changed'));
  const updated = onSubscription(listen.id, 'notifications/resources/updated', { uri: 'a:b/c' });
  log.message(listen.httpId, updated);
  log.message(listen.httpId, ended(listen.id));
  log.end(listen.httpId);

  asked(log, 'resources/read', { uri: 'a:b' }, cacheable({ contents: [{ uri: 'a:b', text: '' }] }));
  asked(log, 'no/such', {}, { code: -32601 }, { status: 404 });
  asked(log, 'resources/read', { uri: 'a:x' }, { code: -32602 });
  const requiredCapabilities = { sampling: {} };
  const refused = { code: -32021, data: { requiredCapabilities } };
  asked(log, 'tools/call', { name: 'x' }, refused, { status: 400 });
}

test('modern traffic that is right raises nothing', () => {
  const log = new LintLog();
  writeGoodTraffic(log);
  log.closed();
  // Log messages are among it.
  expect(issuesIn(log).filter(({ ruleId }) => ruleId !== 'SEC-03')).toEqual([]);
});

test('rounds of two interleaved calls that are right raise nothing', () => {
  const log = modern(new LintLog());
  const rounds = ['one', 'two'].map((requestState) => ({
    requestState,
    httpId: asked(log, 'tools/call', { name: 'ask' }, interim({ requestState })),
  }));
  for (const { requestState, httpId } of rounds) {
    const links = { retryOf: httpId, attempt: 2, reason: 'input-required' };
    const inputResponses = { name: { action: 'decline' } };
    const params = { name: 'ask', requestState, inputResponses };
    asked(log, 'tools/call', params, complete(), { links });
  }
  // A round that asks for nothing, and whoever does not tell which request a round belongs to.
  asked(
    log,
    'prompts/get',
    { name: 'p' },
    complete({ resultType: 'input_required', requestState: 's' }),
  );
  asked(log, 'prompts/get', { name: 'p', requestState: 's' }, complete());
  log.closed();
  expect(issuesIn(log)).toEqual([]);
});

test('a modern WebSocket on which all is right raises nothing', () => {
  const log = new LintLog();
  const send = modernSocket(log);
  const notifications = { toolsListChanged: true };
  send('outgoing', frame(1, 'subscriptions/listen', { notifications }));
  send('outgoing', frame('1', 'subscriptions/listen', { notifications }));
  send('incoming', onSubscription(1, ACKNOWLEDGED, { notifications }));
  send('outgoing', frame(2, 'tools/call', { name: 'x', _meta: { progressToken: 9 } }));
  send('incoming', onSubscription('1', ACKNOWLEDGED, { notifications }));
  send('incoming', notification('notifications/progress', { progressToken: 9, progress: 1 }));
  send('incoming', onSubscription(1, 'notifications/tools/list_changed'));
  send('incoming', result(2, complete()));
  send('incoming', ended(1));
  send('outgoing', notification('notifications/cancelled', { requestId: '1' }));
  // An id may be used again once it is answered.
  send('outgoing', frame(2, 'tools/call', { name: 'x' }));
  send('incoming', result(2, complete()));
  log.closed();
  expect(issuesIn(log)).toEqual([]);
});

/** What servers of the legacy era make of a probe. */
const LEGACY_ANSWERS: [name: string, answer: (log: LintLog, httpId: string) => void][] = [
  ['404 with text', (log, httpId) => log.answer(httpId, 'Invalid session ID', 404, 'text/plain')],
  [
    'an error about the session',
    (log, httpId) =>
      log.answer(httpId, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'no' } }, 400),
  ],
  [
    'an unknown method',
    (log, httpId) =>
      log.answer(httpId, { jsonrpc: '2.0', id: 'probe', error: { code: -32601, message: 'no' } }),
  ],
  ['200 with text', (log, httpId) => log.answer(httpId, 'ok', 200, 'text/plain')],
  ['200 and nothing', (log, httpId) => log.answer(httpId, '', 200, null)],
  ['202', (log, httpId) => log.answer(httpId, '', 202, null)],
  ['a result of nothing', (log, httpId) => log.answer(httpId, result('probe'))],
  [
    'a result that lists legacy versions only',
    (log, httpId) => log.answer(httpId, result('probe', { supportedVersions: ['2025-11-25'] })),
  ],
  [
    'a stream with a session id that ends empty',
    (log, httpId) => {
      log.respond(httpId, 200, { 'content-type': 'text/event-stream', 'mcp-session-id': 'x' });
      log.end(httpId);
    },
  ],
];

test.each(LEGACY_ANSWERS)(
  'a probe that a legacy server answers by %s raises nothing',
  (_, answer) => {
    const log = new LintLog();
    log.opened();
    log.add({ kind: 'rung-started', rung: 'modern' });
    const { httpId } = ask(log, 'server/discover', {}, { id: 'probe' });
    answer(log, httpId);
    log.add({
      kind: 'rung-judged',
      rung: 'modern',
      verdict: 'not-this',
      reason: '',
      evidence: [httpId],
    });
    log.add({ kind: 'rung-started', rung: 'streamable-http' });
    log.handshake();
    log.add({
      kind: 'connection-chosen',
      transport: 'streamable-http',
      era: 'legacy',
      revision: '2025-11-25',
      evidence: [],
    });
    log.asked((id) => result(id, { tools: [] }));
    log.terminate();
    log.closed();
    expect(issuesIn(log)).toEqual([]);
  },
);

test('the probe of a legacy client is no first message of it: a missing initialize is still found', () => {
  const log = new LintLog();
  log.opened();
  const { httpId } = ask(log, 'server/discover', {}, { id: 'probe' });
  log.answer(httpId, 'no', 404, 'text/plain');
  log.call('1', 'tools/list');
  expect(issuesIn(log)).toMatchObject([{ ruleId: 'LIF-01', severity: 'error' }]);
});

test('a legacy connection and a modern message on it are each judged by their own revision', () => {
  const log = new LintLog().connect();
  asked(log, 'server/discover', {}, cacheable({ supportedVersions: ['2026-07-28', '2025-11-25'] }));
  log.asked((id) => result(id, { tools: [] }));
  expect(issuesIn(log)).toMatchObject([
    { ruleId: 'MOD-05', clause: { revision: '2026-07-28', page: 'server/discover' } },
  ]);
});

test('what is wrong in every era is said about a server that answers the probe, and nothing else', () => {
  const log = new LintLog();
  log.opened();
  const { httpId } = ask(log, 'server/discover', {}, { id: 'probe' });
  log.answer(httpId, 'no JSON');
  log.add({ kind: 'connection-failed', problem: { code: 'body-not-json', message: '' } });
  expect(issuesIn(log)).toMatchObject([{ ruleId: 'RPC-01' }]);
});

test('the rung that only tries HTTP+SSE blames no server for being another one', () => {
  const log = new LintLog();
  log.transport = 'auto';
  log.opened();
  log.add({ kind: 'rung-started', rung: 'http-sse' });
  log.end(log.stream());
  expect(issuesIn(log)).toEqual([]);
});

test('a result of the legacy era is one issue, not one for each thing that it lacks', () => {
  const log = modern(new LintLog());
  for (const method of ['tools/list', 'resources/list']) asked(log, method, {}, {});
  asked(log, 'tools/call', { name: 'x' }, { content: [] });
  const issues = issuesIn(log);
  expect(issues).toMatchObject([{ ruleId: 'MOD-03', count: 3 }]);
});

test('faults that a transport report sends on purpose are no issues of the client, but their answers count', () => {
  const log = new LintLog();
  log.report = { reportId: 'r', candidate: 'modern' };
  modern(log);
  const headers = { 'Mcp-Method': 'ping' };
  asked(log, 'server/discover', {}, cacheable({ supportedVersions: [], capabilities: {} }), {
    headers,
  });
  expect(issuesIn(log).map(({ ruleId, side }) => `${ruleId} ${side}`)).toEqual([
    'MOD-05 server',
    'HDR-09 server',
  ]);
});

test('a header whose value is secret is not judged', () => {
  const log = modern(new LintLog());
  asked(log, 'tools/list', {}, cacheable({ tools: [TOOL] }));
  const params = { name: 'mirror', arguments: { region: 'x' } };
  asked(log, 'tools/call', params, complete(), { mirrors: MIRRORS });
  const [request] = log.events.filter(({ kind }) => kind === 'http-request').slice(-1);
  if (request?.kind !== 'http-request') throw new Error('There is no request.');
  const header = request.headers.find(({ name }) => name === 'Mcp-Param-Region');
  if (header === undefined) throw new Error('There is no header.');
  Object.assign(header, { value: '*', cuts: [{ offset: 0, length: 1, secret: 'abcd', from: 0 }] });
  expect(issuesIn(log)).toEqual([]);
});
