import type { JsonPath } from '../../lib/json/edit.ts';
import { parseExact, writeExact } from '../../lib/json/exact.ts';
import type { Choice, Shape } from '../../lib/schema/field.ts';
import type { SchemaForm } from '../../lib/state/server/schema-form.ts';

/** More boxes than this are no help. */
const MAX_BOXES = 40;

/** What the items of a list can be chosen from; undefined where they are not. */
export function choicesOf(
  form: SchemaForm,
  shape: Shape & { kind: 'array' },
): readonly Choice[] | undefined {
  if (shape.prefix.length > 0 || shape.items === undefined) return undefined;
  const item = form.fieldOf(shape.items).shape;
  if (item.kind !== 'choice' || item.choices.length > MAX_BOXES) return undefined;
  return item.choices;
}

/** Which choices a list holds, in its order; undefined where it holds something else, or one of them twice. */
export function chosenAmong(
  form: SchemaForm,
  path: JsonPath,
  choices: readonly Choice[],
): string[] | undefined {
  const source = form.sourceAt(path);
  if (source === undefined) return [];
  const value = parseExact(source);
  if (!Array.isArray(value)) return undefined;
  const chosen = value.map((item: unknown) => writeExact(item));
  const isPlain = chosen.every((json) => choices.some((choice) => choice.json === json));
  return isPlain && new Set(chosen).size === chosen.length ? chosen : undefined;
}
