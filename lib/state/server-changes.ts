import { parseExact, writeExact } from '../json/exact.ts';

/** A definition as it is remembered: name, and its JSON to the letter. */
export interface Definition {
  name: string;
  source: string;
}

/** A part of a definition that is another one now; absent where it was not, or is not any more. */
export interface PartChange {
  path: string;
  before?: string;
  after?: string;
}

export interface DefinitionChange {
  kind: 'added' | 'removed' | 'changed';
  name: string;
  parts: PartChange[];
  /** Hints about what a tool does that say something else now. */
  flipped: string[];
}

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
const MANY_PARTS = 100;

/** What has become of definitions since then: by name, of equal names by their order. */
export function compareDefinitions(
  before: readonly Definition[],
  after: readonly Definition[],
): DefinitionChange[] {
  const old = keyed(before);
  const now = keyed(after);
  const changes: DefinitionChange[] = [];
  for (const [key, { name, source }] of now) {
    const known = old.get(key);
    if (known === undefined) changes.push({ kind: 'added', name, parts: [], flipped: [] });
    else if (known.source !== source) {
      const parts = compareJson(known.source, source);
      if (parts.length > 0) changes.push({ kind: 'changed', name, parts, flipped: flipsOf(parts) });
    }
  }
  for (const [key, { name }] of old) {
    if (!now.has(key)) changes.push({ kind: 'removed', name, parts: [], flipped: [] });
  }
  return changes;
}

/** The parts in which two JSON texts differ; how they are written makes no difference. */
function compareJson(before: string, after: string): PartChange[] {
  const parts: PartChange[] = [];

  function compare(path: string, old: unknown, now: unknown): void {
    if (parts.length >= MANY_PARTS) return;
    if (Array.isArray(old) && Array.isArray(now)) {
      for (let at = 0; at < Math.max(old.length, now.length); at += 1) {
        step(`${path}[${at}]`, old, now, String(at));
      }
    } else if (isRecord(old) && isRecord(now)) {
      for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
        step(path === '' ? key : `${path}.${key}`, old, now, key);
      }
    } else if (writeExact(old) !== writeExact(now)) {
      parts.push({ path, before: writeExact(old), after: writeExact(now) });
    }
  }

  function step(path: string, old: object, now: object, key: string): void {
    const [had, has] = [Object.hasOwn(old, key), Object.hasOwn(now, key)];
    const [was, is] = [Reflect.get(old, key), Reflect.get(now, key)] as [unknown, unknown];
    if (had && has) compare(path, was, is);
    else if (parts.length < MANY_PARTS) {
      parts.push(had ? { path, before: writeExact(was) } : { path, after: writeExact(is) });
    }
  }

  compare('', parseExact(before), parseExact(after));
  return parts;
}

function flipsOf(parts: readonly PartChange[]): string[] {
  return parts.flatMap(({ path, before = 'absent', after = 'absent' }) =>
    HINTS.includes(path.replace(/^annotations\./, ''))
      ? [`${path.replace('annotations.', '')}: ${before} → ${after}`]
      : [],
  );
}

function keyed(definitions: readonly Definition[]): Map<string, Definition> {
  const counts = new Map<string, number>();
  return new Map(
    definitions.map((definition) => {
      const number = counts.get(definition.name) ?? 0;
      counts.set(definition.name, number + 1);
      return [`${definition.name} ${number}`, definition] as const;
    }),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
