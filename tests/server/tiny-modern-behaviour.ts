import { send, sendJson } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { checkHttp, faultOf, MODERN, refuse, unsupported } from './tiny-modern-check.ts';
import { listen } from './tiny-modern-listen.ts';
import { cacheable, modernResult, modernText } from './tiny-modern-result.ts';
import { answerTask } from './tiny-modern-tasks.ts';
import { askFor, callModernTool, mirroredBy, MODERN_TOOLS } from './tiny-modern-tools.ts';

const TASK_METHODS = new Set(['tasks/get', 'tasks/update', 'tasks/cancel']);
const NOTE = { uri: 'test:///note', name: 'note', mimeType: 'text/plain' };

/**
 * A small server of revision 2026-07-28 that behaves well, and is as strict as the specification lets it be:
 * envelope and mirrored headers are checked on every request.
 */
export async function behaveModern(exchange: Exchange): Promise<void> {
  if (!checkHttp(exchange)) return;
  const { method, id, params } = exchange.message;
  if (typeof method !== 'string') {
    refuse(exchange, { status: 400, code: -32600, message: 'A request or notification is needed' });
  } else if (method === 'initialize') {
    refuse(exchange, unsupported(params?.['protocolVersion']));
  } else if (id === undefined) {
    send(exchange, 202);
  } else {
    const fault = faultOf(exchange, mirroredBy(exchange));
    if (fault !== undefined) refuse(exchange, fault);
    else await answerModern(exchange);
  }
}

/** Answers a request that has been checked. */
async function answerModern(exchange: Exchange): Promise<void> {
  const { method, params } = exchange.message;
  if (method === 'tools/call') return callModernTool(exchange);
  if (method === 'subscriptions/listen') return void listen(exchange);
  if (TASK_METHODS.has(String(method))) return answerTask(exchange);
  const isKnown = method !== 'resources/read' || params?.['uri'] === NOTE.uri;
  const text = isKnown ? goodAnswer(exchange) : undefined;
  if (text !== undefined) return sendJson(exchange, text);
  return isKnown
    ? refuse(exchange, { status: 404, code: -32601, message: `Not found: ${String(method)}` })
    : refuse(exchange, { status: 200, code: -32602, message: 'No such resource' });
}

/** A good answer in JSON to the request at hand; undefined for a method that is not known. */
export function goodAnswer(exchange: Exchange): string | undefined {
  switch (exchange.message.method) {
    case 'server/discover':
      return discovered(exchange);
    case 'tools/list':
      return listed(exchange);
    case 'tools/call':
      return modernText(exchange, 'ok');
    case 'resources/list':
      return cacheable(exchange, { resources: [NOTE] });
    case 'resources/read':
      return cacheable(exchange, { contents: [{ uri: NOTE.uri, text: 'Hello' }] });
    case 'prompts/list':
      return cacheable(exchange, { prompts: [{ name: 'greet' }] });
    case 'prompts/get':
      return greeted(exchange);
    default:
      return undefined;
  }
}

/** The answer to `server/discover`. */
function discovered(exchange: Exchange): string {
  return cacheable(exchange, {
    supportedVersions: [MODERN],
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true },
      prompts: {},
      logging: {},
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    },
    instructions: 'A server for tests.',
  });
}

/** One of two pages of tools. */
function listed(exchange: Exchange): string {
  const isFirst = exchange.message.params?.['cursor'] === undefined;
  return isFirst
    ? cacheable(exchange, { tools: MODERN_TOOLS.slice(0, 6), nextCursor: 'more' })
    : cacheable(exchange, { tools: MODERN_TOOLS.slice(6) });
}

/** A prompt that asks for the name to greet, so that not only tools ask. */
function greeted(exchange: Exchange): string {
  const { inputResponses } = exchange.message.params ?? {};
  if (inputResponses === undefined) return askFor(exchange, 1);
  const content = { type: 'text', text: `Hello ${JSON.stringify(inputResponses)}` };
  return modernResult(exchange, { messages: [{ role: 'user', content }] });
}
