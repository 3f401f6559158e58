import { FORM, SAMPLING, type BuiltCase } from './built-cases.ts';
import { notification, result } from './lint-log.ts';
import type { LintLog } from './lint-log.ts';
import {
  ACKNOWLEDGED,
  ask,
  asked,
  cacheable,
  complete,
  DISCOVERED,
  ended,
  frame,
  interim,
  modern,
  modernSocket,
  onSubscription,
  streamed,
  subscription,
  V5,
} from './modern-log.ts';

/** A stream of `tools/call` with these messages and a good result. */
function onStream(log: LintLog, ...messages: unknown[]): void {
  const { httpId, id } = streamed(modern(log), 'tools/call', { name: 'x' });
  for (const message of messages) log.message(httpId, message);
  log.message(httpId, result(id, complete()));
  log.end(httpId);
}

function called(log: LintLog, answer: Record<string, unknown>, status = 200): void {
  asked(modern(log), 'tools/call', { name: 'x' }, answer, { status });
}

const MODERN: BuiltCase[] = [
  [
    'a client that leaves the envelope out, at a server that lets it',
    ['MOD-01 error client', 'MOD-06 error server'],
    /lacks io.modelcontextprotocol\/protocolVersion and io.modelcontextprotocol\/clientCapabilities[^]*was accepted and HTTP status 200/,
    (log) => {
      const envelope = { protocolVersion: undefined, clientCapabilities: undefined };
      asked(modern(log), 'prompts/list', {}, cacheable({ prompts: [] }), { envelope });
    },
  ],
  [
    'a server that refuses a missing envelope in another way',
    ['MOD-01 error client', 'MOD-06 error server'],
    /without clientCapabilities was refused with -32603 and HTTP status 500/,
    (log) => {
      const envelope = { clientCapabilities: undefined };
      asked(modern(log), 'tools/list', {}, { code: -32603 }, { envelope, status: 500 });
    },
  ],
  [
    'a client without a name',
    ['MOD-02 warning client'],
    /`tools\/call` does not say who sends it/,
    (log) =>
      void asked(modern(log), 'tools/call', { name: 'x' }, complete(), {
        envelope: { clientInfo: undefined },
      }),
  ],
  [
    'a server without a name',
    ['MOD-02 warning server'],
    /The result of `tools\/call` does not say who sends it/,
    (log) => called(log, { resultType: 'complete', content: [] }),
  ],
  [
    'results without a type',
    ['MOD-03 error server'],
    /has no resultType/,
    (log) => called(log, { content: [] }),
  ],
  [
    'a result of a type that nobody knows',
    ['MOD-03 error server'],
    /has the resultType "weird"/,
    (log) => called(log, complete({ resultType: 'weird' })),
  ],
  [
    'a task for a client that knows no tasks',
    ['MOD-03 error server'],
    /has the resultType "task"/,
    (log) => called(log, complete({ resultType: 'task', taskId: 't', status: 'working' })),
  ],
  [
    'a server that sends a request',
    ['MOD-04 error server'],
    /The server sent the request `ping`/,
    (log) => onStream(log, { jsonrpc: '2.0', id: 'a', method: 'ping' }),
  ],
  [
    'a client that answers on a WebSocket',
    ['MOD-04 error client', 'MOD-04 error server'],
    /The client sent the response to `roots\/list`/,
    (log) => {
      const send = modernSocket(log);
      send('incoming', { jsonrpc: '2.0', id: 'a', method: 'roots/list' });
      send('outgoing', result('a', { roots: [] }));
    },
  ],
  [
    'a server that does not know server/discover',
    ['MOD-05 error server'],
    /`server\/discover` is not known/,
    (log) => {
      modern(log, cacheable(DISCOVERED));
      asked(log, 'server/discover', {}, { code: -32601 }, { status: 404 });
    },
  ],
  [
    'a discovery without capabilities',
    ['MOD-05 error server'],
    /supportedVersions is \["2026-07-28",7\] and capabilities is nothing/,
    (log) => void modern(log, cacheable({ supportedVersions: [V5, 7] })),
  ],
  [
    'a version error without its lists',
    ['MOD-06 error server'],
    /-32022 has no data\.supported and has no data\.requested and came with HTTP status 200/,
    (log) => called(log, { code: -32022 }),
  ],
  [
    'a capability error that names none',
    ['MOD-06 error server'],
    /-32021 has no data\.requiredCapabilities/,
    (log) => called(log, { code: -32021 }, 400),
  ],
  [
    'a refusal of initialize without a word about versions',
    ['MOD-07 warning server'],
    /`initialize` was refused with -32020, without a word about the versions/,
    (log) => {
      log.opened();
      const error = { code: -32020, message: 'Mcp-Method is missing' };
      log.answer(log.initialize(), { jsonrpc: '2.0', id: 0, error }, 400);
    },
  ],
  [
    'a client that pings',
    ['MOD-08 warning client'],
    /The client sent `ping`, which 2026-07-28 does not have/,
    (log) => void asked(modern(log), 'ping', {}, { code: -32601 }, { status: 404 }),
  ],
  [
    'a server that reports on an elicitation',
    ['MOD-08 warning server'],
    /The server sent `notifications\/elicitation\/complete`/,
    (log) => onStream(log, notification('notifications/elicitation/complete')),
  ],
  [
    'a load balancer in front of servers of both eras',
    ['MOD-20 error server'],
    /In a session of 2025-11-25, `tools\/list` was answered by -32020/,
    (log) => {
      log.connect();
      for (const _ of [1, 2, 3]) {
        log.asked((id) => ({ jsonrpc: '2.0', id, error: { code: -32020, message: 'x' } }));
      }
    },
  ],
  [
    'an id that is still in use',
    ['RPC-03 error client'],
    /The id 7 of `tools\/list` is still in use, by `tools\/call`/,
    (log) => {
      ask(modern(log), 'tools/call', { name: 'x' }, { id: 7 });
      asked(log, 'tools/list', {}, cacheable({ tools: [] }), { id: 7 });
    },
  ],
  [
    'a second answer on another stream',
    ['RPC-04 error server'],
    /answered a second time, on another stream/,
    (log) => {
      modern(log);
      const [one, two] = [1, 2].map(() => streamed(log, 'tools/call', { name: 'x' }));
      for (const each of [one, two]) log.message(each?.httpId ?? '', result(one?.id, complete()));
    },
  ],
  [
    'an error without a message in the modern era',
    ['RPC-05 error server'],
    /the error message is 5, not a string/,
    (log) => called(log, { code: -1, message: 5 }),
  ],
  [
    'a batch in the modern era',
    ['RPC-06 error server'],
    /batch array of 1 messages.*2026-07-28 is spoken here/,
    (log) => {
      const { httpId, id } = ask(modern(log), 'tools/call', { name: 'x' });
      log.answer(httpId, [result(id, complete())]);
    },
  ],
  [
    'a code that the specification keeps to itself',
    ['RPC-07 error server'],
    /-32050 is reserved for the specification/,
    (log) => called(log, { code: -32050 }),
  ],
  [
    'a code of the legacy era',
    ['RPC-07 error server'],
    /-32002 is one of the legacy era/,
    (log) => void asked(modern(log), 'resources/read', { uri: 'a:x' }, { code: -32002 }),
  ],
  [
    'a code from the range of old servers',
    ['RPC-07 warning server'],
    /-32001 is in the range that new servers should not use/,
    (log) => called(log, { code: -32001 }),
  ],
  [
    'a reserved _meta prefix in the modern era',
    ['RPC-08 warning server'],
    /"dev\.mcp\/x" has a prefix that is reserved/,
    (log) => called(log, complete({ _meta: { 'dev.mcp/x': 1 } })),
  ],
];

const TOOL = {
  name: 'mirror',
  inputSchema: {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  },
};

/** A call of a tool that wants its argument mirrored, at a server that refuses a mismatch in due form. */
function mirrored(
  log: LintLog,
  region: unknown,
  headers: Record<string, string>,
  answer: Record<string, unknown> = { code: -32020 },
): void {
  asked(modern(log), 'tools/list', {}, cacheable({ tools: [TOOL] }));
  const status = 'code' in answer ? 400 : 200;
  const params = { name: 'mirror', arguments: region === undefined ? {} : { region } };
  asked(log, 'tools/call', params, answer, { headers, status });
}

function toolsListed(log: LintLog, ...tools: unknown[]): void {
  asked(modern(log), 'tools/list', {}, cacheable({ tools }));
}

function withRegion(schema: unknown): unknown {
  return { name: 'x', inputSchema: { type: 'object', properties: { region: schema } } };
}

const HEADERS: BuiltCase[] = [
  [
    'a modern POST that does not accept streams',
    ['HDR-01 error client'],
    /it must list text\/event-stream/,
    (log) => {
      const headers = { accept: 'application/json' };
      asked(modern(log), 'tools/call', { name: 'x' }, complete(), { headers });
    },
  ],
  [
    'a client without the version header',
    ['HDR-03 error client'],
    /MCP-Protocol-Version of `tools\/list` is missing; the body has "2026-07-28"/,
    (log) => {
      const headers = { 'MCP-Protocol-Version': undefined };
      asked(modern(log), 'tools/list', {}, { code: -32020 }, { headers, status: 400 });
    },
  ],
  [
    'a client whose header has another version',
    ['HDR-03 error client'],
    /is "2025-11-25"; the body has "2026-07-28"/,
    (log) => {
      const headers = { 'MCP-Protocol-Version': '2025-11-25' };
      asked(modern(log), 'tools/list', {}, { code: -32020 }, { headers, status: 400 });
    },
  ],
  [
    'a client whose Mcp-Name is another tool',
    ['HDR-04 error client'],
    /Mcp-Name of `tools\/call` is "y"; the body has "x"/,
    (log) => {
      const headers = { 'Mcp-Name': 'y' };
      asked(modern(log), 'tools/call', { name: 'x' }, { code: -32020 }, { headers, status: 400 });
    },
  ],
  [
    'a server that does not compare headers',
    ['HDR-04 error client', 'HDR-09 error server'],
    /response to `tools\/list` came with HTTP status 200, although Mcp-Method did not match/,
    (log) => {
      const headers = { 'Mcp-Method': 'ping' };
      asked(modern(log), 'tools/list', {}, cacheable({ tools: [] }), { headers });
    },
  ],
  [
    'a server that refuses a mismatch in its own way',
    ['HDR-04 error client', 'HDR-09 error server'],
    /came with -32603 and with HTTP status 500/,
    (log) => {
      const headers = { 'Mcp-Method': undefined };
      asked(modern(log), 'tools/list', {}, { code: -32603 }, { headers, status: 500 });
    },
  ],
  [
    'a client that does not mirror an argument',
    ['HDR-05 error client'],
    /Mcp-Param-Region of `tools\/call` is missing; the body has "eu"/,
    (log) => mirrored(log, 'eu', {}),
  ],
  [
    'a client that mirrors what is not there',
    ['HDR-05 error client'],
    /is "eu", although the argument is absent or null/,
    (log) => mirrored(log, null, { 'Mcp-Param-Region': 'eu' }, complete()),
  ],
  [
    'a client that sends spaces raw',
    ['HDR-06 error client'],
    /carries " eu " raw/,
    (log) => mirrored(log, ' eu ', { 'Mcp-Param-Region': 'eu' }),
  ],
  [
    'a client that does not encode what looks encoded',
    ['HDR-06 error client'],
    /is "=\?base64\?ZXU=\?=" raw, which reads as base64/,
    (log) => mirrored(log, '=?base64?ZXU=?=', { 'Mcp-Param-Region': '=?base64?ZXU=?=' }),
  ],
  [
    'a client whose base64 is none',
    ['HDR-06 error client'],
    /which is no base64 of UTF-8/,
    (log) => mirrored(log, 'eu', { 'Mcp-Param-Region': '=?base64?_w?=' }),
  ],
  [
    'a client that writes the marks in capitals',
    ['HDR-06 error client'],
    /the marks are `=\?base64\?` and `\?=`, in lower case/,
    (log) => mirrored(log, 'é', { 'Mcp-Param-Region': '=?BASE64?w6k=?=' }),
  ],
  [
    'a tool that wants a number mirrored',
    ['HDR-07 error server'],
    /"x": “region” is of type "number"/,
    (log) => toolsListed(log, withRegion({ type: 'number', 'x-mcp-header': 'Region' })),
  ],
  [
    'a tool that wants its password mirrored',
    ['HDR-07 warning server'],
    /“password” of "x" looks like a secret/,
    (log) => {
      const password = { type: 'string', 'x-mcp-header': 'Password' };
      toolsListed(log, { name: 'x', inputSchema: { type: 'object', properties: { password } } });
    },
  ],
  [
    'an unknown method answered 200',
    ['HDR-08 error server'],
    /The unknown method `no\/such` was answered 200/,
    (log) => void asked(modern(log), 'no/such', {}, { code: -32601 }),
  ],
  [
    'two tools of one name',
    ['TOO-03 warning server'],
    /Two tools have the name "x"/,
    (log) => toolsListed(log, withRegion({}), withRegion({})),
  ],
  [
    'a tool name with a space',
    ['TOO-03 warning server'],
    /The tool name "a b" is not/,
    (log) =>
      void log
        .connect()
        .asked((id) => result(id, { tools: [{ name: 'a b', inputSchema: { type: 'object' } }] })),
  ],
  [
    'a schema that refers to the network',
    ['TOO-05 warning server'],
    /refers to "https:\/\/example\.com\/s\.json", which clients must not fetch/,
    (log) => toolsListed(log, withRegion({ anyOf: [{ $ref: 'https://example.com/s.json' }] })),
  ],
];

const HTTP: BuiltCase[] = [
  [
    'a session id in the modern era',
    ['SES-04 warning server'],
    /The answer to `tools\/call` carries a session id; 2026-07-28 has no sessions/,
    (log) => {
      const { httpId, id } = ask(modern(log), 'tools/call', { name: 'x' });
      log.respond(httpId, 200, { 'content-type': 'application/json', 'mcp-session-id': 'abc' });
      log.chunk(httpId, JSON.stringify(result(id, complete())));
      log.end(httpId);
    },
  ],
  [
    'a modern answer that is neither JSON nor a stream',
    ['HTT-01 error server'],
    /answered 200 text\/html/,
    (log) => log.answer(ask(modern(log), 'tools/list').httpId, '<p>', 200, 'text/html'),
  ],
  [
    'a modern request answered 202',
    ['HTT-02 error server'],
    /is a request and was answered 202/,
    (log) => log.answer(ask(modern(log), 'tools/list').httpId, '', 202, null),
  ],
  [
    'a modern server that answers a GET',
    ['HTT-03 warning server'],
    /answered a GET with 404, not with 405/,
    (log) => void modern(log).stream(404, null),
  ],
  [
    'a modern stream that goes on after the response',
    ['HTT-05 warning server', 'SEC-03 info server'],
    /after its response/,
    (log) => {
      const change = { envelope: { logLevel: 'debug' } };
      const { httpId, id } = streamed(modern(log), 'tools/call', { name: 'x' }, change);
      log.message(httpId, result(id, complete()));
      log.message(httpId, notification('notifications/message', { level: 'info', data: 'x' }));
      log.end(httpId);
    },
  ],
  [
    'event ids in the modern era',
    ['HTT-09 warning server'],
    /events of `tools\/call` have ids/,
    (log) => {
      const { httpId, id } = streamed(modern(log), 'tools/call', { name: 'x' });
      log.message(httpId, result(id, complete()), 'e1');
      log.end(httpId);
    },
  ],
  [
    'a stream that a proxy may hold back',
    ['HTT-09 warning server'],
    /opened without `X-Accel-Buffering: no`/,
    (log) => {
      const { httpId, id } = ask(modern(log), 'tools/call', { name: 'x' });
      log.head(httpId, 200, 'text/event-stream');
      log.message(httpId, result(id, complete()));
      log.end(httpId);
    },
  ],
  [
    'a client that wants to resume',
    ['HTT-09 warning client'],
    /The POST carries Last-Event-ID/,
    (log) => {
      const headers = { 'Last-Event-ID': 'e1' };
      asked(modern(log), 'tools/call', { name: 'x' }, complete(), { headers });
    },
  ],
  [
    'a client that posts a cancellation',
    ['HTT-09 warning client'],
    /closing the stream cancels a request/,
    (log) => void modern(log).notify('notifications/cancelled', { requestId: 1 }),
  ],
];

const PROGRESS: BuiltCase[] = [
  [
    'modern progress that stands still',
    ['PRG-02 error server'],
    /went from 1 to 1/,
    (log) => {
      const params = { name: 'x', _meta: { progressToken: 't' } };
      const { httpId, id } = streamed(modern(log), 'tools/call', params);
      const step = { progressToken: 't', progress: 1 };
      for (const _ of [1, 2]) log.message(httpId, notification('notifications/progress', step));
      log.message(httpId, result(id, complete()));
      log.end(httpId);
    },
  ],
  [
    'log messages that nobody asked for',
    ['LOG-01 error server', 'SEC-03 info server'],
    /A log message came for `tools\/call`, which asked for none/,
    (log) => onStream(log, notification('notifications/message', { level: 'info', data: 'x' })),
  ],
  [
    'log messages below the level',
    ['LOG-01 warning server', 'SEC-03 info server'],
    /of the level "debug" came; `tools\/call` asked for "warning" and above/,
    (log) => {
      const change = { envelope: { logLevel: 'warning' } };
      const { httpId, id } = streamed(modern(log), 'tools/call', { name: 'x' }, change);
      log.message(httpId, notification('notifications/message', { level: 'debug', data: 'x' }));
      log.message(httpId, result(id, complete()));
      log.end(httpId);
    },
  ],
  [
    'log messages without the capability',
    ['LOG-01 error server', 'SEC-03 info server'],
    /did not declare `logging`/,
    (log) => {
      modern(log, cacheable({ ...DISCOVERED, capabilities: {} }));
      const change = { envelope: { logLevel: 'debug' } };
      const { httpId, id } = streamed(log, 'tools/call', { name: 'x' }, change);
      log.message(httpId, notification('notifications/message', { level: 'debug', data: 'x' }));
      log.message(httpId, result(id, complete()));
      log.end(httpId);
    },
  ],
  [
    'log messages on a subscription',
    ['LOG-01 error server', 'SEC-03 info server'],
    /A log message came on a subscription/,
    (log) => {
      const { httpId } = subscription(modern(log));
      log.message(httpId, notification('notifications/message', { level: 'info', data: 'x' }));
    },
  ],
];

const LIST_CHANGED = 'notifications/tools/list_changed';

const SUBSCRIPTIONS: BuiltCase[] = [
  [
    'a subscription that is not acknowledged',
    ['SUB-01 error server'],
    /list_changed` came before `notifications\/subscriptions\/acknowledged`/,
    (log) => {
      const { httpId, id } = subscription(modern(log), { toolsListChanged: true }, false);
      for (const _ of [1, 2]) log.message(httpId, onSubscription(id, LIST_CHANGED));
    },
  ],
  [
    'a notification that does not name its subscription',
    ['SUB-02 error server'],
    /names the subscription nothing; the id of the request is \d/,
    (log) => log.message(subscription(modern(log)).httpId, notification(LIST_CHANGED)),
  ],
  [
    'a subscription named by an id of another type',
    ['SUB-02 error server'],
    /names the subscription "\d"; the id of the request is \d/,
    (log) => {
      const { httpId, id } = subscription(modern(log));
      log.message(httpId, onSubscription(String(id), LIST_CHANGED));
    },
  ],
  [
    'a subscription on a WebSocket that was never opened',
    ['SUB-02 error server'],
    /names the subscription 8, which is not open/,
    (log) => {
      const send = modernSocket(log);
      send('outgoing', frame(7, 'subscriptions/listen', { notifications: {} }));
      send('incoming', onSubscription(7, ACKNOWLEDGED, { notifications: {} }));
      send('incoming', onSubscription(8, LIST_CHANGED));
    },
  ],
  [
    'a notification that the subscription did not ask for',
    ['SUB-03 error server'],
    /prompts\/list_changed` came on a subscription that did not ask for it/,
    (log) => {
      const { httpId, id } = subscription(modern(log));
      log.message(httpId, onSubscription(id, 'notifications/prompts/list_changed'));
    },
  ],
  [
    'an update of a resource that nobody watches',
    ['SUB-03 error server'],
    /resources\/updated` came on a subscription that did not ask for it/,
    (log) => {
      const { httpId, id } = subscription(modern(log), { resourceSubscriptions: ['a:b'] });
      log.message(httpId, onSubscription(id, 'notifications/resources/updated', { uri: 'a:x' }));
    },
  ],
  [
    'a change told in the answer to a call',
    ['SUB-03 error server'],
    /came in the answer to `tools\/call`; it belongs on a subscription/,
    (log) => onStream(log, notification(LIST_CHANGED)),
  ],
  [
    'a subscription that breaks off',
    ['SUB-03 info server'],
    /The subscription broke off without a result/,
    (log) => log.end(subscription(modern(log)).httpId, { outcome: 'cut', errorName: 'RESET' }),
  ],
  [
    'a subscription that ends under another id',
    ['SUB-02 error server'],
    /The response to `subscriptions\/listen` names the subscription 99/,
    (log) => {
      const { httpId, id } = subscription(modern(log));
      log.message(httpId, { ...(ended(99) as object), id });
      log.end(httpId);
    },
  ],
];

/** A round that asks, and the next one as the test writes it. */
function rounds(
  log: LintLog,
  first: Record<string, unknown>,
  second: Record<string, unknown>,
  id?: unknown,
): void {
  const httpId = asked(modern(log), 'tools/call', { name: 'x' }, interim(first), { id: 7 });
  const links = { retryOf: httpId, attempt: 2, reason: 'input-required' };
  asked(log, 'tools/call', { name: 'x', ...second }, complete(), {
    links,
    ...(id === undefined ? {} : { id }),
  });
}

function question(method: string, params: unknown = {}): Record<string, unknown> {
  return interim({ inputRequests: { a: { method, params } } });
}

function askedUndeclared(log: LintLog, answer: Record<string, unknown>, capabilities = {}): void {
  const envelope = { clientCapabilities: capabilities };
  asked(modern(log), 'tools/call', { name: 'x' }, answer, { envelope });
}

const ROUNDS: BuiltCase[] = [
  [
    'a list that asks for input',
    ['MRT-01 error server'],
    /`tools\/list` was answered by an interim result/,
    (log) => void asked(modern(log), 'tools/list', {}, interim()),
  ],
  [
    'an interim result with nothing in it',
    ['MRT-01 error server'],
    /has neither inputRequests nor requestState/,
    (log) => called(log, interim({ inputRequests: undefined })),
  ],
  [
    'a state that is no string',
    ['MRT-01 error server'],
    /has the requestState \{"a":1\}, which is no string/,
    (log) => called(log, interim({ requestState: { a: 1 } })),
  ],
  [
    'a server that elicits undeclared',
    ['MRT-02 error server'],
    /asks under "a" for `elicitation\/create`, which the request did not declare/,
    (log) => askedUndeclared(log, question('elicitation/create', FORM)),
  ],
  [
    'a server that elicits in a mode that was not declared',
    ['MRT-02 error server'],
    /`elicitation\/create` of the mode url/,
    (log) =>
      askedUndeclared(
        log,
        question('elicitation/create', { mode: 'url', url: 'https://example.com/' }),
        { elicitation: {} },
      ),
  ],
  [
    'a server that wants sampling with tools',
    ['MRT-02 error server', 'SEC-03 info server'],
    /`sampling\/createMessage` with tools/,
    (log) =>
      askedUndeclared(log, question('sampling/createMessage', { ...SAMPLING, tools: [] }), {
        sampling: {},
      }),
  ],
  [
    'a server that asks for what there is not',
    ['MRT-02 error server'],
    /"ping", which no client can be asked for/,
    (log) => called(log, question('ping')),
  ],
  [
    'a next round with the id of the first',
    ['MRT-03 error client'],
    /keeps the id 7/,
    (log) => rounds(log, {}, { inputResponses: { name: {} } }, 7),
  ],
  [
    'a next round with another state',
    ['MRT-03 error client'],
    /carries another requestState than was given/,
    (log) =>
      rounds(log, { requestState: 'é' }, { requestState: 'e', inputResponses: { name: {} } }),
  ],
  [
    'a next round without the state',
    ['MRT-03 error client'],
    /leaves the requestState out/,
    (log) => rounds(log, { requestState: 's' }, { inputResponses: { name: {} } }),
  ],
  [
    'a next round with a state of its own',
    ['MRT-03 error client'],
    /carries a requestState, although none was given/,
    (log) => rounds(log, {}, { requestState: 's', inputResponses: { name: {} } }),
  ],
  [
    'a next round without an answer',
    ['MRT-03 error client'],
    /leaves out the answer to "name"/,
    (log) => rounds(log, {}, { inputResponses: { other: {} } }),
  ],
  [
    'a state that no result has given',
    ['MRT-03 error client'],
    /carries a requestState that no result of it has given/,
    (log) => void asked(modern(log), 'tools/call', { name: 'x', requestState: 's' }, complete()),
  ],
];

const CACHING: BuiltCase[] = [
  [
    'a list without caching hints',
    ['CAC-01 error server'],
    /ttlMs is nothing and cacheScope is nothing/,
    (log) => void asked(modern(log), 'tools/list', {}, complete({ tools: [] })),
  ],
  [
    'a list that may be kept for less than nothing',
    ['CAC-01 error server'],
    /ttlMs is -1\.5 and cacheScope is "shared"/,
    (log) =>
      void asked(
        modern(log),
        'tools/list',
        {},
        cacheable({ tools: [], ttlMs: -1.5, cacheScope: 'shared' }),
      ),
  ],
  [
    'an interim result with caching hints',
    ['CAC-01 warning server'],
    /interim result of `resources\/read` carries caching hints/,
    (log) => void asked(modern(log), 'resources/read', { uri: 'a:b' }, interim({ ttlMs: 5 })),
  ],
  [
    'pages of one list with different scopes',
    ['CAC-02 error server'],
    /has the cacheScope "private", the page before it "public"/,
    (log) => {
      asked(modern(log), 'tools/list', {}, cacheable({ tools: [], nextCursor: 'p2' }));
      const page = cacheable({ tools: [], cacheScope: 'private' });
      asked(log, 'tools/list', { cursor: 'p2' }, page);
    },
  ],
];

/** Broken peers of the modern era, by the family of the rule. */
export const MODERN_CASES: readonly BuiltCase[] = [
  ...MODERN,
  ...HEADERS,
  ...HTTP,
  ...PROGRESS,
  ...SUBSCRIPTIONS,
  ...ROUNDS,
  ...CACHING,
];
