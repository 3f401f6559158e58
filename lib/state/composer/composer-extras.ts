import type { Era } from '../../capture/wire-event.ts';
import { member, parseJson } from '../../json/parse.ts';
import { insertMember } from '../../protocol/envelope.ts';
import { withCapabilities } from '../replay/resend.ts';

/** What goes into params besides what was typed. */
export interface Extras {
  /** `_meta` of 2026-07-28: log messages from this level on, on the answer's own stream. */
  logLevel?: string;
  /** W3C Trace Context, in `_meta` as 2026-07-28 has it. */
  traceparent?: string;
  /** The call may become a task: by its own param in 2025-11-25, by a capability later. */
  task?: 'param' | 'capability';
}

const TASKS = '{"extensions":{"io.modelcontextprotocol/tasks":{}}}';

/** The extras of a request, by what the user has chosen. */
export function extrasFor(
  method: string,
  era: Era | undefined,
  chosen: { asTask: boolean; isTraced: boolean; logLevel: string },
): Extras {
  const isModern = era === 'modern';
  const isTask = chosen.asTask && method === 'tools/call';
  return {
    ...(isModern && chosen.logLevel !== '' ? { logLevel: chosen.logLevel } : {}),
    ...(chosen.isTraced ? { traceparent: newTraceparent() } : {}),
    ...(isTask ? { task: isModern ? 'capability' : 'param' } : {}),
  };
}

/** Params with extras; what was typed for the same stays, and all else is kept to the letter. */
export function withExtras(paramsText: string | undefined, extras: Extras): string | undefined {
  const { logLevel, traceparent, task } = extras;
  if (logLevel === undefined && traceparent === undefined && task === undefined) return paramsText;
  let text = paramsText ?? '{}';
  if (traceparent !== undefined) text = withMeta(text, 'traceparent', traceparent);
  if (logLevel !== undefined) text = withMeta(text, 'io.modelcontextprotocol/logLevel', logLevel);
  if (task === 'param') text = withMember(text, 'task', '{}');
  // Where nothing is declared by hand, the connection declares it with all else that it does.
  if (task === 'capability' && declares(text)) text = withCapabilities(text, TASKS);
  return text;
}

/** What is sent of params and extras: where params have no place for one, the connection sees to it. */
export function sentWith(
  paramsText: string | undefined,
  extras: Extras,
): { paramsText: string | undefined; asTask?: boolean } {
  const asTask = extras.task === 'capability' ? { asTask: true } : {};
  return { paramsText: withExtras(paramsText, extras), ...asTask };
}

function declares(text: string): boolean {
  const parsed = parseJson(text);
  const meta = parsed.ok ? member(parsed.root, '_meta') : undefined;
  return member(meta, 'io.modelcontextprotocol/clientCapabilities') !== undefined;
}

function withMeta(text: string, key: string, value: string): string {
  const held = withMember(text, '_meta', '{}');
  const parsed = parseJson(held);
  const meta = parsed.ok ? member(parsed.root, '_meta') : undefined;
  if (meta?.kind !== 'object' || member(meta, key) !== undefined) return held;
  return insertMember(held, meta, `${JSON.stringify(key)}:${JSON.stringify(value)}`);
}

function withMember(text: string, key: string, valueText: string): string {
  const parsed = parseJson(text);
  if (!parsed.ok || parsed.root.kind !== 'object') return text;
  if (member(parsed.root, key) !== undefined) return text;
  return insertMember(text, parsed.root, `${JSON.stringify(key)}:${valueText}`);
}

/** A new trace context (W3C Trace Context, 3.2): version 00, sampled. */
function newTraceparent(): string {
  const hex = (bytes: number) =>
    [...crypto.getRandomValues(new Uint8Array(bytes))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('');
  return `00-${hex(16)}-${hex(8)}-01`;
}
