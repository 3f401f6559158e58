import { sourceAt, stringAt, type Outlined } from '../../lib/json/path.ts';
import type { TreeRow } from '../../lib/json/tree.ts';

/** What copying a row gives: of a line its text, of a string its decoded value, else the source to the letter. */
export function copiedValue(json: Outlined, row: TreeRow): string {
  if (row.kind === 'line' && row.omitted === 0) return row.text;
  return stringAt(json, row.node) ?? sourceAt(json, row.node);
}
