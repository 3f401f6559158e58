import type { RpcId } from '../capture/correlate/items.ts';
import { member, parseJson, sourceText } from '../json/parse.ts';
import type { JsonNode } from '../json/parse.ts';
import { isRecord } from '../record.ts';

export type Message =
  | { kind: 'request'; id: RpcId; method: string; params: unknown }
  | { kind: 'notification'; method: string; params: unknown }
  | { kind: 'result'; id: RpcId; result: unknown }
  /** `id` is null where the server could not or did not name the request. */
  | {
      kind: 'error';
      id: RpcId | null;
      code: number | undefined;
      message: string;
      data: unknown;
    };

/** What a body, an SSE event or a frame holds. */
export type Payload =
  | { kind: 'message'; message: Message }
  | { kind: 'batch'; items: Payload[] }
  /** `offset` is where the text stops being JSON, in UTF-16 units. */
  | { kind: 'not-json'; error: string; offset: number }
  | { kind: 'not-rpc'; reason: string; value: unknown };

/** An error is told in sentences, and kept in summaries; all of it stands in the text. */
const MESSAGE_LENGTH = 2000;

/** Finds the node of a value again in the text; called only for ids that lost digits. */
type Locate = () => JsonNode | undefined;

/**
 * Classifies a payload by the members it has (JSON-RPC 2.0, 4 to 6); never throws. Lenient where the kind is
 * plain all the same: a missing or wrong `jsonrpc` member is for the lint to report.
 */
export function classifyPayload(text: string): Payload {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  let value: unknown;
  try {
    value = JSON.parse(bare);
  } catch (error) {
    const parsed = parseJson(text);
    // Both follow RFC 8259; should an engine differ, its own words are all that is known.
    if (parsed.ok) return { kind: 'not-json', error: String(error), offset: 0 };
    const message = bare.trim() === '' ? 'There is no text' : parsed.message;
    return { kind: 'not-json', error: message, offset: parsed.offset };
  }
  if (!Array.isArray(value)) return classifyValue(value, text, () => rootOf(text));
  const items = value.map((item: unknown, index) =>
    classifyValue(item, text, () => itemOf(rootOf(text), index)),
  );
  return { kind: 'batch', items };
}

function classifyValue(value: unknown, text: string, locate: Locate): Payload {
  if (!isRecord(value)) return notRpc(`Expected an object, found ${describe(value)}`, value);
  if (Object.hasOwn(value, 'method')) return classifyCall(value, text, locate);

  const { result, error } = value;
  let hasResult = Object.hasOwn(value, 'result');
  let hasError = Object.hasOwn(value, 'error');
  if (hasResult && hasError) {
    // JSON-RPC 1.0 wrote both, one of them null.
    if ((result === null) === (error === null)) return notRpc('Both result and error', value);
    hasResult = result !== null;
    hasError = !hasResult;
  }
  if (hasResult) {
    const id = readId(value, text, locate);
    if (id === undefined) return notRpc(`A result whose id is ${describe(value['id'])}`, value);
    return { kind: 'message', message: { kind: 'result', id, result } };
  }
  if (hasError) return classifyError(value, error, text, locate);
  return notRpc('Neither method nor result nor error', value);
}

/** The presence of `method` alone decides: a request may carry the id of one of ours, and any value. */
function classifyCall(value: Record<string, unknown>, text: string, locate: Locate): Payload {
  const { method, params } = value;
  if (typeof method !== 'string') return notRpc(`The method is ${describe(method)}`, value);
  if (!Object.hasOwn(value, 'id')) {
    return { kind: 'message', message: { kind: 'notification', method, params } };
  }
  const id = readId(value, text, locate);
  if (id === undefined) return notRpc(`A call whose id is ${describe(value['id'])}`, value);
  return { kind: 'message', message: { kind: 'request', id, method, params } };
}

function classifyError(
  value: Record<string, unknown>,
  error: unknown,
  text: string,
  locate: Locate,
): Payload {
  if (!isRecord(error)) return notRpc(`The error is ${describe(error)}`, value);
  const id = value['id'] === undefined || value['id'] === null ? null : readId(value, text, locate);
  if (id === undefined) return notRpc(`An error whose id is ${describe(value['id'])}`, value);
  const { code, message, data } = error;
  return {
    kind: 'message',
    message: {
      kind: 'error',
      id,
      code: typeof code === 'number' ? code : undefined,
      message: typeof message === 'string' ? message.slice(0, MESSAGE_LENGTH) : '',
      data,
    },
  };
}

/**
 * The id as JSON text, undefined when it is neither string nor number. Numbers that a double holds exactly
 * are written the short way, so `7.0` and `7` are one id; of all others the digits are read from the text.
 */
function readId(value: Record<string, unknown>, text: string, locate: Locate): RpcId | undefined {
  const id = value['id'];
  if (typeof id === 'string') return JSON.stringify(id);
  if (typeof id !== 'number') return undefined;
  if (Number.isSafeInteger(id)) return String(id);
  const node = member(locate(), 'id');
  return node === undefined ? String(id) : sourceText(text, node);
}

function rootOf(text: string): JsonNode | undefined {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.root : undefined;
}

function itemOf(root: JsonNode | undefined, index: number): JsonNode | undefined {
  return root?.kind === 'array' ? root.items[index] : undefined;
}

function notRpc(reason: string, value: unknown): Payload {
  return { kind: 'not-rpc', reason, value };
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/**
 * Ids of the other JSON type with the same value: servers answer 7 with "7". They count where one exchange
 * does not tell what is answered, and exactly one of them is open.
 */
export function lookAlikes(id: RpcId): RpcId[] {
  const digits = /^"?(-?\d+)"?$/.exec(id)?.[1];
  const value = Number(digits);
  if (!Number.isSafeInteger(value)) return [];
  return [String(value), `"${value}"`].filter((other) => other !== id);
}

/**
 * The id under which a value that is no message was meant as a response; undefined where it was not. One that names
 * no request can only mean the one that its exchange is about, which is `asked`.
 */
export function responseId(value: unknown, asked?: RpcId): RpcId | undefined {
  if (!isRecord(value) || Object.hasOwn(value, 'method')) return undefined;
  const { id } = value;
  if (typeof id === 'string') return JSON.stringify(id);
  if (Number.isSafeInteger(id)) return String(id);
  return Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error') ? asked : undefined;
}

/**
 * Whether an SSE event holds a message: by its type, and by data that is more than JSON white space. A priming
 * event has none ("Sending Messages" 6 of revision 2025-11-25).
 */
export function holdsMessage(event: string | undefined, text: string | undefined): text is string {
  return (event ?? 'message') === 'message' && text !== undefined && /[^ \t\r\n]/.test(text);
}

/** The text of a result; `resultText` is raw JSON. */
export function buildResult(id: RpcId, resultText: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${resultText}}`;
}

/** The text of an error response. */
export function buildError(id: RpcId, code: number, message: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":${JSON.stringify(message)}}}`;
}

/** The text of a request; `paramsText` is raw JSON, kept to the letter. */
export function buildRequest(id: number, method: string, paramsText?: string): string {
  return `{"jsonrpc":"2.0","id":${id},${methodAndParams(method, paramsText)}}`;
}

/** The text of a notification; `paramsText` is raw JSON, kept to the letter. */
export function buildNotification(method: string, paramsText?: string): string {
  return `{"jsonrpc":"2.0",${methodAndParams(method, paramsText)}}`;
}

function methodAndParams(method: string, paramsText: string | undefined): string {
  const params = paramsText === undefined ? '' : `,"params":${paramsText}`;
  return `"method":${JSON.stringify(method)}${params}`;
}
