import { isRecord, openStream, pause, send, sendEvent, sendJson } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import type { Fault, Faults } from '../fault.ts';
import { goodAnswer } from '../tiny-modern-behaviour.ts';
import { refuse, type Refusal } from '../tiny-modern-check.ts';
import { onSubscription, openModernStream } from '../tiny-modern-listen.ts';
import { modernResult, modernText } from '../tiny-modern-result.ts';
import { MODERN_TOOLS, question } from '../tiny-modern-tools.ts';

type Members = Record<string, unknown>;

/** A good answer whose result is changed; undefined takes a member out. */
function altered(
  about: string,
  at: string,
  change: Members | ((result: Members) => Members),
): Fault {
  return {
    about,
    at,
    isModern: true,
    answer(exchange) {
      const { id } = exchange.message;
      const message: unknown = JSON.parse(goodAnswer(exchange) ?? '{}');
      const before = isRecord(message) && isRecord(message['result']) ? message['result'] : {};
      const result = typeof change === 'function' ? change(before) : { ...before, ...change };
      sendJson(exchange, JSON.stringify({ jsonrpc: '2.0', id, result }));
    },
  };
}

function refusing(about: string, at: string, refusal: Omit<Refusal, 'message'>): Fault {
  const message = 'Refused';
  return {
    about,
    at,
    isModern: true,
    answer: (exchange) => refuse(exchange, { message, ...refusal }),
  };
}

/** A call answered in a stream: with these messages, and the result behind them. */
function streaming(about: string, messages: (exchange: Exchange) => string[]): Fault {
  return {
    about,
    at: 'tools/call',
    isModern: true,
    answer(exchange) {
      const stream = openModernStream(exchange);
      for (const message of messages(exchange)) sendEvent(stream, message);
      sendEvent(stream, modernText(exchange, 'ok'));
      stream.end();
    },
  };
}

/** A subscription that begins with these messages. */
function listening(about: string, messages: (exchange: Exchange) => string[]): Fault {
  return {
    about,
    at: 'subscriptions/listen',
    isModern: true,
    answer(exchange) {
      const stream = openModernStream(exchange);
      for (const message of messages(exchange)) sendEvent(stream, message);
    },
  };
}

function sending(about: string, at: string, answer: (exchange: Exchange) => void): Fault {
  return { about, at, isModern: true, answer };
}

const LIST_CHANGED = 'notifications/tools/list_changed';
const LOG = JSON.stringify({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data: 'hello' },
});

function acknowledgment(exchange: Exchange): string {
  const notifications = { toolsListChanged: true };
  return onSubscription(exchange, 'notifications/subscriptions/acknowledged', { notifications });
}

function isSecondPage({ message }: Exchange): boolean {
  return message.params?.['cursor'] !== undefined;
}

/** Servers of revision 2026-07-28: one that behaves well, and its faults. */
export const modernFaults: Faults = {
  modern: { about: 'a small server of 2026-07-28 that behaves well', at: 'none', isModern: true },
  'modern-no-type': altered('results of tools without a resultType', 'tools/call', {
    resultType: undefined,
  }),
  'modern-odd-type': altered('results of tools of the type "weird"', 'tools/call', {
    resultType: 'weird',
  }),
  'modern-no-name': altered('results of tools without serverInfo', 'tools/call', { _meta: {} }),
  'modern-legacy-results': altered(
    'results shaped as before 2026-07-28, all but the discovery',
    'tools/list tools/call resources/read prompts/list',
    ({ resultType: _type, ttlMs: _ttl, cacheScope: _scope, _meta: _own, ...result }) => result,
  ),
  'modern-server-request': streaming('a ping of the server on the stream of a call', () => [
    '{"jsonrpc":"2.0","id":"a","method":"ping"}',
  ]),
  'modern-thin-discovery': altered('a discovery without capabilities', 'server/discover', {
    capabilities: undefined,
  }),
  'modern-thin-refusal': refusing(
    '-32021 with 200, and without naming a capability',
    'tools/call',
    {
      status: 200,
      code: -32021,
    },
  ),
  'modern-mute-initialize': refusing(
    'initialize refused by -32020, without a word about versions',
    'initialize',
    { status: 400, code: -32020 },
  ),
  'modern-old-code': refusing('-32002 for a resource', 'resources/read', {
    status: 200,
    code: -32002,
  }),
  'modern-own-code': refusing('-32050 for a tool', 'tools/call', { status: 200, code: -32050 }),
  'modern-200-unknown': refusing('an unknown method refused with 200', 'no/such', {
    status: 200,
    code: -32601,
  }),
  'modern-lax': altered('a server that does not compare headers', 'tools/call', {}),
  'modern-number-header': altered('a tool that wants a number mirrored', 'tools/list', {
    tools: [
      ...MODERN_TOOLS,
      {
        name: 'bad',
        inputSchema: {
          type: 'object',
          properties: { ratio: { type: 'number', 'x-mcp-header': 'Ratio' } },
        },
      },
    ],
    nextCursor: undefined,
  }),
  'modern-session': sending('a session id with each result of a tool', 'tools/call', (exchange) => {
    exchange.response.setHeader('Mcp-Session-Id', 'a-session-that-there-is-not');
    sendJson(exchange, modernText(exchange, 'ok'));
  }),
  'modern-html': sending('a web page for a call', 'tools/call', (exchange) =>
    send(exchange, 200, 'text/html', '<!doctype html><title>Hello</title>'),
  ),
  'modern-202': sending('202 for a call', 'tools/call', (exchange) => send(exchange, 202)),
  'modern-event-ids': sending('event ids in the stream of a call', 'tools/call', (exchange) => {
    const stream = openModernStream(exchange);
    sendEvent(stream, modernText(exchange, 'ok'), 'e-1');
    stream.end();
  }),
  'modern-buffered': sending('a stream without X-Accel-Buffering', 'tools/call', (exchange) => {
    const stream = openStream(exchange);
    sendEvent(stream, modernText(exchange, 'ok'));
    stream.end();
  }),
  'modern-chatty': streaming('log messages that were not asked for', () => [LOG]),
  'modern-unacknowledged': listening('a subscription without its acknowledgment', (exchange) => [
    onSubscription(exchange, LIST_CHANGED),
    onSubscription(exchange, LIST_CHANGED),
  ]),
  'modern-nameless': listening('notifications that name no subscription', (exchange) => [
    acknowledgment(exchange),
    JSON.stringify({ jsonrpc: '2.0', method: LIST_CHANGED }),
  ]),
  'modern-unasked': listening('notifications that the filter leaves out', (exchange) => [
    acknowledgment(exchange),
    onSubscription(exchange, 'notifications/prompts/list_changed'),
  ]),
  'modern-listen-reset': {
    about: 'a subscription that breaks off after its acknowledgment',
    at: 'subscriptions/listen',
    isModern: true,
    async answer(exchange) {
      sendEvent(openModernStream(exchange), acknowledgment(exchange));
      // Lets what was written out before the reset, which drops what is still queued.
      await pause(exchange, 50);
      exchange.request.socket.resetAndDestroy();
    },
  },
  'modern-asking-list': sending('a list that asks for input', 'prompts/list', (exchange) => {
    const isAnswered = exchange.message.params?.['inputResponses'] !== undefined;
    const asking = { resultType: 'input_required', inputRequests: question(1) };
    const text = isAnswered ? goodAnswer(exchange) : modernResult(exchange, asking);
    sendJson(exchange, text ?? '{}');
  }),
  'modern-asking-nothing': altered('an interim result that asks for nothing', 'tools/call', {
    resultType: 'input_required',
  }),
  'modern-asking-undeclared': altered('sampling, whatever the client declares', 'tools/call', {
    resultType: 'input_required',
    inputRequests: {
      a: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 9 } },
    },
  }),
  'modern-no-hints': altered('a resource without caching hints', 'resources/read', {
    ttlMs: undefined,
    cacheScope: undefined,
  }),
  'modern-mixed-scopes': sending('a second page that is private', 'tools/list', (exchange) => {
    const text = goodAnswer(exchange) ?? '{}';
    const isPrivate = isSecondPage(exchange);
    sendJson(exchange, isPrivate ? text.replace('"public"', '"private"') : text);
  }),
};
