import { momentOf } from './correlate-messages.ts';
import type { ConnectionRecord, Item } from './items.ts';
import type { EventOf } from './wire-event.ts';

/** A new life of the worker: what an earlier one had open is over. Returns how many exchanges that cut off. */
export function interrupt(
  event: EventOf<'worker-started'>,
  open: ReadonlySet<Item>,
  connections: ReadonlyMap<string, ConnectionRecord>,
  changed: (item: Item) => void,
): number {
  let cut = 0;
  for (const item of open) {
    if (item.started.bootId === event.bootId || item.kind === 'lifecycle') continue;
    if (item.kind !== 'notification' && item.kind !== 'stray') {
      item.outcome = 'interrupted';
      cut += 1;
    }
    item.ended = momentOf(event);
    changed(item);
  }
  for (const connection of connections.values()) {
    const isOpen = connection.state === 'live' || connection.state === 'opening';
    if (isOpen && connection.opened.bootId !== event.bootId) connection.state = 'interrupted';
  }
  return cut;
}
