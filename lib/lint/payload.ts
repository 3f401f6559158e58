import type { RpcId } from '../capture/correlate/items.ts';
import { jsonOf } from '../text.ts';
import { classifyPayload } from '../protocol/jsonrpc.ts';
import { isRecord } from '../record.ts';

/** A text that should hold JSON-RPC, parsed but not judged. */
export interface ParsedPayload {
  fault?: { message: string; offset: number };
  isBatch: boolean;
  parts: unknown[];
}

const BOM = 0xfeff;

/** Parses a payload. Never throws. */
export function parsePayload(text: string): ParsedPayload {
  try {
    const value: unknown = JSON.parse(text.charCodeAt(0) === BOM ? text.slice(1) : text);
    return Array.isArray(value)
      ? { isBatch: true, parts: value }
      : { isBatch: false, parts: [value] };
  } catch {
    const payload = classifyPayload(text);
    const fault =
      payload.kind === 'not-json'
        ? { message: payload.error, offset: payload.offset }
        : { message: 'not JSON', offset: 0 };
    return { fault, isBatch: false, parts: [] };
  }
}

/** What kind of message a value is, by the members that it has. */
export function shapeOf(
  members: Record<string, unknown> | undefined,
): 'request' | 'notification' | 'response' | 'none' {
  if (members === undefined) return 'none';
  if ('method' in members) {
    if (typeof members['method'] !== 'string') return 'none';
    return 'id' in members ? 'request' : 'notification';
  }
  const isResponse = 'result' in members || 'error' in members;
  return isResponse || ('id' in members && members['jsonrpc'] === '2.0') ? 'response' : 'none';
}

/**
 * The id as JSON text, in the spelling that correlation uses. Only an id that a double does not hold exactly
 * costs another look at the text.
 */
export function rpcIdOf(
  members: Record<string, unknown>,
  text: string,
  index: number,
): RpcId | undefined {
  const { id } = members;
  if (typeof id === 'string') return JSON.stringify(id);
  if (typeof id !== 'number') return undefined;
  if (Number.isSafeInteger(id)) return String(id);
  const payload = classifyPayload(text);
  const part = payload.kind === 'batch' ? payload.items[index] : payload;
  if (part?.kind !== 'message' || part.message.kind === 'notification') return String(id);
  return part.message.id ?? String(id);
}

/** The progress token of a request, typed, so that `1` and `"1"` stay apart. */
export function tokenOf(params: unknown): string | undefined {
  const meta = isRecord(params) ? params['_meta'] : undefined;
  return isRecord(meta) ? tokenText(meta['progressToken']) : undefined;
}

/** A progress token as text with its type; undefined for what can be none. */
export function tokenText(token: unknown): string | undefined {
  return typeof token === 'string' || typeof token === 'number' ? JSON.stringify(token) : undefined;
}

/** A value for a sentence, cut where it is long. */
export function shown(value: unknown): string {
  const text = jsonOf(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
