import type { Item } from '../../capture/correlate/items.ts';
import { toStatusText } from '../view/item-status.ts';
import { toKind, toNames } from '../view/rows.ts';
import type { RowSource } from '../view/rows.ts';
import { urlOf } from '../view/view-facts.ts';

/** What free text is looked for in: all that a row says, and where it was sent. */
export function searchText(item: Item, source: RowSource): string {
  const record = item.httpId === undefined ? undefined : source.https.get(item.httpId);
  const { name, target, note } = toNames(item, record, source);
  const status = toStatusText(item, source);
  const url = urlOf(item, source)?.text ?? '';
  // Between two cells nothing can be found.
  return `${name}\n${target}\n${note}\n${toKind(item)}\n${status}\n${url}`;
}
