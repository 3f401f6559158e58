import { setImmediate } from 'node:timers/promises';
import {
  anyResult,
  notification,
  openStream,
  pause,
  progress,
  queryNumber,
  sendEvent,
  write,
} from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import type { Fault, Faults } from '../fault.ts';
import { textResult } from '../tiny-mcp.ts';

/** A stream with exactly this body, closed or left open. */
function stream(
  about: string,
  build: (exchange: Exchange) => string | Uint8Array,
  isOpen = false,
): Fault {
  return {
    about,
    at: 'calls',
    answer(exchange) {
      const response = openStream(exchange);
      const body = build(exchange);
      if (body.length > 0) response.write(body);
      if (!isOpen) response.end();
    },
  };
}

const log = (data: string): string =>
  notification('notifications/message', { level: 'info', data });

async function resetInside(exchange: Exchange): Promise<void> {
  const response = openStream(exchange);
  sendEvent(response, progress(exchange, 1, 2));
  response.write(`data: ${anyResult(exchange).slice(0, 20)}`);
  // Lets what was written out before the reset, which drops what is still queued.
  await pause(exchange, 50);
  exchange.request.socket.resetAndDestroy();
}

async function sendComments(exchange: Exchange): Promise<void> {
  openStream(exchange);
  for (;;) {
    await write(exchange, ': keepalive\n\n');
    await pause(exchange, queryNumber(exchange, 'ms', 200));
  }
}

async function sendHuge(exchange: Exchange): Promise<void> {
  const [head = '', tail = ''] = textResult(exchange, '@').split('@');
  const part = 'x'.repeat(64 * 1024);
  const response = openStream(exchange);
  await write(exchange, `data: ${head}`);
  for (let left = queryNumber(exchange, 'mb', 20) * 16; left > 0; left -= 1) {
    await write(exchange, part);
  }
  response.end(`${tail}\n\n`);
}

async function drip(exchange: Exchange): Promise<void> {
  const response = openStream(exchange);
  const text = `id: 1\r\ndata: ${progress(exchange, 1, 2)}\r\n\r\ndata: ${anyResult(exchange)}\r\n\r\n`;
  for (const byte of Buffer.from(text)) {
    await write(exchange, Uint8Array.of(byte));
    await pause(exchange, 1);
  }
  response.end();
}

async function burst(exchange: Exchange): Promise<void> {
  const response = openStream(exchange);
  const total = queryNumber(exchange, 'n', 1000);
  let part = '';
  for (let step = 1; step <= total; step += 1) {
    part += `event: message\nid: b-${step}\ndata: ${progress(exchange, step, total)}\n\n`;
    if (part.length < 16 * 1024) continue;
    await write(exchange, part);
    part = '';
    // Leaves the loop to other connections, as a server of its own process would.
    await setImmediate();
  }
  response.end(`${part}event: message\nid: b-end\ndata: ${anyResult(exchange)}\n\n`);
}

/** Answers to a call that are event streams. */
export const streamFaults: Faults = {
  'sse-no-response': stream('one progress event without id, then the end', (exchange) => {
    return `data: ${progress(exchange, 1, 2)}\n\n`;
  }),
  'sse-empty': stream('the end right after the head', () => ''),
  'sse-reset': { about: 'a connection reset inside an event', at: 'calls', answer: resetInside },
  'sse-unterminated': stream(
    'the whole result without any line end, left open',
    (exchange) => `data: ${anyResult(exchange)}`,
    true,
  ),
  'sse-cut-tail': stream('the result without its blank line, then the end', (exchange) => {
    return `id: 9\ndata: ${anyResult(exchange)}\n`;
  }),
  'sse-silent': stream('the head and nothing more, left open', () => '', true),
  'sse-comments-only': {
    about: 'a comment every ?ms= (200) and never a result',
    at: 'calls',
    answer: sendComments,
  },
  'sse-not-json-event': stream('a broken event between a good one and the result', (exchange) => {
    return `data: ${log('one')}\n\ndata: {"jsonrpc":"2.0",\n\ndata: ${anyResult(exchange)}\n\n`;
  }),
  'sse-heartbeat': stream('events that are JSON but no JSON-RPC, then the result', (exchange) => {
    return `${'data: {"type":"heartbeat"}\n\n'.repeat(5)}data: ${anyResult(exchange)}\n\n`;
  }),
  'sse-huge-event': { about: 'one event of ?mb= (20) megabytes', at: 'calls', answer: sendHuge },
  'sse-drip': { about: 'one byte each millisecond, CRLF line ends', at: 'calls', answer: drip },
  'sse-burst': { about: '?n= (1000) notifications, then the result', at: 'calls', answer: burst },
  'sse-cr': stream(
    'lone CR line ends, left open',
    (exchange) => `id: 1\rdata: ${log('one')}\r\rdata: ${anyResult(exchange)}\r\r`,
    true,
  ),
  'sse-bom': stream('a byte order mark before the first event', (exchange) => {
    return `\ufeffdata: ${anyResult(exchange)}\n\n`;
  }),
  'sse-odd-fields': stream('priming, retry, comments, a bad id, unknown fields', (exchange) => {
    return (
      'retry: 50x\nretry: 3000\n: hello\nid: p-0\ndata:\n\nid: a\0b\nDATA: x\n\n' +
      `id: p-1\nevent: message\n: between\ndata:${anyResult(exchange)}\n\n`
    );
  }),
  'sse-separators': stream('U+2028, U+2029 and U+0085 raw inside a string', (exchange) => {
    return `data: ${textResult(exchange, 'a\u2028b\u2029c\u0085d')}\n\n`;
  }),
  'sse-invalid-utf8': stream('a byte that is no UTF-8 inside a string', (exchange) => {
    return Buffer.from(`data: ${textResult(exchange, 'a\u00ffb')}\n\n`, 'latin1');
  }),
  'sse-batch': stream('an array with a notification and the result', (exchange) => {
    return `data: [${log('one')},${anyResult(exchange)}]\n\n`;
  }),
  'sse-endpoint': stream(
    'the `endpoint` event of a 2024-11-05 server, left open',
    () => 'event: endpoint\ndata: /messages/abc\n\n',
    true,
  ),
  'progress-after-result': stream('a progress event after the result', (exchange) => {
    return `data: ${anyResult(exchange)}\n\ndata: ${progress(exchange, 2, 2)}\n\n`;
  }),
  'result-twice': stream('the same result in two events', (exchange) => {
    return `data: ${anyResult(exchange)}\n\n`.repeat(2);
  }),
};
