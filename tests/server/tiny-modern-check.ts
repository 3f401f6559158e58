import { isRecord, send, sendJson } from './exchange.ts';
import type { Exchange } from './exchange.ts';

export const MODERN = '2026-07-28';
const META = 'io.modelcontextprotocol/';

/** Which parameter `Mcp-Name` mirrors. */
const NAMED: Record<string, string> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** An argument that has to be mirrored: its header, and the way to it. */
export interface Mirrored {
  header: string;
  path: string[];
}

/** An error as it goes out, with the status that belongs to it. */
export interface Refusal {
  status: number;
  code: number;
  message: string;
  data?: unknown;
}

export function refuse(exchange: Exchange, { status, code, message, data }: Refusal): void {
  const { id } = exchange.message;
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  sendJson(exchange, JSON.stringify({ jsonrpc: '2.0', id, error }), status);
}

/** A field of the envelope of the request at hand. */
export function metaOf(exchange: Exchange, name: string): unknown {
  const meta = exchange.message.params?.['_meta'];
  return isRecord(meta) ? meta[`${META}${name}`] : undefined;
}

/** What is wrong with a POST before anyone looks at its method. */
export function checkHttp(exchange: Exchange): boolean {
  const { headers, method } = exchange.request;
  const accept = headers.accept ?? '';
  if (method !== 'POST') {
    exchange.response.setHeader('Allow', 'POST');
    send(exchange, 405);
  } else if (!accept.includes('application/json') || !accept.includes('text/event-stream')) {
    send(exchange, 406, 'text/plain', 'Not acceptable: JSON and event streams');
  } else if (headers['content-type'] !== 'application/json') {
    send(exchange, 415, 'text/plain', 'JSON only');
  } else {
    return true;
  }
  return false;
}

function mismatch(message: string): Refusal {
  return { status: 400, code: -32020, message: `Header mismatch: ${message}` };
}

/** What is wrong with the envelope and the mirrored headers of a request. */
export function faultOf(exchange: Exchange, mirrored: readonly Mirrored[]): Refusal | undefined {
  const { message, request } = exchange;
  const given = request.headers['mcp-protocol-version'];
  if (typeof given !== 'string') return mismatch('MCP-Protocol-Version is missing');
  const version = metaOf(exchange, 'protocolVersion');
  const missing = typeof version !== 'string' ? 'protocolVersion' : undefined;
  const lacking = isRecord(metaOf(exchange, 'clientCapabilities')) ? missing : 'clientCapabilities';
  if (lacking !== undefined) {
    return { status: 400, code: -32602, message: `_meta lacks ${META}${lacking}` };
  }
  if (version !== given) return mismatch(`the header says ${given}, the body ${String(version)}`);
  if (version !== MODERN) return unsupported(version);
  const fault = mirrorFault(exchange, 'mcp-method', String(message.method));
  if (fault !== undefined) return fault;
  const key = NAMED[String(message.method)];
  const name = key === undefined ? undefined : message.params?.[key];
  if (typeof name === 'string') {
    const wrongName = mirrorFault(exchange, 'mcp-name', name);
    if (wrongName !== undefined) return wrongName;
  }
  for (const { header, path } of mirrored) {
    const value = path.reduce<unknown>(
      (object, step) => (isRecord(object) ? object[step] : undefined),
      message.params?.['arguments'],
    );
    const wrong = mirrorFault(exchange, `mcp-param-${header}`.toLowerCase(), value ?? undefined);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** The answer to a version that this server does not speak; `initialize` gets it too. */
export function unsupported(requested: unknown): Refusal {
  const data = { supported: [MODERN], requested };
  return { status: 400, code: -32022, message: 'Unsupported protocol version', data };
}

function mirrorFault(exchange: Exchange, header: string, value: unknown): Refusal | undefined {
  const raw = exchange.request.headers[header];
  if (value === undefined) {
    return raw === undefined ? undefined : mismatch(`${header} mirrors nothing`);
  }
  if (typeof raw !== 'string') return mismatch(`${header} is missing`);
  const decoded = decode(raw);
  const isEqual =
    typeof value === 'number'
      ? Number(decoded) === value
      : decoded === (typeof value === 'string' ? value : JSON.stringify(value));
  return isEqual
    ? undefined
    : mismatch(`${header} is ${raw}, the body has ${JSON.stringify(value)}`);
}

function decode(value: string): string {
  const [, payload] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  return payload === undefined ? value : Buffer.from(payload, 'base64').toString('utf8');
}
