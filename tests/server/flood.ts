import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import { openEventStream, resultText, startPlainLegacy, type PlainLegacy } from './plain-legacy.ts';

/** 300 MB in messages of ordinary size. */
export const FLOOD_BYTES = 300_000_000;
const MESSAGE_BYTES = 16_000;
/** How much a WebSocket of the server may have buffered, in bytes. */
const SOCKET_BUFFER = 1_000_000;

export interface FloodServer extends PlainLegacy {
  /** Bytes that were given to the network so far, what was sent again included. */
  readonly sentBytes: number;
  /** How many messages it takes in all, the result of the call not counted. */
  readonly messages: number;
}

/**
 * A server whose tool `flood` answers with so many bytes of notifications as fast as they are taken, and then
 * with its result; over HTTP its events have ids, and it goes on after any of them.
 */
export async function startFlood(sizeBytes = FLOOD_BYTES): Promise<FloodServer> {
  const messages = Math.ceil(sizeBytes / MESSAGE_BYTES);
  let sentBytes = 0;
  let callId: unknown;

  async function pour(response: ServerResponse, from: number): Promise<void> {
    for (let number = from; number <= messages; number += 1) {
      if (response.destroyed) return;
      const data = number === messages ? resultText(callId, RESULT) : notificationText(number);
      const event = `id: f-${number}\ndata: ${data}\n\n`;
      sentBytes += event.length;
      if (!response.write(event)) await once(response, 'drain');
    }
    response.end();
  }

  const server = await startPlainLegacy({
    stream(response, lastEventId) {
      if (lastEventId === undefined) return;
      void pour(response, Number(lastEventId.slice('f-'.length)) + 1).catch(() => undefined);
    },
    call(message, response) {
      callId = message.id;
      openEventStream(response);
      // A client that leaves while it is waited for.
      response.once('close', () => response.emit('drain'));
      void pour(response, 0).catch(() => undefined);
    },
    socketCall: (message, socket) => void pourInto(socket, message.id),
  });

  async function pourInto(socket: WebSocket, id: unknown): Promise<void> {
    for (let number = 0; number < messages && socket.readyState === socket.OPEN; number += 1) {
      const text = notificationText(number);
      sentBytes += text.length;
      const written = new Promise((resolve) => socket.send(text, resolve));
      if (socket.bufferedAmount > SOCKET_BUFFER) await written;
    }
    if (socket.readyState === socket.OPEN) socket.send(resultText(id, RESULT));
  }

  return {
    url: server.url,
    socketUrl: server.socketUrl,
    log: server.log,
    messages,
    get sentBytes() {
      return sentBytes;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const RESULT = { content: [{ type: 'text', text: 'That was all.' }] };

/** Letters that do not repeat, since browsers compress what they store. */
const NOISE = randomBytes(4 * MESSAGE_BYTES).toString('base64');

function notificationText(number: number): string {
  const start = (number * 7) % (NOISE.length - MESSAGE_BYTES);
  const data = `number ${number} ${NOISE.slice(start, start + MESSAGE_BYTES - 150)}`;
  const params = { level: 'info', logger: 'flood', data };
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params });
}
