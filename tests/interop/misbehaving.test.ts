import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RequestItem, StreamItem } from '../../lib/capture/correlate/items.ts';
import type { ErrorCode } from '../../lib/errors.ts';
import type { ConnectRequest } from '../../lib/port/contract.ts';
import { startMisbehaving, type MisbehavingServer } from '../server/misbehaving.ts';
import { IMPATIENT, liveProblem, PLAIN, startProbe } from './probe.ts';

let server: MisbehavingServer;

beforeAll(async () => {
  server = await startMisbehaving();
});

afterAll(() => server.close());

interface Refusal {
  path: string;
  code: ErrorCode;
  words: RegExp;
}

const NOT_CONNECTED: Refusal[] = [
  { path: 'web-page', code: 'body-web-page', words: /web page \(200 text\/html\).*“Sign in”/ },
  { path: 'redirect-301', code: 'http-redirect', words: /301.*redirect-301 to .*\/ok/ },
  { path: 'redirect-302', code: 'http-redirect', words: /302.*redirect-302 to .*\/ok/ },
  { path: 'redirect-303', code: 'http-redirect', words: /303.*redirect-303 to .*\/ok/ },
  { path: 'redirect-loop', code: 'http-redirect', words: /307.*one hop too many/ },
  { path: 'redirect-bad-location', code: 'http-redirect', words: /307/ },
  { path: 'redirect-no-location', code: 'http-redirect', words: /307.*does not say where/ },
  {
    path: 'redirect-cross-origin',
    code: 'http-redirect',
    words: /another origin.*nothing was sent/,
  },
  { path: 'status-400-rpc', code: 'http-status', words: /400.*App is not enabled/ },
  { path: 'status-400-text', code: 'http-status', words: /400/ },
  { path: 'status-401', code: 'http-unauthorized', words: /401.*Bearer realm="mcp"/ },
  { path: 'status-404', code: 'http-not-found', words: /no MCP endpoint at .*status-404 \(404/ },
  { path: 'status-405', code: 'http-method-not-allowed', words: /405.*Allow: GET/ },
  { path: 'status-406', code: 'http-status', words: /406.*must accept both/ },
  { path: 'status-415', code: 'http-status', words: /415/ },
  { path: 'status-429', code: 'http-status', words: /429/ },
  { path: 'status-500-html', code: 'http-status', words: /500/ },
  { path: 'status-503', code: 'http-status', words: /503/ },
  { path: 'reset?at=initialize', code: 'network-reset', words: /closed the connection without an/ },
  {
    path: 'redirect-302?at=initialize',
    code: 'http-redirect',
    words: /302.*redirect-302.* to .*\/ok/,
  },
  { path: 'no-content-type?at=initialize', code: 'body-type', words: /without a content type/ },
  { path: 'text-plain?at=initialize', code: 'body-type', words: /text\/plain; MCP needs/ },
  { path: 'octet-stream?at=initialize', code: 'body-type', words: /octet-stream/ },
  { path: 'empty-200?at=initialize', code: 'body-type', words: /without a content type/ },
  { path: 'accepted-202-request?at=initialize', code: 'accepted-request', words: /202.*response/ },
  { path: 'empty-json?at=initialize', code: 'body-empty', words: /empty body/ },
  { path: 'not-json?at=initialize', code: 'body-not-json', words: /not valid JSON, from byte 0/ },
  { path: 'not-rpc?at=initialize', code: 'body-not-rpc', words: /not a JSON-RPC response/ },
  { path: 'truncated-json?at=initialize', code: 'stream-cut', words: /broke after \d+ bytes/ },
  { path: 'sse-no-response?at=initialize', code: 'stream-no-response', words: /after 1 event/ },
  { path: 'sse-empty?at=initialize', code: 'stream-no-response', words: /after 0 events/ },
  { path: 'initialized-500', code: 'http-status', words: /notifications\/initialized.*500/ },
  { path: 'version-unknown', code: 'protocol-version', words: /"2099-01-01"/ },
  { path: 'version-number', code: 'protocol-version', words: /20251125/ },
  { path: 'version-missing', code: 'protocol-version', words: /no revision/ },
];

describe('connecting fails, and says why', () => {
  test.each(NOT_CONNECTED)('$path: $code', async ({ path, code, words }) => {
    await using probe = await startProbe();
    const { worker } = probe;
    const id = await worker.connect(server.url(path), PLAIN);
    const { problem } = await worker.state(id, 'failed', 'connected');
    expect(problem).toMatchObject({ code, message: expect.stringMatching(words) });
    expect(problem!.message).not.toMatch(/failed to fetch|fetch failed/i);
    await worker.recorder.flushed();
    expect(worker.correlation.connections.get(id)).toMatchObject({ state: 'failed' });
    expect(probe.items('lifecycle').at(-1)).toMatchObject({ level: 'error', problem });
    // The row of what failed gives the same reason as the connection.
    const failed = [...probe.items('request'), ...probe.items('notification')].findLast(
      (item) => item.problem !== undefined,
    );
    const isVersion = code === 'protocol-version';
    expect(failed?.problem?.code).toBe(isVersion ? undefined : code);
    expect(probe.items('request').every((item) => item.outcome !== 'pending')).toBe(true);
    expect(server.trap.requests).toEqual([]);
  });

  test('nothing listens', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as { port: number };
    closed.close();
    await once(closed, 'close');
    await using probe = await startProbe();
    const id = await probe.worker.connect(`http://127.0.0.1:${port}/mcp`, PLAIN);
    const { problem } = await probe.worker.state(id, 'failed');
    expect(problem).toMatchObject({
      code: 'network-refused',
      message: `Nothing accepts connections at 127.0.0.1:${port}.`,
    });
    await probe.worker.recorder.flushed();
    expect(probe.requests('initialize')).toMatchObject([{ outcome: 'failed', problem }]);
  });

  test('the name does not exist', async () => {
    await using probe = await startProbe();
    const id = await probe.worker.connect('http://no-such-host.invalid/mcp', PLAIN);
    const { problem } = await probe.worker.state(id, 'failed');
    expect(problem).toMatchObject({
      code: 'network-name-not-found',
      message: expect.stringContaining('no-such-host.invalid'),
    });
  });

  test('another kind of server listens', async () => {
    const other = createServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    await using probe = await startProbe();
    const id = await probe.worker.connect(`http://127.0.0.1:${port}/mcp`, PLAIN);
    const { problem } = await probe.worker.state(id, 'failed');
    expect(problem).toMatchObject({
      code: 'network-failed',
      message: `The request to 127.0.0.1:${port} failed.`,
    });
    other.close();
  });
});

interface Failure extends Refusal {
  outcome?: RequestItem['outcome'];
  options?: Partial<ConnectRequest>;
  /** Where the connection stands afterwards. */
  state?: 'connected' | 'lost';
}

const SMALL: Partial<ConnectRequest> = { ...PLAIN, messageLimitBytes: 1024 * 1024 };

const CALL_FAILS: Failure[] = [
  { path: 'no-content-type', code: 'body-type', words: /without a content type/ },
  { path: 'text-plain', code: 'body-type', words: /text\/plain; MCP needs/ },
  { path: 'octet-stream', code: 'body-type', words: /octet-stream/ },
  { path: 'sse-header-json-body', code: 'body-type', words: /text\/event-stream.*body is JSON/ },
  { path: 'json-header-sse-body', code: 'body-not-json', words: /application\/json.*SSE stream/ },
  { path: 'accepted-202-request', code: 'accepted-request', words: /`tools\/call` \(202\)/ },
  { path: 'empty-200', code: 'body-type', words: /without a content type/ },
  { path: 'empty-json', code: 'body-empty', words: /empty body/ },
  { path: 'not-json', code: 'body-not-json', words: /not valid JSON, from byte 0/ },
  { path: 'not-rpc', code: 'body-not-rpc', words: /not a JSON-RPC response/ },
  { path: 'truncated-json', code: 'stream-cut', words: /broke after \d+ bytes/ },
  { path: 'two-json', code: 'body-not-json', words: /not valid JSON, from byte \d\d+/ },
  {
    path: 'json-huge?mb=2',
    code: 'body-limit',
    words: /larger than the size limit/,
    options: SMALL,
  },
  { path: 'sse-huge-event?mb=2', code: 'body-limit', words: /size limit/, options: SMALL },
  { path: 'sse-no-response', code: 'stream-no-response', words: /ended after 1 event/ },
  { path: 'sse-empty', code: 'stream-no-response', words: /ended after 0 events/ },
  { path: 'sse-reset', code: 'stream-cut', words: /broke off after 1 event.*cut off inside an/ },
  { path: 'sse-cut-tail', code: 'stream-no-response', words: /cut off inside an event: \d+ bytes/ },
  {
    path: 'sse-unterminated',
    code: 'deadline',
    words: /sent \d+ bytes, but no/,
    options: IMPATIENT,
  },
  { path: 'sse-silent', code: 'deadline', words: /headers \(200\) and then/, options: IMPATIENT },
  {
    path: 'sse-comments-only?ms=20',
    code: 'deadline',
    words: /sent \d+ bytes, but no response.*within 0.4 s/,
    options: IMPATIENT,
  },
  { path: 'silent', code: 'deadline', words: /sent nothing.*within 0.4 s/, options: IMPATIENT },
  { path: 'reset', code: 'network-reset', words: /closed the connection/, state: 'lost' },
  { path: 'web-page?at=tools/call', code: 'body-web-page', words: /web page/ },
  { path: 'redirect-302?at=tools/call', code: 'http-redirect', words: /302/ },
  { path: 'redirect-cross-origin?at=tools/call', code: 'http-redirect', words: /another origin/ },
  { path: 'status-401?at=tools/call', code: 'http-unauthorized', words: /authorization/ },
  {
    path: 'status-404?at=tools/call',
    code: 'http-session-ended',
    words: /no longer knows this session \(404/,
    state: 'lost',
  },
  { path: 'status-500-html?at=tools/call', code: 'http-status', words: /500/ },
  {
    path: 'status-400-rpc?at=tools/call',
    code: 'http-status',
    words: /400.*App is not enabled/,
    outcome: 'error',
  },
  { path: 'session-400', code: 'http-status', words: /400.*No valid session/, outcome: 'error' },
];

describe('a call fails, and says why', () => {
  test.each(CALL_FAILS)('$path: $code', async ({ path, code, words, ...expected }) => {
    const { outcome = 'failed', options = PLAIN, state = 'connected' } = expected;
    await using probe = await startProbe();
    const { worker } = probe;
    const id = await worker.connect(server.url(path), options);
    await worker.state(id, 'connected');
    const item = await probe.call(id);
    await worker.until(() => worker.correlation.https.get(item.httpId!)?.end !== undefined);
    expect(item).toMatchObject({
      outcome,
      problem: { code, message: expect.stringMatching(words) },
    });
    expect(item.problem!.message).not.toMatch(/failed to fetch|fetch failed/i);
    await worker.state(id, state);
    await probe.expectAllBytes();
    expect(server.trap.requests).toEqual([]);
    // A failure is one row: what could not be read is not shown a second time.
    const strays = probe.items('stray');
    expect(strays).toEqual([]);
  });

  test.each(CALL_FAILS)(
    '$path: live as in the log',
    async ({ path, code, words, options = PLAIN }) => {
      await using probe = await startProbe();
      const { live, derived } = await liveProblem(probe, server.url(path), options);
      expect(live).toMatchObject({ code, message: expect.stringMatching(words) });
      expect(derived).toMatchObject({ code, message: live!.message });
      expect(derived!.advice).toBe(live!.advice);
    },
  );
});

interface Success {
  path: string;
  outcome?: RequestItem['outcome'];
  options?: Partial<ConnectRequest>;
  notifications?: number;
  strays?: string[];
  text?: string;
}

const CALL_SUCCEEDS: Success[] = [
  { path: 'ok' },
  { path: 'redirect-307' },
  { path: 'redirect-308' },
  { path: 'json-with-bom' },
  { path: 'json-batch', notifications: 1 },
  { path: 'wrong-id' },
  { path: 'other-id' },
  { path: 'id-null-error', outcome: 'error' },
  { path: 'rpc-error', outcome: 'error' },
  { path: 'late-answer?ms=50' },
  { path: 'big-integers', text: '"id": 1915883588174806058 ,  "ratio": 1.0' },
  { path: 'json-huge?mb=2' },
  { path: 'sse-huge-event?mb=2' },
  { path: 'sse-not-json-event', notifications: 1, strays: ['not-json'] },
  { path: 'sse-heartbeat', strays: ['not-rpc', 'not-rpc', 'not-rpc', 'not-rpc', 'not-rpc'] },
  { path: 'sse-drip', notifications: 1 },
  { path: 'sse-burst?n=500', notifications: 500 },
  { path: 'sse-cr', notifications: 1 },
  { path: 'sse-bom' },
  { path: 'sse-odd-fields' },
  { path: 'sse-separators', text: 'a\u2028b\u2029c\u0085d' },
  { path: 'sse-invalid-utf8', text: 'a\ufffdb' },
  { path: 'sse-batch', notifications: 1 },
  { path: 'progress-after-result', notifications: 1 },
  { path: 'result-twice', strays: ['response'] },
  { path: 'no-session' },
  { path: 'version-2025-03-26' },
  { path: 'version-2025-06-18' },
  { path: 'initialized-200' },
  { path: 'initialized-204' },
  { path: 'initialized-202-text' },
];

describe('a call succeeds all the same', () => {
  test.each(CALL_SUCCEEDS)('$path', async (expected) => {
    const { path, outcome = 'result', notifications = 0, strays = [] } = expected;
    await using probe = await startProbe();
    const { worker } = probe;
    const id = await worker.connect(server.url(path), PLAIN);
    await worker.state(id, 'connected');
    const item = await probe.call(id);
    const isOpen = path === 'sse-cr';
    await worker.until(
      () => isOpen || worker.correlation.https.get(item.httpId!)?.end !== undefined,
      'the exchange is over',
    );
    // A hop of a redirect ends before the next one begins.
    await worker.until(() => item.outcome === outcome);
    expect(item.problem?.code).toBe(outcome === 'error' ? 'rpc-error' : undefined);
    expect(worker.summary(id).state).toBe('connected');
    await probe.expectAllBytes();
    const heard = probe.items('notification').filter((note) => note.direction === 'incoming');
    expect(heard).toHaveLength(notifications);
    expect(heard.every((note) => note.parent === item.key)).toBe(true);
    expect(probe.items('stray').map((stray) => stray.what)).toEqual(strays);
    expect(responseText(probe, item)).toContain(expected.text ?? '');
    expect(server.trap.requests).toEqual([]);
  });
});

describe('the GET stream does not matter', () => {
  test.each<[string, StreamItem['outcome'], ErrorCode | undefined]>([
    ['get-200-html', 'not-offered', 'body-web-page'],
    ['get-200-json', 'not-offered', 'body-type'],
    ['get-204', 'not-offered', 'body-empty'],
    ['get-400', 'not-offered', 'http-status'],
    ['get-405', 'not-offered', 'http-method-not-allowed'],
    ['get-406', 'not-offered', 'http-status'],
    ['get-409', 'not-offered', 'http-status'],
    ['get-501', 'not-offered', 'http-status'],
    ['get-404', 'not-offered', 'http-not-found'],
    ['get-ends', 'closed', undefined],
    ['reset?at=GET', 'failed', 'network-reset'],
  ])('%s: %s', async (path, outcome, code) => {
    await using probe = await startProbe();
    const { worker } = probe;
    const id = await worker.connect(server.url(path), { ...PLAIN, openStream: true });
    await worker.state(id, 'connected');
    const stream = await worker.until(
      () => probe.items('stream').find((item) => item.ended !== undefined),
      'the stream has ended',
    );
    expect(stream.outcome).toBe(outcome);
    expect(stream.problem?.code).toBe(code);
    expect((await probe.call(id, 'tools/list', {})).outcome).toBe('result');
    expect(worker.summary(id).state).toBe('connected');
    await probe.expectAllBytes();
  });

  test('get-silent: a stream that is never answered holds nothing up, and is closed with the rest', async () => {
    await using probe = await startProbe();
    const { worker } = probe;
    const id = await worker.connect(server.url('get-silent'), { ...PLAIN, openStream: true });
    await worker.state(id, 'connected');
    expect((await probe.call(id, 'tools/list', {})).outcome).toBe('result');
    expect(probe.items('stream')).toMatchObject([{ outcome: 'pending' }]);
    await worker.manager.functions.disconnect(id, true);
    await worker.until(() => probe.items('stream')[0]?.ended !== undefined);
    expect(probe.items('stream')).toMatchObject([{ outcome: 'closed' }]);
  });

  test('a response on it settles the call, or is the second one', async () => {
    await using probe = await startProbe();
    const { worker } = probe;
    const options = { ...PLAIN, openStream: true };
    const id = await worker.connect(server.url('accepted-202-on-get?twice'), options);
    await worker.until(() => probe.items('stream')[0]?.outcome === 'open');
    expect((await probe.call(id)).outcome).toBe('result');
    await worker.until(() => probe.items('stray').length === 1, 'the second response');
    expect(probe.items('stray')[0]!.what).toMatch(/response|duplicate/);
  });
});

describe('the end of a session', () => {
  test.each([
    ['ok', 'done'],
    ['delete-204', 'done'],
    ['delete-404', 'done'],
    ['delete-405', 'done'],
    ['delete-500', 'failed'],
    ['delete-hang', 'failed'],
  ] as const)('%s: %s, and the connection is closed', async (path, outcome) => {
    await using probe = await startProbe();
    const { worker } = probe;
    const id = await worker.connect(server.url(path), PLAIN);
    await worker.state(id, 'connected');
    const started = Date.now();
    await worker.manager.functions.disconnect(id, true);
    expect(Date.now() - started).toBeLessThan(3500);
    expect(worker.summary(id).state).toBe('closed');
    // The body of the answer holds nothing up, so its end may come later.
    await worker.until(() => probe.items('http')[0]?.ended !== undefined, 'the DELETE is over');
    expect(probe.items('http')).toMatchObject([{ outcome }]);
    await worker.until(() => worker.correlation.connections.get(id)!.state === 'closed');
    const last = server.requests.findLast((request) => request.url.startsWith(`/${path}`))!;
    expect(last.method).toBe('DELETE');
    const header = (name: string) =>
      last.headers.find(([given]) => given.toLowerCase() === name)?.[1];
    expect(header('mcp-session-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(header('mcp-protocol-version')).toBe('2025-11-25');
  });

  test('no-session: there is nothing to end', async () => {
    await using probe = await startProbe();
    const { worker } = probe;
    const id = await worker.connect(server.url('no-session'), PLAIN);
    await worker.state(id, 'connected');
    expect(worker.summary(id).session).toBeUndefined();
    await worker.manager.functions.disconnect(id, true);
    const own = server.requests.filter((request) => request.url === '/no-session');
    expect(own.map((request) => request.method)).not.toContain('DELETE');
  });
});

test('requests of the server are answered on both kinds of stream', async () => {
  await using probe = await startProbe();
  const { worker } = probe;
  const id = await worker.connect(server.url('server-requests'), {
    ...PLAIN,
    openStream: true,
    answers: { elicitation: 'undeclared', sampling: 'undeclared', roots: 'undeclared' },
  });
  await worker.state(id, 'connected');
  const item = await probe.call(id, 'tools/call', { name: 'echo', arguments: {} });
  expect(item.outcome).toBe('result');
  const asked = () => probe.items('request').filter((request) => request.direction === 'incoming');
  await worker.until(() => asked().length === 6 && asked().every((request) => request.response));
  expect(
    asked()
      .map((request) => [request.method, request.outcome])
      .toSorted((a, b) => a.join().localeCompare(b.join())),
  ).toEqual([
    ['ping', 'result'],
    ['ping', 'result'],
    ['roots/list', 'error'],
    ['roots/list', 'error'],
    ['sampling/createMessage', 'error'],
    ['sampling/createMessage', 'error'],
  ]);
  const told = responseText(probe, item);
  expect(told).toContain('-32601');
  await probe.expectAllBytes();
});

test('secrets that the server echoes are in no block', async () => {
  await using probe = await startProbe();
  const { worker } = probe;
  const id = await worker.connect(server.url('echo-headers?api_key=q7w8'), {
    ...PLAIN,
    headers: [
      { name: 'Authorization', value: 'Bearer t0k/en+0123456789==', secret: true },
      { name: 'X-Api-Key', value: 'k3y-9876543210', secret: true },
      { name: 'X-Plain', value: 'visible', secret: false },
    ],
  });
  await worker.state(id, 'connected');
  expect((await probe.call(id)).outcome).toBe('result');
  const [, request] = server.requests.filter((each) => each.url.startsWith('/echo-headers'));
  const session = request!.headers.find(([name]) => name.toLowerCase() === 'mcp-session-id')![1];
  await worker.recorder.flushed();
  const disk = JSON.stringify(worker.blocks, (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );
  for (const secret of ['t0k/en+0123456789==', 'k3y-9876543210', 'q7w8', session]) {
    expect(disk).not.toContain(secret);
    expect(disk).not.toContain(secret.slice(-6));
  }
  expect(disk).toContain('visible');
});

function responseText(probe: Awaited<ReturnType<typeof startProbe>>, item: RequestItem): string {
  const { response } = item;
  const httpId = response !== undefined && 'httpId' in response ? response.httpId : '';
  const record = probe.worker.correlation.https.get(httpId);
  return record === undefined
    ? ''
    : new TextDecoder().decode(Buffer.concat(record.chunks.map((chunk) => chunk.data.bytes)));
}
