import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { isRecord, send } from './exchange.ts';
import type { Exchange, RpcMessage, Session } from './exchange.ts';
import { strikes } from './fault.ts';
import type { Fault, Faults } from './fault.ts';
import { bodyFaults } from './faults/bodies.ts';
import { httpFaults } from './faults/http.ts';
import { modernFaults } from './faults/modern.ts';
import { resumptionFaults } from './faults/resumption.ts';
import { sessionFaults } from './faults/sessions.ts';
import { streamFaults } from './faults/streams.ts';
import { behaveWell } from './tiny-mcp.ts';
import { behaveModern } from './tiny-modern-behaviour.ts';

/** A request as it came in. */
export interface RecordedRequest {
  method: string;
  /** Path and query. */
  url: string;
  /** In the order and case of the wire. */
  headers: [name: string, value: string][];
  /** Empty until the whole body is there. */
  body: string;
  /** Wall time, milliseconds. */
  time: number;
}

export interface MisbehavingServer {
  /** URL of a behaviour, with or without a query: `ok`, `sse-burst?n=50`. */
  url(name: string): string;
  /** All requests to the behaviours, in the order they came. */
  requests: RecordedRequest[];
  /** Requests to the second origin, where `redirect-cross-origin` leads. */
  trap: { origin: string; requests: RecordedRequest[] };
  /** Cuts every connection. */
  dropConnections(): void;
  close(): Promise<void>;
}

const OK: Fault = { about: 'a small legacy server that behaves well', at: 'none' };

/** Every behaviour by its path. */
const FAULTS: Faults = {
  ok: OK,
  ...httpFaults,
  ...bodyFaults,
  ...streamFaults,
  ...sessionFaults,
  ...resumptionFaults,
  ...modernFaults,
};

/** Starts the server with all behaviours on 127.0.0.1, each at `/NAME`, and its trap on another port. */
export async function startMisbehaving(port = 0): Promise<MisbehavingServer> {
  const requests: RecordedRequest[] = [];
  const trapRequests: RecordedRequest[] = [];
  const sessions = new Map<string, Session>();
  const closing = new AbortController();

  const trap = createServer((request, response) => {
    void record(request, trapRequests).then(() => response.writeHead(204).end(), ignoreGone);
  });
  const trapOrigin = await listen(trap, 0);

  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => {
      ignoreGone(error);
      response.destroy();
    });
  });
  const origin = await listen(server, port);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const body = await record(request, requests);
    const { pathname, searchParams: query } = new URL(request.url ?? '/', origin);
    if (pathname === '/control') {
      response.writeHead(204, { Connection: 'close' }).end();
      if (query.has('kill')) response.once('close', dropConnections);
      return;
    }
    const signal = AbortSignal.any([gone.signal, closing.signal]);
    const message = parse(body);
    const exchange = { request, response, body, message, query, sessions, trapOrigin, signal };
    await behave(findFault(pathname.slice(1)), exchange);
  }

  function dropConnections(): void {
    server.closeAllConnections();
  }

  return {
    url: (name) => `${origin}/${name}`,
    requests,
    trap: { origin: trapOrigin, requests: trapRequests },
    dropConnections,
    async close() {
      closing.abort();
      const closed = [server, trap].map((each) => once(each, 'close'));
      for (const each of [server, trap]) {
        each.close();
        each.closeAllConnections();
      }
      await Promise.all(closed);
    },
  };
}

function findFault(name: string): Fault | undefined {
  return FAULTS[name] ?? FAULTS[`status-${name}`];
}

async function behave(fault: Fault | undefined, exchange: Exchange): Promise<void> {
  if (fault === undefined) {
    send(exchange, 404, 'text/plain', 'No behaviour has this name');
    return;
  }
  const places = (exchange.query.get('at') ?? fault.at).split(' ');
  if (fault.answer !== undefined && places.some((place) => strikes(place, exchange))) {
    await fault.answer(exchange);
  } else if (fault.isModern === true) {
    await behaveModern(exchange);
  } else {
    await behaveWell(exchange, fault.settings);
  }
}

async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return `http://127.0.0.1:${address.port}`;
}

/** Notes a request as soon as its head is there; resolves with the body. */
async function record(request: IncomingMessage, into: RecordedRequest[]): Promise<string> {
  const { method = '', url = '', rawHeaders } = request;
  const headers: RecordedRequest['headers'] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  }
  const entry = { method, url, headers, body: '', time: Date.now() };
  into.push(entry);
  entry.body = await text(request);
  return entry.body;
}

function parse(body: string): RpcMessage {
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** A client that left is no fault of the server; anything else is one, and must be seen. */
function ignoreGone(error: unknown): void {
  const code = isRecord(error) || error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code !== 'ABORT_ERR' && code !== 'ECONNRESET') console.error(error);
}

if (import.meta.main) {
  const server = await startMisbehaving(Number(process.argv[2] ?? 0));
  for (const [name, { about }] of Object.entries(FAULTS)) {
    console.log(`${server.url(name).padEnd(56)} ${about}`);
  }
}
