import { diffJson, weighDiff, type JsonDiff } from '../../compare/json-diff.ts';
import {
  isObject,
  readJson,
  scalarText,
  type JsonObject,
  type JsonValue,
} from '../../compare/json-value.ts';

/** A definition as it is remembered: name, and its JSON to the letter. */
export interface Definition {
  name: string;
  source: string;
}

export interface DefinitionChange {
  kind: 'added' | 'removed' | 'changed';
  name: string;
  /** Of a definition that was there and is. */
  diff?: JsonDiff;
  /** Hints about what a tool does that say something else now. */
  flipped: string[];
}

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

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
    if (known === undefined) changes.push({ kind: 'added', name, flipped: [] });
    else if (known.source !== source) {
      const [was, is] = [readJson(known.source) ?? null, readJson(source) ?? null];
      const diff = diffJson(was, is);
      if (weighDiff(diff) === 'same') continue;
      changes.push({ kind: 'changed', name, diff, flipped: flipsOf(hintsOf(was), hintsOf(is)) });
    }
  }
  for (const [key, { name }] of old) {
    if (!now.has(key)) changes.push({ kind: 'removed', name, flipped: [] });
  }
  return changes;
}

function hintsOf(definition: JsonValue): JsonObject {
  const annotations = isObject(definition) ? definition['annotations'] : undefined;
  return isObject(annotations) ? annotations : {};
}

function flipsOf(was: JsonObject, is: JsonObject): string[] {
  return HINTS.filter((hint) => was[hint] !== is[hint]).map(
    (hint) => `${hint}: ${hintText(was[hint])} → ${hintText(is[hint])}`,
  );
}

function hintText(value: JsonValue | undefined): string {
  return value === undefined ? 'not said' : scalarText(value);
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
