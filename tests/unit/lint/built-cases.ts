import { notification, result } from './lint-log.ts';
import type { LintLog } from './lint-log.ts';

/** A broken peer by name, what must be found, and the log that it leaves. */
export type BuiltCase = [
  name: string,
  found: string[],
  says: RegExp,
  write: (log: LintLog) => void,
];

export const FORM = { message: 'Name?', requestedSchema: { type: 'object', properties: {} } };
export const SAMPLING = { messages: [], maxTokens: 9 };

/** A result of a tool. */
const CALLED = { content: [] };

function onStream(log: LintLog, ...messages: unknown[]): void {
  const { httpId, id } = log.streamed();
  for (const message of messages) log.message(httpId, message);
  log.message(httpId, result(id, CALLED));
  log.end(httpId);
}

function serverRequest(method: string, id: unknown = 'a', params: unknown = {}): unknown {
  return { jsonrpc: '2.0', id, method, params };
}

const ENDPOINT = 'event: endpoint\ndata: /messages?sessionId=1\n\n';
const INITIALIZED = {
  protocolVersion: '2024-11-05',
  capabilities: { tools: {}, logging: {} },
  serverInfo: { name: 'test', version: '1' },
};

/** Opens an HTTP+SSE connection with its stream; no handshake yet. */
function sse(log: LintLog, ...blocks: string[]): string {
  log.transport = 'http-sse';
  log.opened();
  const stream = log.stream();
  for (const block of blocks) log.sse(stream, block);
  return stream;
}

/** An HTTP+SSE connection with its handshake; returns the stream. */
export function sseSession(log: LintLog): string {
  const stream = sse(log, ENDPOINT);
  const httpId = log.initialize('2024-11-05');
  log.respond(httpId, 202);
  log.end(httpId);
  log.message(stream, result(0, INITIALIZED));
  log.notify('notifications/initialized');
  return stream;
}

export const LOG_MESSAGE = notification('notifications/message', { level: 'info', data: 'x' });

const RPC: BuiltCase[] = [
  [
    'jsonrpc 1.0',
    ['RPC-01 error server'],
    /its `jsonrpc` is "1.0"/,
    (log) => void log.connect().asked((id) => ({ jsonrpc: '1.0', id, result: {} })),
  ],
  [
    'no jsonrpc on every notification',
    ['RPC-01 error server'],
    /its `jsonrpc` is nothing/,
    (log) =>
      onStream(log.connect(), ...Array.from({ length: 9 }, () => ({ method: 'notifications/x' }))),
  ],
  [
    'a method that is no string',
    ['RPC-01 error server'],
    /its method is null, not a string/,
    (log) => onStream(log.connect(), { jsonrpc: '2.0', id: 3, method: null }),
  ],
  [
    'a request with the id null',
    ['RPC-02 error server'],
    /`roots\/list` has the id null/,
    (log) => onStream(log.connect({ client: { roots: {} } }), serverRequest('roots/list', null)),
  ],
  [
    'a request with the id 1.5',
    ['RPC-02 error server'],
    /`ping` has the id 1\.5/,
    (log) => onStream(log.connect(), serverRequest('ping', 1.5)),
  ],
  [
    'a notification with an id',
    ['RPC-02 error server'],
    /`notifications\/message` carries the id null/,
    (log) => onStream(log.connect(), { jsonrpc: '2.0', id: null, method: 'notifications/message' }),
  ],
  [
    'two requests of the server with one id',
    ['RPC-03 error server'],
    /The id "a" of `roots\/list` was used before, by `ping`/,
    (log) =>
      onStream(
        log.connect({ client: { roots: {} } }),
        serverRequest('ping'),
        serverRequest('roots/list'),
      ),
  ],
  [
    'a client that uses an id twice',
    ['RPC-03 error client'],
    /The id 7 of `tools\/list` was used before/,
    (log) => {
      log.connect();
      for (const _ of [1, 2]) log.answer(log.call('7', 'tools/list'), result(7));
    },
  ],
  [
    'a response on the stream that nobody asked for',
    ['RPC-04 error server'],
    /id 99, which no request has/,
    (log) => {
      log.message(sseSession(log), result(99));
    },
  ],
  [
    'a late answer to a request that timed out',
    ['RPC-04 info server'],
    /came 4\.\d s after it was sent, when it had timed out/,
    (log) => {
      const stream = sseSession(log);
      const httpId = log.call('5', 'tools/list');
      log.respond(httpId, 202);
      log.end(httpId);
      log.add({ kind: 'deadline-fired', carrierId: httpId, deadline: 'idle', durationMs: 1000 });
      log.wait(4000).message(stream, result(5));
    },
  ],
  [
    'JSON that was encoded twice',
    ['RPC-01 error server'],
    /a string that holds JSON, so it was encoded twice/,
    (log) => void log.connect().asked((id) => JSON.stringify(JSON.stringify(result(id)))),
  ],
  [
    'a server that sends back what it gets',
    ['RPC-23 error server'],
    /sent the request `tools\/list`, which only clients send/,
    (log) => onStream(log.connect(), serverRequest('tools/list'), serverRequest('initialize', 'b')),
  ],
  [
    'both result and error',
    ['RPC-05 error server'],
    /both a result and an error/,
    (log) =>
      void log.connect().asked((id) => ({
        ...(result(id) as object),
        error: { code: 1, message: 'x' },
      })),
  ],
  [
    'neither result nor error',
    ['RPC-05 error server'],
    /neither a result nor an error/,
    (log) => void log.connect().asked((id) => ({ jsonrpc: '2.0', id })),
  ],
  [
    'a result that is null',
    ['RPC-05 error server'],
    /the result is null, not an object/,
    (log) => void log.connect().asked((id) => result(id, null)),
  ],
  [
    'an error that is text',
    ['RPC-05 error server'],
    /the error is "no", not an object/,
    (log) => void log.connect().asked((id) => ({ jsonrpc: '2.0', id, error: 'no' })),
  ],
  [
    'an error code that is text',
    ['RPC-05 error server'],
    /the error code is "-32602", not an integer/,
    (log) =>
      void log.connect().asked((id) => ({
        jsonrpc: '2.0',
        id,
        error: { code: '-32602', message: 'x' },
      })),
  ],
  [
    'an error without a message',
    ['RPC-05 error server'],
    /the error message is nothing, not a string/,
    (log) => void log.connect().asked((id) => ({ jsonrpc: '2.0', id, error: { code: 1 } })),
  ],
  [
    'initialize in a batch',
    ['RPC-06 error client'],
    /holds `initialize`, which 2025-03-26 does not allow/,
    (log) => {
      log.connect({ revision: '2025-03-26' });
      log.request([{ jsonrpc: '2.0', id: 9, method: 'initialize', params: {} }], {
        headers: log.headers({}, { 'mcp-session-id': undefined }),
      });
    },
  ],
  [
    'an error code of a later revision',
    ['RPC-07 info server'],
    /-32042 .* does not exist in 2025-06-18/,
    (log) =>
      void log.connect({ revision: '2025-06-18' }).asked((id) => ({
        jsonrpc: '2.0',
        id,
        error: { code: -32042, message: 'x' },
      })),
  ],
  [
    'a reserved _meta prefix',
    ['RPC-08 warning server'],
    /"dev\.mcp\/x" has a prefix that is reserved/,
    (log) => void log.connect().asked((id) => result(id, { _meta: { 'dev.mcp/x': 1 } })),
  ],
  [
    'a _meta prefix that 2025-06-18 reserves',
    ['RPC-08 warning server'],
    /"mcp\.dev\/x" has a prefix that is reserved/,
    (log) =>
      void log
        .connect({ revision: '2025-06-18' })
        .asked((id) => result(id, { _meta: { 'mcp.dev/x': 1 } })),
  ],
  [
    'a _meta name that is no name',
    ['RPC-08 warning server'],
    /"-x" has a name that does not begin and end/,
    (log) => void log.connect().asked((id) => result(id, { _meta: { '-x': 1 } })),
  ],
  [
    'ping without an id',
    ['RPC-22 warning server'],
    /`ping` came without an id/,
    (log) => onStream(log.connect(), { jsonrpc: '2.0', method: 'ping' }),
  ],
];

const LIFECYCLE: BuiltCase[] = [
  [
    'a client that does not begin with initialize',
    ['LIF-01 error client'],
    /The first message is `tools\/list`/,
    (log) => {
      log.opened();
      log.answer(log.call('1', 'tools/list'), result(1));
    },
  ],
  [
    'a client that does not wait for the handshake',
    ['LIF-01 warning client'],
    /`tools\/list` was sent before the answer/,
    (log) => {
      log.opened();
      log.initialize();
      log.call('1', 'tools/list');
    },
  ],
  [
    'a client that leaves initialized out',
    ['LIF-02 error client'],
    /`tools\/list` was sent although/,
    (log) => void log.connect({ isFinished: false }).asked((id) => result(id)),
  ],
  [
    'a client that closes before initialized',
    ['LIF-02 error client'],
    /closed without `notifications\/initialized`/,
    (log) => {
      log.connect({ isFinished: false, session: null });
      log.closed();
    },
  ],
  [
    'a server that does not wait for initialized',
    ['LIF-02 warning server'],
    /sent `roots\/list` before it had/,
    (log) => {
      log.opened();
      const httpId = log.initialize('2025-11-25', { roots: {} });
      log.head(httpId, 200, 'text/event-stream');
      log.message(httpId, serverRequest('roots/list'));
    },
  ],
  [
    'a server that negotiates a modern revision',
    ['LIF-03 warning server'],
    /chose "2026-07-28", which has no `initialize`/,
    (log) => void log.connect({ revision: '2026-07-28', isFinished: false, session: null }),
  ],
  [
    'a server that asks for sampling unasked',
    ['LIF-04 error server'],
    /the client did not declare `sampling`/,
    (log) => onStream(log.connect(), serverRequest('sampling/createMessage', 'a', SAMPLING)),
  ],
  [
    'the same in 2025-03-26',
    ['LIF-04 warning server'],
    /the client did not declare `roots`/,
    (log) => onStream(log.connect({ revision: '2025-03-26' }), serverRequest('roots/list')),
  ],
  [
    'a server that elicits unasked',
    ['LIF-04 error server'],
    /did not declare `elicitation`/,
    (log) => onStream(log.connect(), serverRequest('elicitation/create', 'a', FORM)),
  ],
  [
    'list changes that were not promised',
    ['LIF-04 error server'],
    /the server did not declare `tools\.listChanged`/,
    (log) => onStream(log.connect(), notification('notifications/tools/list_changed')),
  ],
  [
    'a client that subscribes where nobody offers it',
    ['LIF-04 error client'],
    /did not declare `resources\.subscribe`/,
    (log) =>
      void log
        .connect({ server: { resources: {} } })
        .asked((id) => result(id), 'resources/subscribe', { uri: 'a:b' }),
  ],
  [
    'a server that cancels a request of the client',
    ['LIF-05 error server'],
    /names a request of the other side/,
    (log) => onStream(log.connect(), notification('notifications/cancelled', { requestId: 1 })),
  ],
  [
    'a server that cancels what never was',
    ['LIF-05 error server'],
    /names a request that was never sent/,
    (log) => onStream(log.connect(), notification('notifications/cancelled', { requestId: 77 })),
  ],
  [
    'a client that cancels initialize',
    ['LIF-05 error client'],
    /names `initialize`/,
    (log) => void log.connect().notify('notifications/cancelled', { requestId: 0 }),
  ],
  [
    'a client that cancels a task',
    ['LIF-05 error client'],
    /names a task/,
    (log) => {
      log.connect({ server: { tasks: { requests: { tools: { call: {} } } }, tools: {} } });
      log.call('4', 'tools/call', { name: 'x', task: {} });
      log.notify('notifications/cancelled', { requestId: 4 });
    },
  ],
  [
    'a cancellation that comes too late',
    ['LIF-05 info client'],
    /came after `tools\/list` had been answered/,
    (log) => {
      log.connect().asked((id) => result(id));
      log.notify('notifications/cancelled', { requestId: 1 });
    },
  ],
  [
    'ping answered with something',
    ['LIF-06 warning server'],
    /The answer to `ping` holds time/,
    (log) => void log.connect().asked((id) => result(id, { time: 1 }), 'ping'),
  ],
  [
    'capabilities of the wrong type',
    ['LIF-20 warning server'],
    /capabilities\.tools is \[\], serverInfo\.title is null, instructions is null/,
    (log) =>
      void log.connect({
        server: { tools: [] },
        result: { serverInfo: { name: 'a', version: '1', title: null }, instructions: null },
      }),
  ],
];

const HEADERS: BuiltCase[] = [
  [
    'a POST that does not accept streams',
    ['HDR-01 error client'],
    /accepts application\/json; it must list text\/event-stream/,
    (log) =>
      void log.connect().call('8', 'ping', undefined, {
        headers: log.headers({}, { accept: 'application/json' }),
      }),
  ],
  [
    'a GET that does not accept streams',
    ['HDR-01 error client'],
    /The GET has no Accept header/,
    (log) => {
      const options = { purpose: 'stream', method: 'GET' } as const;
      log.connect();
      log.request(undefined, { ...options, headers: log.headers(options, { accept: undefined }) });
    },
  ],
  [
    'a POST of text',
    ['HDR-01 warning client'],
    /content type text\/plain/,
    (log) =>
      void log.connect().call('8', 'ping', undefined, {
        headers: log.headers({}, { 'content-type': 'text/plain' }),
      }),
  ],
  [
    'no version header',
    ['HDR-02 error client'],
    /no MCP-Protocol-Version header, although 2025-11-25/,
    (log) =>
      void log.connect().call('8', 'ping', undefined, {
        headers: log.headers({}, { 'mcp-protocol-version': undefined }),
      }),
  ],
  [
    'another version in the header',
    ['HDR-02 warning client'],
    /says MCP-Protocol-Version: 2025-06-18, but 2025-11-25/,
    (log) =>
      void log.connect().call('8', 'ping', undefined, {
        headers: log.headers({}, { 'mcp-protocol-version': '2025-06-18' }),
      }),
  ],
  [
    'Last-Event-ID on a POST',
    ['HDR-20 warning client'],
    /A POST carries Last-Event-ID/,
    (log) =>
      void log.connect().call('8', 'ping', undefined, {
        headers: log.headers({}, { 'last-event-id': 'a' }),
      }),
  ],
];

const SESSIONS: BuiltCase[] = [
  [
    'a session id with a space',
    ['SES-01 error server'],
    /holds the character U\+0020/,
    (log) => void log.connect({ session: 'my session of this server' }),
  ],
  [
    'a short session id',
    ['SES-01 warning server'],
    /only 4 characters/,
    (log) => void log.connect({ session: 's-12' }),
  ],
  [
    'an empty session id',
    ['SES-01 warning server'],
    /is empty/,
    (log) => {
      log.opened();
      const httpId = log.initialize();
      const type = 'application/json';
      log.respond(httpId, 200, { 'content-type': type, 'mcp-session-id': '' });
    },
  ],
  [
    'a client that forgets the session',
    ['SES-02 error client'],
    /no Mcp-Session-Id, although the server assigned/,
    (log) =>
      void log.connect().call('8', 'ping', undefined, {
        headers: log.headers({}, { 'mcp-session-id': undefined }),
      }),
  ],
  [
    'a client that initializes in a session',
    ['SES-02 error client'],
    /`initialize` carries the session id/,
    (log) => {
      log.connect();
      log.call('9', 'initialize', { protocolVersion: '2025-11-25' });
    },
  ],
  [
    'a client that goes on after 404',
    ['SES-03 error client'],
    /`tools\/list` was sent with the session id .* after the server had answered 404/,
    (log) => {
      log.connect();
      const httpId = log.call('8', 'tools/call', { name: 'x' });
      log.respond(httpId, 404);
      log.end(httpId);
      log.call('9', 'tools/list');
    },
  ],
  [
    'a session id on another response',
    ['SES-04 warning server'],
    /A 202 response that is no answer to `initialize` carries/,
    (log) => {
      log.connect();
      const httpId = log.request(notification('notifications/x'));
      log.respond(httpId, 202, { 'mcp-session-id': 'another-session-id' });
      log.end(httpId);
    },
  ],
  [
    'a session id on a refusal',
    ['SES-04 warning server'],
    /A 404 response that refuses `initialize` carries/,
    (log) => {
      log.opened();
      log.respond(log.initialize(), 404, { 'mcp-session-id': 'ghost' });
    },
  ],
  [
    'an ended session that goes on',
    ['SES-05 error server'],
    /ended session .* was accepted with 200/,
    (log) => {
      log.connect().terminate();
      log.asked((id) => result(id));
    },
  ],
  [
    'an ended session refused in another way',
    ['SES-05 error server'],
    /was refused with 400/,
    (log) => {
      log.connect().terminate();
      const httpId = log.call('8', 'ping');
      log.respond(httpId, 400);
      log.end(httpId);
    },
  ],
  [
    'a client that leaves the session behind',
    ['SES-05 info client'],
    /closed without a DELETE/,
    (log) => log.connect().closed(),
  ],
  [
    'an unknown session answered with 410',
    ['SES-20 warning server'],
    /with 410; the specification asks for 404/,
    (log) => log.answer(log.connect().call('8', 'ping'), 'gone', 410, 'text/plain'),
  ],
  [
    'an unknown session answered with 200',
    ['RPC-01 error server', 'SES-20 warning server'],
    /with 200 text\/event-stream and the words “Session not found”/,
    (log) => onStream(log.connect(), { error: 'Session not found' }),
  ],
  [
    'two session ids',
    ['SES-21 warning server'],
    /2 Mcp-Session-Id headers/,
    (log) => {
      log.opened();
      const headers = ['a', 'b'].map((value) => ({ name: 'Mcp-Session-Id', value }));
      const httpId = log.initialize();
      log.add({ kind: 'http-received', httpId, statusLine: 'HTTP/1.1 200 OK', headers });
    },
  ],
];

function resumed(log: LintLog, lastEventId: string, causedBy: string): string {
  const links = { lastEventId, causedBy, reason: 'resume', attempt: 1 };
  const httpId = log.request(undefined, { purpose: 'stream', method: 'GET', links });
  log.head(httpId, 200, 'text/event-stream');
  return httpId;
}

const STREAMS: BuiltCase[] = [
  [
    'a notification on two streams',
    ['HTT-04 error server'],
    /id "e1" came on two streams/,
    (log) => {
      log.connect();
      const [one, two] = [log.stream(), log.stream()];
      for (const stream of [one, two]) log.message(stream, LOG_MESSAGE, 'e1');
    },
  ],
  [
    'a request on two streams',
    ['HTT-04 error server'],
    /`ping` with the id "a" came on two streams/,
    (log) => {
      log.connect();
      for (const stream of [log.stream(), log.stream()]) log.message(stream, serverRequest('ping'));
    },
  ],
  [
    'a response on two streams',
    ['HTT-04 error server'],
    /answered a second time, on another stream/,
    (log) => {
      log.connect();
      const [one, two] = [log.streamed(), log.streamed()];
      for (const { httpId } of [one, two]) log.message(httpId, result(one.id, CALLED));
    },
  ],
  [
    'a notification after the response',
    ['HTT-05 warning server'],
    /`notifications\/message` came on the stream of `tools\/call` after its response/,
    (log) => {
      const { httpId, id } = log.connect().streamed();
      log.message(httpId, result(id, CALLED));
      log.message(httpId, LOG_MESSAGE);
      log.end(httpId);
    },
  ],
  [
    'a stream left open after the response',
    ['HTT-05 warning server'],
    /stayed open for 5\.0 s after the response/,
    (log) => {
      const { httpId, id } = log.connect().streamed();
      log.message(httpId, result(id, CALLED));
      log.wait(5000).end(httpId, { outcome: 'aborted', cause: 'not-needed' });
    },
  ],
  [
    'a stream closed early with ids, but no retry',
    ['HTT-06 warning server'],
    /It can be resumed, but no `retry` says when/,
    (log) => {
      const { httpId } = log.connect().streamed();
      log.sse(httpId, 'id: e1\ndata:\n\n');
      log.end(httpId);
    },
  ],
  [
    'a stream closed early before 2025-11-25',
    ['HTT-06 warning server'],
    /This revision does not let a server close a stream early/,
    (log) => {
      const { httpId } = log.connect({ revision: '2025-06-18' }).streamed();
      log.sse(httpId, 'retry: 10\nid: e1\ndata:\n\n');
      log.end(httpId);
    },
  ],
  [
    'a client in a hurry',
    ['HTT-07 error client'],
    /again after 1\d\d ms; the server had asked for 3000 ms/,
    (log) => {
      const { httpId, id } = log.connect().streamed();
      log.sse(httpId, 'retry: 3000\nid: e1\ndata:\n\n');
      log.end(httpId);
      log.wait(100).message(resumed(log, 'e1', httpId), result(id, CALLED));
    },
  ],
  [
    'one event id for two events',
    ['HTT-08 error server'],
    /The event id "1" was used for two events/,
    (log) => {
      const stream = log.connect().stream();
      log.message(stream, LOG_MESSAGE, '1');
      log.message(stream, notification('notifications/message', { level: 'info', data: 'y' }), '1');
    },
  ],
  [
    'a resumed stream that replays another one',
    ['HTT-08 error server'],
    /replayed the event "g1", which belongs to another stream/,
    (log) => {
      const { httpId } = log.connect().streamed();
      log.message(log.stream(), LOG_MESSAGE, 'g1');
      log.sse(httpId, 'retry: 1\nid: e1\ndata:\n\n');
      log.end(httpId);
      log.wait(10).message(resumed(log, 'e1', httpId), LOG_MESSAGE, 'g1');
    },
  ],
  [
    'responses on the answers to each other',
    ['HTT-27 error server'],
    /id \d+\) came on the answer to the POST of `tools\/call` \(id \d+\)/,
    (log) => {
      const [one, other] = [log.connect().streamed(), log.streamed()];
      log.message(one.httpId, result(other.id, CALLED));
      log.message(other.httpId, result(one.id, CALLED));
      log.end(one.httpId);
      log.end(other.httpId);
    },
  ],
  [
    'a message under another event name',
    ['SSE-23 warning server'],
    /came as `log` event, which clients do not read/,
    (log) => {
      const { httpId, id } = log.connect().streamed();
      log.sse(httpId, `event: log\ndata: ${JSON.stringify(LOG_MESSAGE)}\n\n`);
      log.message(httpId, result(id, CALLED));
      log.end(httpId);
    },
  ],
  [
    'an event delivered again',
    ['HTT-20 warning server'],
    /id "e2" was delivered again/,
    (log) => {
      const { httpId } = log.connect().streamed();
      log.sse(httpId, 'retry: 1\n\n');
      log.message(httpId, LOG_MESSAGE, 'e2');
      log.end(httpId);
      log.wait(10).message(resumed(log, 'e2', httpId), LOG_MESSAGE, 'e2');
    },
  ],
  [
    'a 202 whose body stays open',
    ['HTT-22 warning server'],
    /kept the body of the 202 open; it was given up after 5\.0 s/,
    (log) => {
      const httpId = log.connect().request(notification('notifications/x'));
      log.respond(httpId, 202);
      log.wait(5000).end(httpId, { outcome: 'aborted', cause: 'not-needed' });
    },
  ],
  [
    'a proxy that holds events back',
    ['HTT-23 info server'],
    /8 events arrived within \d ms, after 20\.0 s of silence: buffered upstream\?/,
    (log) => {
      const { httpId, id } = log.connect().streamed();
      log.wait(20_000);
      const messages = Array.from({ length: 7 }, () => LOG_MESSAGE);
      log.sse(
        httpId,
        [...messages, result(id, CALLED)]
          .map((text) => `data: ${JSON.stringify(text)}\n\n`)
          .join(''),
      );
      log.end(httpId);
    },
  ],
  [
    'a server that cannot resume its own ids',
    ['HTT-26 warning server'],
    /refused to resume the stream after e1 \(400\)/,
    (log) => {
      const { httpId } = log.connect().streamed();
      log.sse(httpId, 'retry: 1\nid: e1\ndata:\n\n');
      log.end(httpId);
      const links = { lastEventId: 'e1', causedBy: httpId, reason: 'resume', attempt: 1 };
      log.wait(10);
      const again = log.request(undefined, { purpose: 'stream', method: 'GET', links });
      log.respond(again, 400);
      log.end(again);
    },
  ],
  [
    'a GET without a session answered 404',
    ['HTT-03 error server'],
    /answered 404/,
    (log) => void log.connect({ session: null }).stream(404, null),
  ],
];

const PROGRESS: BuiltCase[] = [
  [
    'progress for a token that nobody gave',
    ['PRG-01 error server'],
    /token "b", which no request has given/,
    (log) =>
      onStream(
        log.connect(),
        notification('notifications/progress', { progressToken: 'b', progress: 1 }),
      ),
  ],
  [
    'one token for two active requests',
    ['PRG-01 error client'],
    /token "t" of `tools\/call` belongs to `tools\/call`, which is still active/,
    (log) => {
      log.connect();
      for (const id of ['8', '9']) {
        log.call(id, 'tools/call', { name: 'x', _meta: { progressToken: 't' } });
      }
    },
  ],
  [
    'progress that stands still',
    ['PRG-02 error server'],
    /went from 2 to 2; it must increase/,
    (log) => {
      const params = { name: 'x', _meta: { progressToken: 't' } };
      const { httpId, id } = log.connect().streamed('tools/call', params);
      for (const progress of [1, 2, 2]) {
        log.message(
          httpId,
          notification('notifications/progress', { progressToken: 't', progress }),
        );
      }
      log.message(httpId, result(id, CALLED));
      log.end(httpId);
    },
  ],
  [
    'progress that is no number',
    ['PRG-02 error server'],
    /progress of `tools\/call` is "half", not a number/,
    (log) => {
      const params = { name: 'x', _meta: { progressToken: 't' } };
      const { httpId, id } = log.connect().streamed('tools/call', params);
      const progress = { progressToken: 't', progress: 'half' };
      log.message(httpId, notification('notifications/progress', progress));
      log.message(httpId, result(id, CALLED));
      log.end(httpId);
    },
  ],
];

const HTTP_SSE: BuiltCase[] = [
  [
    'a stream that ends without an endpoint',
    ['SSE-01 error server'],
    /ended after 0 events without an `endpoint` event/,
    (log) => log.end(sse(log, ': hello\n\n')),
  ],
  [
    'an endpoint that is no URL',
    ['SSE-01 error server'],
    /which is no URL/,
    (log) => void sse(log, 'event: endpoint\ndata: http://[bad\n\n'),
  ],
  [
    'a message before the endpoint',
    ['SSE-01 warning server'],
    /1 event came before the `endpoint` event/,
    (log) => void sse(log, `data: ${JSON.stringify(LOG_MESSAGE)}\n\n`, ENDPOINT),
  ],
  [
    'an endpoint of another origin',
    ['SSE-02 error server'],
    /http:\/\/0\.0\.0\.0:3001.*http:\/\/127\.0\.0\.1:3001/,
    (log) => void sse(log, 'event: endpoint\ndata: http://0.0.0.0:3001/m\n\n'),
  ],
  [
    'a message under another name',
    ['SSE-03 warning server'],
    /came as `update` event/,
    (log) => void sse(log, ENDPOINT, `event: update\ndata: ${JSON.stringify(LOG_MESSAGE)}\n\n`),
  ],
  [
    'an answer in the body of the POST',
    ['SSE-03 warning server'],
    /In the body of a POST came the response to `initialize`/,
    (log) => {
      sse(log, ENDPOINT);
      log.answer(log.initialize(), result(0, INITIALIZED));
    },
  ],
  [
    'a second endpoint',
    ['SSE-22 warning server'],
    /second endpoint, “\/messages\?sessionId=2”, after “\/messages\?sessionId=1”/,
    (log) => void sse(log, ENDPOINT, ENDPOINT, ENDPOINT.replace('=1', '=2')),
  ],
];

const SOCKETS: BuiltCase[] = [
  [
    'a response with an unknown id in a frame',
    ['RPC-04 error server'],
    /id 99, which no request has/,
    (log) => log.socket()('incoming', result(99)),
  ],
  [
    'an id of another type in a frame',
    ['RPC-04 error server'],
    /The id type differs: sent 1, got "1"/,
    (log) => {
      const send = log.socket();
      send('outgoing', { jsonrpc: '2.0', id: 1, method: 'ping' });
      send('incoming', result('1'));
    },
  ],
  [
    'a batch in a frame',
    ['RPC-06 error server'],
    /batch array of 1 messages/,
    (log) => log.socket()('incoming', [LOG_MESSAGE]),
  ],
  [
    'a ping on a socket that nobody answers',
    ['LIF-06 warning server'],
    /`ping` was not answered within 1 s/,
    (log) => {
      const send = log.socket();
      for (const id of [1, 2]) send('outgoing', { jsonrpc: '2.0', id, method: 'ping' });
      const carrierId = `${log.connectionId}-s1`;
      log.add({
        kind: 'deadline-fired',
        carrierId,
        rpcId: '2',
        deadline: 'idle',
        durationMs: 1000,
      });
      send('incoming', result(1));
    },
  ],
  [
    'a frame over the limit',
    ['HTT-10 warning server'],
    /A frame is larger than the size limit/,
    (log) => {
      log.socket();
      const socketId = `${log.connectionId}-s1`;
      log.add({ kind: 'socket-close', socketId, code: 4009, reason: '', clean: true, by: 'us' });
    },
  ],
];

/** Broken peers that no test server plays, by the family of the rule. */
export const BUILT_CASES: readonly BuiltCase[] = [
  ...RPC,
  ...LIFECYCLE,
  ...HEADERS,
  ...SESSIONS,
  ...STREAMS,
  ...PROGRESS,
  ...HTTP_SSE,
  ...SOCKETS,
];
