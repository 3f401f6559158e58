import {
  rpcError,
  openStream,
  pause,
  queryNumber,
  send,
  sendEvent,
  sendJson,
} from '../exchange.ts';
import type { Exchange, Session } from '../exchange.ts';
import type { Fault, Faults } from '../fault.ts';
import { behaveWell, findSession, openGetStream, textResult } from '../tiny-mcp.ts';

function on(at: string, status: number, type?: string, body = '', note = ''): Fault {
  const about = `${status} for ${at}${note === '' ? '' : `: ${note}`}`;
  return { about, at, answer: (exchange) => send(exchange, status, type, body) };
}

function version(protocolVersion: unknown): Fault {
  const shown = JSON.stringify(protocolVersion) ?? 'no version';
  return { about: `initialize chooses ${shown}`, at: 'none', settings: { protocolVersion } };
}

async function loseSession(exchange: Exchange): Promise<void> {
  const id = exchange.request.headers['mcp-session-id'];
  const session = typeof id === 'string' ? exchange.sessions.get(id) : undefined;
  if (session !== undefined && session.requestCount >= queryNumber(exchange, 'after', 2)) {
    exchange.sessions.delete(session.id);
    for (const stream of session.streams) stream.end();
  }
  await behaveWell(exchange);
}

/** Fresh ids each time, so that answers stay apart. */
function clientRequests(session: Session) {
  const content = { type: 'text', text: 'Hi' };
  const params = { messages: [{ role: 'user', content }], maxTokens: 10 };
  const nextId = (): number => (session.askedCount += 1);
  return [
    { id: `ping-${nextId()}`, method: 'ping' },
    { id: nextId(), method: 'roots/list' },
    { id: `sampling-${nextId()}`, method: 'sampling/createMessage', params },
  ];
}

/** Asks on the GET stream as it opens, and on the stream of a call, which ends when all is answered. */
async function askClient(exchange: Exchange): Promise<void> {
  const isCall = exchange.request.method === 'POST';
  if (isCall && exchange.message.method !== 'tools/call') {
    await behaveWell(exchange);
    return;
  }
  const session = findSession(exchange);
  if (session === undefined) return;
  const stream = isCall ? openStream(exchange) : openGetStream(exchange);
  if (stream === undefined) return;
  const asked = clientRequests(session);
  for (const request of asked) {
    sendEvent(stream, JSON.stringify({ jsonrpc: '2.0', ...request }));
  }
  if (!isCall) return;
  const answers = () => asked.map((request) => session.answers.get(String(request.id)));
  while (answers().includes(undefined)) await pause(exchange, 10);
  sendEvent(stream, textResult(exchange, `[${answers().join(',')}]`));
  stream.end();
}

/** Faults of the life of a session: versions, `initialized`, the GET stream, DELETE. */
export const sessionFaults: Faults = {
  'version-unknown': version('2099-01-01'),
  'version-number': version(20251125),
  'version-missing': version(undefined),
  'version-2025-03-26': version('2025-03-26'),
  'version-2025-06-18': version('2025-06-18'),
  'no-session': {
    about: 'keeps no sessions: no session id',
    at: 'none',
    settings: { hasSessions: false },
  },
  'initialized-200': on('notifications/initialized', 200),
  'initialized-204': on('notifications/initialized', 204),
  'initialized-202-text': on('notifications/initialized', 202, 'text/plain', 'Accepted'),
  'initialized-500': on('notifications/initialized', 500, 'text/plain', 'Out of cheese'),
  'get-200-html': on('GET', 200, 'text/html', '<!doctype html><title>Docs</title>'),
  'get-200-json': on('GET', 200, 'application/json', rpcError(null, -32601, 'Method not found')),
  'get-204': on('GET', 204, undefined, '', 'asks to stop reconnecting'),
  'get-400': on('GET', 400, 'text/plain', 'No sessionId'),
  'get-404': on('GET', 404, 'text/html', '<pre>Cannot GET /mcp</pre>'),
  'get-405': {
    about: '405 for GET, as the specification says',
    at: 'GET',
    answer(exchange) {
      exchange.response.setHeader('Allow', 'POST, DELETE');
      send(exchange, 405);
    },
  },
  'get-406': on('GET', 406),
  'get-409': on('GET', 409, 'text/plain', 'Only one stream', 'another stream is said to be open'),
  'get-501': on('GET', 501),
  'get-silent': { about: 'never answers a GET', at: 'GET', answer: () => undefined },
  'get-ends': {
    about: 'ends each GET stream at once, with nothing in it',
    at: 'GET',
    answer: (exchange) => void openStream(exchange).end(),
  },
  'server-requests': {
    about: 'ping, roots and sampling requests on the GET stream and in answers to tools/call',
    at: 'GET calls',
    answer: askClient,
  },
  'session-lost': {
    about: '404 after ?after= (2) messages of a session',
    at: 'all',
    answer: loseSession,
  },
  'session-400': {
    about: '400 instead of 404 for a session that ended at once',
    at: 'calls',
    answer: (exchange) => sendJson(exchange, rpcError(null, -32000, 'No valid session ID'), 400),
  },
  'delete-204': on('DELETE', 204),
  'delete-404': on('DELETE', 404),
  'delete-405': on('DELETE', 405),
  'delete-500': on('DELETE', 500, 'text/plain', 'Out of cheese'),
  'delete-hang': { about: 'never answers a DELETE', at: 'DELETE', answer: () => undefined },
};
