import { toLine } from '../../text.ts';
import type { Message } from '../../protocol/jsonrpc.ts';
import { resultTypeOf, taskOf } from '../../protocol/result-type.ts';
import { isRecord } from '../../record.ts';
import type { RpcId } from './items.ts';

function isToken(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** The progress token that a request asks with. */
export function metaToken(params: unknown): string | number | undefined {
  const meta = isRecord(params) ? params['_meta'] : undefined;
  const token = isRecord(meta) ? meta['progressToken'] : undefined;
  return isToken(token) ? token : undefined;
}

/** The progress token that a progress notification is about. */
export function ownToken(params: unknown): string | number | undefined {
  const token = isRecord(params) ? params['progressToken'] : undefined;
  return isToken(token) ? token : undefined;
}

/** Name of the tool or prompt, URI of the resource, or id of the task, that a request is about. */
export function targetOf(params: unknown): string | undefined {
  if (!isRecord(params)) return undefined;
  const target = params['name'] ?? params['uri'] ?? params['taskId'];
  return typeof target === 'string' ? target : undefined;
}

/** What names a task: its own methods, and, by `_meta`, whatever else belongs to one (2025-11-25, "Tasks"). */
export function aboutTask(method: string, params: unknown): string | undefined {
  if (!isRecord(params)) return undefined;
  const isOwn = method.startsWith('tasks/') || method.startsWith('notifications/tasks');
  const meta = params['_meta'];
  const related = isRecord(meta) ? meta['io.modelcontextprotocol/related-task'] : undefined;
  const taskId = isOwn ? params['taskId'] : isRecord(related) ? related['taskId'] : undefined;
  return typeof taskId === 'string' ? taskId : undefined;
}

/** The task that a result has created: in a member of its own in 2025-11-25, flat in the later extension. */
export function createdTask(method: string, result: unknown): string | undefined {
  if (!isRecord(result) || method.startsWith('tasks/')) return undefined;
  const isFlat = resultTypeOf(result) === 'task';
  return taskOf(isFlat ? result : result['task'])?.taskId;
}

/** The revision that the envelope of a modern request names (2026-07-28, basic/index, "_meta"). */
export function envelopeRevision(params: unknown): string | undefined {
  const meta = isRecord(params) ? params['_meta'] : undefined;
  const revision = isRecord(meta) ? meta['io.modelcontextprotocol/protocolVersion'] : undefined;
  return typeof revision === 'string' ? revision : undefined;
}

/** The JSON-RPC id of the subscription that a notification belongs to; it keeps its JSON type. */
export function subscriptionIdOf(params: unknown): RpcId | undefined {
  const meta = isRecord(params) ? params['_meta'] : undefined;
  const id = isRecord(meta) ? meta['io.modelcontextprotocol/subscriptionId'] : undefined;
  return isToken(id) ? JSON.stringify(id) : undefined;
}

/** What a subscription is to tell of, as asked for or as agreed to. */
export function filterOf(params: unknown): unknown {
  return isRecord(params) ? params['notifications'] : undefined;
}

/** What an interim result asks for, and the state to send back; undefined for every other result. */
export function askedBy(result: unknown): { keys: string[]; requestState: unknown } | undefined {
  if (!isRecord(result) || resultTypeOf(result) !== 'input_required') return undefined;
  const { inputRequests, requestState } = result;
  return { keys: isRecord(inputRequests) ? Object.keys(inputRequests) : [], requestState };
}

/** What a later round answers, and the state that it sends back; undefined for params of a first round. */
export function echoedBy(params: unknown): { keys: string[]; requestState: unknown } | undefined {
  if (!isRecord(params)) return undefined;
  const { inputResponses, requestState } = params;
  if (inputResponses === undefined && requestState === undefined) return undefined;
  return { keys: isRecord(inputResponses) ? Object.keys(inputResponses) : [], requestState };
}

/** Message and code of an error, in one line. */
export function errorText({ message, code }: Message & { kind: 'error' }): string {
  return `${message === '' ? 'Error without a message' : message} (${code ?? 'no code'})`;
}

/** A row has no room for more, in UTF-16 units. */
const SUMMARY_LENGTH = 500;

/** What a tool says that has failed, empty where it says nothing; undefined where it has not. */
export function toolFailureOf(result: unknown): string | undefined {
  if (!isRecord(result) || result['isError'] !== true) return undefined;
  const content = Array.isArray(result['content']) ? result['content'] : [];
  const texts = content.map((part: unknown) => (isRecord(part) ? part['text'] : undefined));
  return shorten(texts.find((text) => typeof text === 'string') ?? '');
}

/** What a row says of a notification: how far, which log line, why. No more than a row has room for. */
export function summaryOf(message: Message & { kind: 'notification' }): string | undefined {
  const summary = wholeSummary(message);
  return summary === undefined ? undefined : shorten(summary);
}

function shorten(text: string): string {
  // A copy: a slice alone would keep the whole text in memory.
  return text.length <= SUMMARY_LENGTH
    ? text
    : `${structuredClone(text.slice(0, SUMMARY_LENGTH))}…`;
}

function wholeSummary(message: Message & { kind: 'notification' }): string | undefined {
  const { params } = message;
  if (!isRecord(params)) return undefined;
  switch (message.method) {
    case 'notifications/progress': {
      const total = params['total'];
      const text = typeof params['message'] === 'string' ? ` ${params['message']}` : '';
      return `${toLine(params['progress'])}${typeof total === 'number' ? ` of ${total}` : ''}${text}`;
    }
    case 'notifications/message':
      return [params['level'], params['data']]
        .filter((part) => part !== undefined)
        .map(toLine)
        .join(': ');
    case 'notifications/cancelled':
      return typeof params['reason'] === 'string' ? params['reason'] : undefined;
    default:
      return typeof params['uri'] === 'string' ? params['uri'] : undefined;
  }
}
