import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { behave, type Behaviour } from './scripted-behaviour.ts';
import { httpChunk, LAST_CHUNK, readRequests, type RawRequest } from './scripted-http.ts';

/**
 * A piece of an answer, in order: bytes for this answer's body, in a chunk of their own; bytes for the newest
 * open GET stream; waiting for a gate, or opening one.
 */
export type Part = string | Uint8Array | { push: string } | { wait: string } | { open: string };

/** Exactly what goes out for one request. `$id` in text is the request's id, `$token` its progress token. */
export interface Reply {
  /** Done before anything of the answer goes out. */
  before?: Part[];
  status?: number;
  headers?: Record<string, string | string[]>;
  /** The whole head as it goes out, in place of status and headers. */
  head?: string;
  body?: Part[];
  /** How the body's end is known: `none` sends no length at all. */
  framing?: 'chunked' | 'length' | 'none';
  /** `hang` leaves the answer open; `silent` sends nothing, not even the head. */
  ending?: 'complete' | 'close' | 'reset' | 'hang' | 'silent';
}

/** What to answer; several are taken in turn, the last one from then on. `undefined` behaves well. */
export type Answer =
  | Reply
  | (Reply | undefined)[]
  | ((request: RawRequest, nth: number) => Reply | undefined);

/**
 * Answers by what is asked: a JSON-RPC method, `response` for an answer of the client, `GET`, `POST`, `DELETE`,
 * one of these with a path, or `*`. The first that fits counts; everything else is answered well.
 */
export type Script = Record<string, Answer>;

export interface ScriptedServer extends AsyncDisposable {
  origin: string;
  url(path?: string): string;
  /** All requests, in the order in which they were complete. */
  requests: RawRequest[];
  /** Requests with this JSON-RPC method, or else this HTTP method. */
  of(what: string): RawRequest[];
  open(gate: string): void;
  /** Writes to the newest open GET stream. */
  push(text: string): void;
  /** Resolves when `found` returns something; asked again at every request and every client that leaves. */
  until<T>(found: () => T | undefined | false, what?: string): Promise<T>;
  /** Cuts every TCP connection. */
  drop(): void;
}

const GIVE_UP_MS = 10_000;

/** Starts a server on a free port that follows a script, byte by byte. */
export async function startScripted(
  script: Script = {},
  behaviour: Behaviour = {},
): Promise<ScriptedServer> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const counts = new Map<string, number>();
  const waiting = new Set<() => void>();
  let streams: ((bytes: Buffer) => void)[] = [];
  let connections = 0;
  let sessions = 0;

  function gate(name: string): PromiseWithResolvers<void> {
    const found = gates.get(name) ?? Promise.withResolvers<void>();
    gates.set(name, found);
    return found;
  }

  function notify(): void {
    for (const check of waiting) check();
  }

  const server = createServer({ noDelay: true }, (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // A client that leaves is part of many cases.
    socket.on('error', () => undefined);
    readRequests(socket, connections, (request) => void take(socket, request));
  });

  async function take(socket: Socket, request: RawRequest): Promise<void> {
    requests.push(request);
    notify();
    let isOver = false;
    const left = () => {
      request.isAbandoned = !isOver;
      notify();
    };
    socket.once('close', left);
    await answer(socket, request, replyTo(request));
    isOver = true;
    socket.off('close', left);
  }

  function replyTo(request: RawRequest): Reply {
    for (const [key, scripted] of Object.entries(script)) {
      if (!fits(key, request)) continue;
      const nth = (counts.get(key) ?? 0) + 1;
      counts.set(key, nth);
      const reply = pick(scripted, request, nth);
      if (reply !== undefined) return reply;
      break;
    }
    return behave(request, behaviour, () => (sessions += 1));
  }

  async function answer(socket: Socket, request: RawRequest, reply: Reply): Promise<void> {
    const { before = [], body = [], ending = 'complete', framing = 'chunked' } = reply;
    const text = (template: string) => fill(template, request);
    await play(before, () => undefined, text);
    if (ending === 'silent') return new Promise(() => undefined);
    socket.write(text(reply.head ?? headOf(reply, request)), 'latin1');
    const isChunked = framing === 'chunked' && reply.head === undefined;
    const write = (bytes: Buffer) => {
      if (bytes.length > 0) socket.write(isChunked ? httpChunk(bytes) : bytes);
    };
    if (request.method === 'GET') {
      streams.push(write);
      socket.once('close', () => (streams = streams.filter((other) => other !== write)));
    }
    await play(body, write, text);
    switch (ending) {
      case 'complete':
        streams = streams.filter((other) => other !== write);
        if (isChunked && !hasNoBody(reply)) socket.write(LAST_CHUNK);
        return;
      case 'close':
        socket.end();
        return;
      case 'reset':
        socket.resetAndDestroy();
        return;
      case 'hang':
        await new Promise(() => undefined);
    }
  }

  async function play(
    parts: Part[],
    write: (bytes: Buffer) => void,
    text: (template: string) => string,
  ): Promise<void> {
    for (const part of parts) {
      if (typeof part === 'string') write(Buffer.from(text(part)));
      else if (part instanceof Uint8Array) write(Buffer.from(part));
      else if ('push' in part) streams.at(-1)?.(Buffer.from(text(part.push)));
      else if ('wait' in part) await gate(part.wait).promise;
      else gate(part.open).resolve();
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const origin = `http://127.0.0.1:${address.port}`;

  return {
    origin,
    url: (path = '/mcp') => `${origin}${path}`,
    requests,
    of: (what) =>
      requests.filter(({ method, message }) => message.method === what || method === what),
    open: (name) => gate(name).resolve(),
    push: (text) => streams.at(-1)?.(Buffer.from(text)),
    until(found, what = String(found)) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          const seen = requests.map(
            ({ method, target, body }) => `${method} ${target} ${body.slice(0, 80)}`,
          );
          reject(new Error(`never happened at the server: ${what}\n${seen.join('\n')}`));
        }, GIVE_UP_MS);
        const check = () => {
          const value = found();
          if (value === undefined || value === false) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve(value);
        };
        waiting.add(check);
        check();
      });
    },
    drop() {
      for (const socket of sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function fits(key: string, { method, target, message }: RawRequest): boolean {
  if (key === '*' || key === message.method || key === method) return true;
  if (key === `${method} ${target}`) return true;
  return key === 'response' && method === 'POST' && message.method === undefined;
}

function pick(scripted: Answer, request: RawRequest, nth: number): Reply | undefined {
  if (typeof scripted === 'function') return scripted(request, nth);
  return Array.isArray(scripted) ? scripted[Math.min(nth, scripted.length) - 1] : scripted;
}

function fill(template: string, { message }: RawRequest): string {
  const meta = message.params?.['_meta'] as { progressToken?: unknown } | undefined;
  return template
    .replaceAll('$id', () => JSON.stringify(message.id) ?? 'null')
    .replaceAll('$token', () => JSON.stringify(meta?.progressToken) ?? 'null');
}

function hasNoBody({ status = 200 }: Reply): boolean {
  return status === 204 || status === 304;
}

function headOf(reply: Reply, request: RawRequest): string {
  const { status = 200, headers = {}, body = [], framing = 'chunked' } = reply;
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}`),
  );
  if (!hasNoBody(reply) && framing !== 'none') {
    lines.push(
      framing === 'chunked'
        ? 'Transfer-Encoding: chunked'
        : `Content-Length: ${lengthOf(body, request)}`,
    );
  }
  return [`HTTP/1.1 ${status} Scripted`, ...lines, '', ''].join('\r\n');
}

function lengthOf(body: Part[], request: RawRequest): number {
  const sizes = body.map((part) => {
    if (typeof part === 'string') return Buffer.byteLength(fill(part, request));
    return part instanceof Uint8Array ? part.length : 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}
