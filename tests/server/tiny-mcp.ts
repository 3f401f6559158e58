import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import {
  isRecord,
  notification,
  openStream,
  pause,
  progress,
  result,
  rpcError,
  send,
  sendEvent,
  sendJson,
} from './exchange.ts';
import type { Exchange, Session } from './exchange.ts';

const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25'];

export interface TinySettings {
  /** Chosen whatever the client offers; the key present with undefined leaves the member out. */
  protocolVersion?: unknown;
  /** False for a server that keeps no sessions. */
  hasSessions?: boolean;
}

const TOOLS = [
  tool('echo', 'Answers in JSON with the text it was given', { text: { type: 'string' } }),
  tool('slow', 'Answers in a stream after some milliseconds', { ms: { type: 'number' } }),
  tool('progress', 'Reports every step in a stream', { steps: { type: 'number' } }),
  tool('fail', 'Answers with a result that is an error of the tool', {}),
  tool('notify', 'Sends log messages on the GET stream', { count: { type: 'number' } }),
];

function tool(name: string, description: string, properties: Record<string, unknown>) {
  const inputSchema = { type: 'object', properties };
  return { name, description, inputSchema, annotations: { readOnlyHint: true } };
}

/**
 * A small legacy server that behaves well, and is as strict as the specification lets it be: media types,
 * session id and version header are checked on every request.
 */
export async function behaveWell(exchange: Exchange, settings: TinySettings = {}): Promise<void> {
  const { request, message } = exchange;
  if (request.method === 'GET') {
    openGetStream(exchange, settings);
  } else if (request.method === 'DELETE') {
    endSession(exchange, settings);
  } else if (request.method !== 'POST') {
    send(exchange, 405, 'text/plain', 'Method not allowed');
  } else if (!accepts(exchange, 'application/json') || !accepts(exchange, 'text/event-stream')) {
    sendJson(exchange, rpcError(null, -32000, 'Not acceptable: JSON and event streams'), 406);
  } else if (request.headers['content-type'] !== 'application/json') {
    sendJson(exchange, rpcError(null, -32000, 'Unsupported media type'), 415);
  } else if (message.method === 'initialize') {
    initialize(exchange, settings);
  } else {
    const session = findSession(exchange, settings);
    if (session === undefined) return;
    session.requestCount += 1;
    if (typeof message.method === 'string' && message.id !== undefined) {
      await answer(exchange, session);
    } else {
      if (message.method === undefined) session.answers.set(String(message.id), exchange.body);
      send(exchange, 202);
    }
  }
}

/** Opens a standalone stream; undefined when it was refused, with the refusal sent. */
export function openGetStream(
  exchange: Exchange,
  settings: TinySettings = {},
): ServerResponse | undefined {
  if (!accepts(exchange, 'text/event-stream')) {
    sendJson(exchange, rpcError(null, -32000, 'Not acceptable: event stream'), 406);
    return undefined;
  }
  const session = findSession(exchange, settings);
  if (session === undefined) return undefined;
  const stream = openStream(exchange);
  // One byte of body: Firefox hands out the head of a response only then.
  stream.write(': stream is open\n\n');
  session.streams.add(stream);
  stream.once('close', () => session.streams.delete(stream));
  return stream;
}

/** The session that the request names; undefined when it was refused, with the refusal sent. */
export function findSession(exchange: Exchange, settings: TinySettings = {}): Session | undefined {
  const { headers } = exchange.request;
  const id = settings.hasSessions === false ? 'none' : headers['mcp-session-id'];
  if (typeof id !== 'string') {
    sendJson(exchange, rpcError(null, -32000, 'Bad request: no session id'), 400);
    return undefined;
  }
  const session = exchange.sessions.get(id);
  if (session === undefined) {
    sendJson(exchange, rpcError(null, -32001, 'Session not found'), 404);
    return undefined;
  }
  const isWanted = typeof session.revision === 'string' && session.revision > '2025-03-26';
  const version = headers['mcp-protocol-version'];
  if ((isWanted || version !== undefined) && version !== session.revision) {
    sendJson(exchange, rpcError(null, -32000, 'Bad request: protocol version'), 400);
    return undefined;
  }
  return session;
}

function initialize(exchange: Exchange, settings: TinySettings): void {
  if (exchange.request.headers['mcp-session-id'] !== undefined) {
    sendJson(exchange, rpcError(exchange.message.id, -32600, 'A session exists already'), 400);
    return;
  }
  const offered = exchange.message.params?.['protocolVersion'];
  const known = REVISIONS.find((revision) => revision === offered) ?? REVISIONS.at(-1);
  const revision = 'protocolVersion' in settings ? settings.protocolVersion : known;
  const id = settings.hasSessions === false ? 'none' : randomUUID();
  exchange.sessions.set(id, {
    id,
    revision,
    streams: new Set(),
    answers: new Map(),
    requestCount: 0,
    askedCount: 0,
  });
  if (id !== 'none') exchange.response.setHeader('Mcp-Session-Id', id);
  const text = result(exchange, {
    protocolVersion: revision,
    capabilities: { tools: {}, logging: {} },
    serverInfo: { name: 'misbehaving', version: '1.0.0' },
  });
  sendJson(exchange, text);
}

function endSession(exchange: Exchange, settings: TinySettings): void {
  if (settings.hasSessions === false) {
    send(exchange, 405);
    return;
  }
  const session = findSession(exchange, settings);
  if (session === undefined) return;
  exchange.sessions.delete(session.id);
  for (const stream of session.streams) stream.end();
  send(exchange, 200);
}

async function answer(exchange: Exchange, session: Session): Promise<void> {
  const { id, method, params } = exchange.message;
  if (method === 'ping' || method === 'logging/setLevel') sendJson(exchange, result(exchange, {}));
  else if (method === 'tools/list') sendJson(exchange, result(exchange, { tools: TOOLS }));
  else if (method === 'tools/call') await callTool(exchange, session, params ?? {});
  else sendJson(exchange, rpcError(id, -32601, `Method not found: ${String(method)}`));
}

async function callTool(
  exchange: Exchange,
  session: Session,
  params: Record<string, unknown>,
): Promise<void> {
  const given = isRecord(params['arguments']) ? params['arguments'] : {};
  const eventId = (step: number): string => `${String(exchange.message.id)}-${step}`;
  switch (params['name']) {
    case 'echo':
      sendJson(exchange, textResult(exchange, String(given['text'])));
      break;
    case 'fail': {
      const content = [{ type: 'text', text: 'The disk is full' }];
      sendJson(exchange, result(exchange, { content, isError: true }));
      break;
    }
    case 'slow': {
      const stream = openStream(exchange);
      await pause(exchange, Number(given['ms'] ?? 1000));
      sendEvent(stream, textResult(exchange, 'done'), eventId(1));
      stream.end();
      break;
    }
    case 'progress': {
      const steps = Number(given['steps'] ?? 3);
      const stream = openStream(exchange);
      for (let step = 1; step <= steps; step += 1) {
        sendEvent(stream, progress(exchange, step, steps), eventId(step));
        await pause(exchange, 5);
      }
      sendEvent(stream, textResult(exchange, `${steps} steps`), eventId(steps + 1));
      stream.end();
      break;
    }
    case 'notify': {
      const count = Number(given['count'] ?? 1);
      for (const stream of session.streams) {
        for (let index = 1; index <= count; index += 1) {
          const params = { level: 'info', data: `message ${index}` };
          sendEvent(stream, notification('notifications/message', params), `g-${index}`);
        }
      }
      sendJson(exchange, textResult(exchange, `${count} sent to ${session.streams.size} streams`));
      break;
    }
    default:
      sendJson(exchange, rpcError(exchange.message.id, -32602, 'Unknown tool'));
  }
}

export function textResult(exchange: Exchange, text: string): string {
  return result(exchange, { content: [{ type: 'text', text }] });
}

function accepts(exchange: Exchange, type: string): boolean {
  return exchange.request.headers.accept?.includes(type) ?? false;
}
