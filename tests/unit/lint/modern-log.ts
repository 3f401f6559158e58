import type { Direction } from '../../../lib/capture/correlate/items.ts';
import type { RequestLinks } from '../../../lib/capture/wire-event.ts';
import { modernCall } from '../../../lib/protocol/modern-call.ts';
import type { ParamHeader } from '../../../lib/protocol/param-headers.ts';
import type { LintLog } from './lint-log.ts';

const META = 'io.modelcontextprotocol/';
export const V5 = '2026-07-28';

const SERVER = { name: 'test', version: '1' };

type Members = Record<string, unknown>;

/** How a request of the modern era differs from what a good client sends. */
export interface Change {
  id?: unknown;
  /** Fields of the envelope, without their prefix; undefined leaves one out. */
  envelope?: Members;
  /** Undefined leaves one out. */
  headers?: Record<string, string | undefined>;
  /** Arguments that the tool wants in headers. */
  mirrors?: ParamHeader[];
  links?: RequestLinks;
}

const ENVELOPE = {
  protocolVersion: V5,
  clientInfo: { name: 'test', version: '1' },
  clientCapabilities: { elicitation: {}, sampling: {}, roots: {} },
};

/** A request with the envelope and headers of a good client, but for what the test changes. */
export function ask(
  log: LintLog,
  method: string,
  params: Members = {},
  change: Change = {},
): { httpId: string; id: unknown } {
  const id = 'id' in change ? change.id : Number(log.nextId());
  const envelope = { ...ENVELOPE, ...change.envelope };
  const { headers: mirrored } = modernCall(
    method,
    JSON.stringify(params),
    ENVELOPE,
    () => change.mirrors ?? [],
  );
  const all: Record<string, string | undefined> = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...Object.fromEntries(mirrored.map(({ name, value }) => [name, value])),
    ...change.headers,
  };
  const headers = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  const body = { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta(params, envelope) } };
  const links = change.links === undefined ? {} : { links: change.links };
  return { httpId: log.request(body, { headers, ...links }), id };
}

function meta(params: Members, envelope: Members): Members {
  const own = (params['_meta'] ?? {}) as Members;
  const entries = Object.entries(envelope).filter(([, value]) => value !== undefined);
  return { ...own, ...Object.fromEntries(entries.map(([key, value]) => [`${META}${key}`, value])) };
}

/** A complete result with the identity of its server. */
export function complete(value: Members = {}): Members {
  const own = (value['_meta'] ?? {}) as Members;
  // What tools and prompts have to bring.
  const brought = { content: [], messages: [] };
  return {
    resultType: 'complete',
    ...brought,
    ...value,
    _meta: { [`${META}serverInfo`]: SERVER, ...own },
  };
}

export function cacheable(value: Members = {}): Members {
  return complete({ ttlMs: 1000, cacheScope: 'public', ...value });
}

/** An interim result that asks for a name. */
export function interim(value: Members = {}): Members {
  const params = { message: 'Name?', requestedSchema: { type: 'object', properties: {} } };
  const inputRequests = { name: { method: 'elicitation/create', params } };
  return complete({ resultType: 'input_required', inputRequests, ...value });
}

/** A request of ours and its JSON answer: a result, or an error where the value has a code. */
export function asked(
  log: LintLog,
  method: string,
  params: Members,
  answer: Members,
  change: Change & { status?: number } = {},
): string {
  const { httpId, id } = ask(log, method, params, change);
  const what = 'code' in answer ? { error: { message: 'no', ...answer } } : { result: answer };
  log.answer(httpId, { jsonrpc: '2.0', id, ...what }, change.status ?? 200);
  return httpId;
}

/** A request of ours that is answered by a stream, left open. */
export function streamed(
  log: LintLog,
  method: string,
  params: Members = {},
  change: Change = {},
): { httpId: string; id: unknown } {
  const sent = ask(log, method, params, change);
  log.respond(sent.httpId, 200, {
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
  });
  return sent;
}

export const DISCOVERED = {
  supportedVersions: [V5],
  capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} },
};

/** A modern connection, from its opening to the choice of the era. */
export function modern(log: LintLog, discovered: Members = cacheable(DISCOVERED)): LintLog {
  log.opened();
  log.add({ kind: 'rung-started', rung: 'modern' });
  const evidence = [asked(log, 'server/discover', {}, discovered, { id: 'probe' })];
  log.add({ kind: 'rung-judged', rung: 'modern', verdict: 'chosen', reason: '', evidence });
  log.add({
    kind: 'connection-chosen',
    transport: 'streamable-http',
    era: 'modern',
    revision: V5,
    evidence,
  });
  return log;
}

/** A modern WebSocket; returns a way to send frames. */
export function modernSocket(log: LintLog): (direction: Direction, message: unknown) => void {
  log.transport = 'websocket';
  log.opened();
  const socketId = `${log.connectionId}-s1`;
  log.add({
    kind: 'socket-opening',
    socketId,
    url: { text: 'ws://127.0.0.1:3001/' },
    subprotocols: ['mcp'],
  });
  log.add({ kind: 'socket-open', socketId, subprotocol: 'mcp' });
  const send = (direction: Direction, message: unknown): void => {
    const bytes = new TextEncoder().encode(JSON.stringify(message));
    log.add({ kind: 'socket-frame', socketId, direction, opcode: 'text', data: { bytes } });
  };
  send('outgoing', frame('probe', 'server/discover'));
  send('incoming', { jsonrpc: '2.0', id: 'probe', result: cacheable(DISCOVERED) });
  return send;
}

/** A request with its envelope, as one frame. */
export function frame(id: unknown, method: string, params: Members = {}): Members {
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta(params, ENVELOPE) } };
}

/** A notification of a subscription. */
export function onSubscription(id: unknown, method: string, params: Members = {}): Members {
  return {
    jsonrpc: '2.0',
    method,
    params: { ...params, _meta: { [`${META}subscriptionId`]: id } },
  };
}

export const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** An open subscription; `isAcknowledged` false leaves its first message out. */
export function subscription(
  log: LintLog,
  filter: Members = { toolsListChanged: true },
  isAcknowledged = true,
): { httpId: string; id: unknown } {
  const opened = streamed(log, 'subscriptions/listen', { notifications: filter });
  const first = onSubscription(opened.id, ACKNOWLEDGED, { notifications: filter });
  if (isAcknowledged) log.message(opened.httpId, first);
  return opened;
}

/** The result that ends a subscription. */
export function ended(id: unknown): Members {
  const _meta = { [`${META}subscriptionId`]: id };
  return { jsonrpc: '2.0', id, result: { resultType: 'complete', _meta } };
}
