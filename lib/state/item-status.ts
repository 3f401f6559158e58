import type { HttpRecord, Item } from '../capture/items.ts';
import { httpStatus } from './http-status.ts';

export type RowLevel = 'normal' | 'warning' | 'error';

/** Whether something is still to come for this item. */
export function isPending(item: Item): boolean {
  switch (item.kind) {
    case 'request':
    case 'http':
      return item.outcome === 'pending';
    case 'stream':
    case 'socket':
      return item.outcome === 'pending' || item.outcome === 'open';
    case 'notification':
    case 'stray':
    case 'lifecycle':
      return false;
  }
}

/** Words for what became of an item; empty where the HTTP status says it all. */
function outcomeWords(item: Item): string {
  switch (item.kind) {
    case 'request':
      if (item.outcome === 'result') {
        if (item.toolFailed) return 'tool error';
        if (item.direction === 'incoming') return 'answered';
        return item.socketId === undefined ? '' : 'result';
      }
      if (item.outcome === 'error' && item.direction === 'incoming') return 'refused';
      return item.outcome;
    case 'stream':
      return item.outcome === 'not-offered' ? 'not offered' : item.outcome;
    case 'socket':
      return item.closeCode === undefined ? item.outcome : `${item.outcome} · ${item.closeCode}`;
    case 'http':
      return item.outcome === 'done' ? '' : item.outcome;
    case 'notification':
      return item.problem === undefined ? '' : 'failed';
    case 'stray':
    case 'lifecycle':
      return '';
  }
}

/** Status cell: the HTTP status where the item has an exchange of its own, and the outcome in words. */
export function toStatusText(item: Item, record: HttpRecord | undefined): string {
  const ownsExchange =
    item.kind === 'stream' ||
    item.kind === 'http' ||
    ((item.kind === 'request' || item.kind === 'notification') && item.direction === 'outgoing');
  const status = ownsExchange ? httpStatus(record) : undefined;
  const words = outcomeWords(item);
  if (status === undefined) return words;
  return words === '' ? String(status) : `${status} · ${words}`;
}

/** How much attention a row asks for. */
export function toLevel(item: Item): RowLevel {
  switch (item.kind) {
    case 'request':
      if (item.outcome === 'failed' || item.toolFailed) return 'error';
      // Every legacy server refuses our question for its era: that is the answer to it.
      if (item.outcome === 'error' && item.method === 'server/discover') return 'normal';
      if (item.outcome === 'error') return item.direction === 'incoming' ? 'warning' : 'error';
      return item.outcome === 'interrupted' ? 'warning' : 'normal';
    case 'stream':
    case 'socket':
    case 'http':
      if (item.outcome === 'failed') return 'error';
      return item.outcome === 'interrupted' ? 'warning' : 'normal';
    case 'notification':
      return item.problem === undefined ? 'normal' : 'error';
    case 'stray':
      return 'warning';
    case 'lifecycle':
      return item.level === 'info' ? 'normal' : item.level;
  }
}
