import { setImmediate } from 'node:timers/promises';
import {
  anyResult,
  notification,
  pause,
  queryNumber,
  result,
  rpcError,
  send,
  sendEvent,
  sendJson,
  write,
} from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import type { Fault, Faults } from '../fault.ts';
import { findSession, textResult } from '../tiny-mcp.ts';

function typed(type: string | undefined, about: string): Fault {
  return {
    about,
    at: 'calls',
    answer: (exchange) => send(exchange, 200, type, anyResult(exchange)),
  };
}

function json(about: string, build: (exchange: Exchange) => string): Fault {
  return { about, at: 'calls', answer: (exchange) => sendJson(exchange, build(exchange)) };
}

async function sendTruncated(exchange: Exchange): Promise<void> {
  const text = anyResult(exchange);
  const { request, response } = exchange;
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': String(text.length),
  });
  response.write(text.slice(0, -10));
  await setImmediate();
  request.socket.end();
}

async function sendHuge(exchange: Exchange): Promise<void> {
  const part = 'x'.repeat(64 * 1024);
  const [head = '', tail = ''] = textResult(exchange, '@').split('@');
  exchange.response.writeHead(200, { 'Content-Type': 'application/json' });
  await write(exchange, head);
  for (let left = queryNumber(exchange, 'mb', 20) * 16; left > 0; left -= 1) {
    await write(exchange, part);
  }
  exchange.response.end(tail);
}

async function answerOnGet(exchange: Exchange): Promise<void> {
  const session = findSession(exchange);
  if (session === undefined) return;
  const text = anyResult(exchange);
  if (exchange.query.has('twice')) sendJson(exchange, text);
  else send(exchange, 202);
  for (const stream of session.streams) sendEvent(stream, text);
}

function answerAnother(exchange: Exchange): void {
  const session = findSession(exchange);
  if (session === undefined) return;
  for (const stream of session.streams) sendEvent(stream, ANOTHER);
}

async function answerLate(exchange: Exchange): Promise<void> {
  await pause(exchange, queryNumber(exchange, 'ms', 3000));
  sendJson(exchange, anyResult(exchange));
}

/** A result that answers nobody. */
const ANOTHER = '{"jsonrpc":"2.0","id":987,"result":{}}';

/** Answers to a call whose body, media type or id is wrong. */
export const bodyFaults: Faults = {
  'no-content-type': typed(undefined, 'a good JSON body without Content-Type'),
  'text-plain': typed('text/plain', 'a good JSON body as text/plain'),
  'octet-stream': typed('application/octet-stream', 'a good JSON body as octets'),
  'sse-header-json-body': typed('text/event-stream', 'a JSON body that is called a stream'),
  'json-header-sse-body': json('a stream that is called JSON', (exchange) => {
    return `event: message\ndata: ${anyResult(exchange)}\n\n`;
  }),
  'accepted-202-request': {
    about: '202 for a request, and nothing after it',
    at: 'calls',
    answer: (exchange) => send(exchange, 202),
  },
  'accepted-202-on-get': {
    about: '202 for a request, the result on the GET stream (?twice: on both)',
    at: 'calls',
    answer: answerOnGet,
  },
  'empty-200': {
    about: '200 without body and type',
    at: 'calls',
    answer: (exchange) => send(exchange, 200),
  },
  'empty-json': json('an empty body that is called JSON', () => ''),
  'not-json': json('text that is called JSON', () => 'Internal error: out of cheese'),
  'not-rpc': json('JSON that is no JSON-RPC', () => '{"status":"ok"}'),
  'truncated-json': {
    about: 'fewer bytes than Content-Length says',
    at: 'calls',
    answer: sendTruncated,
  },
  'two-json': json('two JSON values in one body', (exchange) => {
    return `${anyResult(exchange)}\n${anyResult(exchange)}`;
  }),
  'json-with-bom': json('a byte order mark before the JSON', (exchange) => {
    return `\ufeff${anyResult(exchange)}`;
  }),
  'json-batch': json('an array with a notification and the result', (exchange) => {
    const log = notification('notifications/message', { level: 'info', data: 'first' });
    return `[${log},${anyResult(exchange)}]`;
  }),
  'json-huge': { about: 'a result of ?mb= (20) megabytes', at: 'calls', answer: sendHuge },
  'wrong-id': json('the id as a string where it was a number', (exchange) => {
    return JSON.stringify({ jsonrpc: '2.0', id: String(exchange.message.id), result: {} });
  }),
  'other-id': json('an id that nobody asked with', () => ANOTHER),
  'other-id-on-get': {
    about: 'no answer, and an id that nobody asked with on the GET stream',
    at: 'calls',
    answer: answerAnother,
  },
  'id-null-error': json('an error with id null', () => rpcError(null, -32603, 'boom')),
  'rpc-error': json('an ordinary JSON-RPC error', (exchange) => {
    return rpcError(exchange.message.id, -32602, 'Unknown tool');
  }),
  'echo-headers': json('a result that repeats all request headers', (exchange) => {
    return textResult(exchange, JSON.stringify(exchange.request.rawHeaders));
  }),
  'late-answer': { about: 'the result after ?ms= (3000)', at: 'calls', answer: answerLate },
  'big-integers': json('integers above 2^53 and odd spacing', (exchange) => {
    const text = result(exchange, {
      content: [{ type: 'text', text: 'a big one' }],
      structuredContent: { id: '@' },
    });
    return text.replace('"@"', ' 1915883588174806058 ,  "ratio": 1.0');
  }),
};
