import type { Item } from '../../capture/correlate/items.ts';
import type { AppModel } from '../app-model.ts';
import { replayMarked } from '../commands/commands-row.ts';
import { formatCount } from '../../text.ts';
import type { Selection } from './selection.ts';

/** How rows come to be selected together: to a place in the table, by a step from the last one, one more or less. */
export type MarkMove = { to: number } | { by: number } | { toggle: number } | 'all';

/** Where ranges begin. */
const anchors = new WeakMap<Selection, Item>();

/** Selects rows together, as lists everywhere do with Shift and Ctrl, and says how many there are. */
export function markRows(model: AppModel, move: MarkMove): void {
  const { traffic, selection } = model;
  const last = traffic.count.peek() - 1;
  const before = selection.marks.peek();
  const active = selection.item.peek();
  if (last < 0) return;
  if (before.size === 0 && active !== undefined) anchors.set(selection, active);
  if (move === 'all') return extend(0, last);
  if ('toggle' in move) return toggle(move.toggle);
  const at = active === undefined ? -1 : traffic.indexOf(active);
  const wanted = 'to' in move ? move.to : at < 0 ? last : at + move.by;
  const to = Math.min(Math.max(wanted, 0), last);
  const anchor = anchors.get(selection);
  const from = anchor === undefined ? -1 : traffic.indexOf(anchor);
  extend(from < 0 ? to : from, to);

  function extend(from: number, end: number): void {
    const keys = new Set<string>();
    for (let index = Math.min(from, end); index <= Math.max(from, end); index += 1) {
      const item = traffic.itemAt(index);
      if (item !== undefined) keys.add(item.key);
    }
    mark(keys, traffic.itemAt(end));
  }

  function toggle(index: number): void {
    const item = traffic.itemAt(index);
    if (item === undefined) return;
    const keys = new Set(before.size === 0 && active !== undefined ? [active.key] : before);
    if (!keys.delete(item.key)) keys.add(item.key);
    anchors.set(selection, item);
    mark(keys, item);
  }

  function mark(keys: Set<string>, item: Item | undefined): void {
    if (item === undefined) return;
    selection.mark(keys, item);
    const words = `${formatCount(keys.size, 'row')} selected.`;
    model.desk.said.value =
      keys.size < 2
        ? { words }
        : { words, action: { title: 'Replay in order', run: () => void replayMarked(model) } };
  }
}
