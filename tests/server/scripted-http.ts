import type { Socket } from 'node:net';
import type { RpcMessage } from './exchange.ts';
import { isRecord } from './exchange.ts';

/** One request as it came over the wire. */
export interface RawRequest {
  method: string;
  /** Path and query as sent. */
  target: string;
  /** In the order and case of the wire. */
  headers: [name: string, value: string][];
  body: string;
  /** The parsed body, an empty object where it is no JSON object. */
  message: RpcMessage;
  /** Head and body, byte for byte. */
  raw: Buffer;
  /** Number of the TCP connection, from 1. */
  connection: number;
  /** `performance.now()` when the whole request was there. */
  time: number;
  /** Whether the client left before the answer was complete. */
  isAbandoned: boolean;
}

/** First value of a header, by its name in lower case. */
export function header(request: RawRequest, name: string): string | undefined {
  return request.headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** Calls `take` for every request that comes over a socket, keep-alive included. */
export function readRequests(
  socket: Socket,
  connection: number,
  take: (request: RawRequest) => void,
): void {
  let waiting: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk]);
    for (;;) {
      const length = requestLength(waiting);
      if (length === undefined || waiting.length < length) return;
      const raw = waiting.subarray(0, length);
      waiting = waiting.subarray(length);
      take(parseRequest(raw, connection));
    }
  });
}

/** Bytes of the first request; undefined while its head is not complete. Clients of ours always say the length. */
function requestLength(bytes: Buffer): number | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  if (/^transfer-encoding:/im.test(head)) throw new Error('A chunked request is not understood.');
  return headEnd + 4 + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
}

function parseRequest(raw: Buffer, connection: number): RawRequest {
  const headEnd = raw.indexOf('\r\n\r\n');
  const [first = '', ...lines] = raw.toString('latin1', 0, headEnd).split('\r\n');
  const [method = '', target = ''] = first.split(' ');
  const body = raw.toString('utf8', headEnd + 4);
  return {
    method,
    target,
    headers: lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
    body,
    message: parseMessage(body),
    raw,
    connection,
    time: performance.now(),
    isAbandoned: false,
  };
}

function parseMessage(body: string): RpcMessage {
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** One chunk of the chunked transfer coding: it reaches a reader of the body as a chunk of its own. */
export function httpChunk(bytes: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ]);
}

export const LAST_CHUNK = '0\r\n\r\n';
