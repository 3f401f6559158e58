import type { Reply } from './scripted.ts';
import type { RawRequest } from './scripted-http.ts';

/** The good server behind a script. */
export interface Behaviour {
  /** HTTP+SSE of 2024-11-05 instead of Streamable HTTP. */
  isHttpSse?: boolean;
  revision?: string;
  /** Whether `initialize` assigns a session. */
  hasSessions?: boolean;
}

/** A body of JSON. `$id` in it is the id of the request. */
export function json(text: string, status = 200, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: [text],
    framing: 'length',
  };
}

/** An event stream of exactly these parts. */
export function stream(body: NonNullable<Reply['body']>, ending: Reply['ending'] = 'complete') {
  return {
    headers: { 'Content-Type': 'text/event-stream' },
    body,
    ending,
  } satisfies Reply;
}

/** A status with a body of any type. */
export function plain(status: number, type?: string, text = ''): Reply {
  const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
  return { status, headers, framing: 'length', body: text === '' ? [] : [text] };
}

/** A result for the request, as JSON text. */
export function result(value = '{}'): string {
  return `{"jsonrpc":"2.0","id":$id,"result":${value}}`;
}

/** A message as one SSE event. */
export function event(text: string, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${text}\n\n`;
}

/** A log message of the server, as JSON text. */
export function log(data: string): string {
  return `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"${data}"}}`;
}

/** Progress of the request, as JSON text. */
export function progress(step: number): string {
  return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$token,"progress":${step}}}`;
}

/** The id of the nth session that the good server assigns. */
export function sessionId(nth: number): string {
  return `session-${nth}-8d3f6a`;
}

/** What the good server answers. */
export function behave(
  request: RawRequest,
  behaviour: Behaviour,
  countSession: () => number,
): Reply {
  return behaviour.isHttpSse === true
    ? behaveHttpSse(request, behaviour, countSession)
    : behaveStreamable(request, behaviour, countSession);
}

function behaveStreamable(
  { method, message }: RawRequest,
  behaviour: Behaviour,
  countSession: () => number,
): Reply {
  if (method === 'GET') return plain(405);
  if (method === 'DELETE') return plain(200);
  if (message.method === undefined || message.id === undefined) return plain(202);
  if (message.method !== 'initialize') return json(result(resultOf(message.method)));
  const headers: Record<string, string> =
    behaviour.hasSessions === false ? {} : { 'Mcp-Session-Id': sessionId(countSession()) };
  return json(result(initializeResult(behaviour)), 200, headers);
}

function behaveHttpSse(
  { method, message }: RawRequest,
  behaviour: Behaviour,
  countSession: () => number,
): Reply {
  if (method === 'GET') {
    const endpoint = `/messages?sessionId=${sessionId(countSession())}`;
    return stream([`event: endpoint\ndata: ${endpoint}\n\n`], 'hang');
  }
  if (message.method === undefined || message.id === undefined) return accepted([]);
  const value =
    message.method === 'initialize' ? initializeResult(behaviour) : resultOf(message.method);
  return accepted([{ push: event(result(value)) }]);
}

/** 202 as HTTP+SSE servers send it, then what goes to the stream. */
export function accepted(parts: NonNullable<Reply['body']>): Reply {
  return {
    status: 202,
    headers: { 'Content-Type': 'text/plain', 'Content-Length': '8' },
    framing: 'none',
    body: ['Accepted', ...parts],
  };
}

/** A result of `initialize`, as JSON text. */
export function initializeResult({ revision = '2025-11-25' }: Behaviour = {}): string {
  return `{"protocolVersion":"${revision}","capabilities":{"tools":{},"resources":{},"prompts":{},"completions":{},"logging":{}},"serverInfo":{"name":"scripted","version":"1"}}`;
}

function resultOf(method: unknown): string {
  switch (method) {
    case 'tools/list':
      return '{"tools":[]}';
    case 'tools/call':
      return '{"content":[]}';
    default:
      return '{}';
  }
}
