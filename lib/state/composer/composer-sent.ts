import { signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Item } from '../../capture/correlate/items.ts';
import type { BackgroundFunctions } from '../../port/contract.ts';

/** Something that was sent from here, and how it stands. */
export interface SentEntry {
  key: number;
  words: string;
  carrierId: string;
  /** Where it can be cancelled by its id. */
  rpcId?: string;
  /** Id in a text that was sent to the letter, by which a socket tells it from others. */
  textId?: string | undefined;
  connectionId?: string;
  /** Its row, once there is one. */
  item: Item | undefined;
  /** How far it is, in words. */
  progress: string | undefined;
  /** Grows with every change. */
  revision: number;
}

/** What was sent from the composer lately, the newest first. */
export interface SentList {
  entries: ReadonlySignal<readonly SentEntry[]>;
  add(entry: Pick<SentEntry, 'words' | 'carrierId' | 'rpcId' | 'textId' | 'connectionId'>): void;
  cancel(entry: SentEntry): void;
  /** Takes what has changed in the log. */
  take(changed: Iterable<Item>): void;
}

const KEPT = 6;
/** What was sent is in the log at once, or before long. */
const LOOKED_AT = 200;

/** An empty list. `items` finds what came before it was asked for. */
export function createSentList(
  background: Pick<BackgroundFunctions, 'cancel' | 'stopRaw'>,
  items: () => readonly Item[],
): SentList {
  const entries = signal<readonly SentEntry[]>([]);
  let count = 0;

  function take(changed: Iterable<Item>): void {
    if (entries.value.length === 0) return;
    let isNew = false;
    const next = [...entries.value];
    for (const item of changed) {
      const at = next.findIndex((entry) => isAbout(entry, item));
      const entry = next[at];
      if (entry === undefined) continue;
      isNew = true;
      const isProgress = item.kind === 'notification';
      next[at] = {
        ...entry,
        item: isProgress ? entry.item : item,
        progress: isProgress ? item.summary : entry.progress,
        revision: entry.revision + 1,
      };
    }
    if (isNew) entries.value = next;
  }

  return {
    entries,
    add(entry) {
      count += 1;
      const made = { ...entry, key: count, item: undefined, progress: undefined, revision: 0 };
      entries.value = [made, ...entries.value].slice(0, KEPT);
      take(items().slice(-LOOKED_AT).toReversed());
    },
    cancel({ carrierId, rpcId, connectionId }) {
      const ended =
        rpcId === undefined || connectionId === undefined
          ? background.stopRaw(carrierId)
          : background.cancel(connectionId, rpcId);
      // Its row tells; what cannot be cancelled any more is over.
      ended.catch(() => undefined);
    },
    take,
  };
}

function isAbout(entry: SentEntry, item: Item): boolean {
  if (item === entry.item) return true;
  if (item.kind === 'notification' && item.parent !== undefined) {
    return item.parent === entry.item?.key && item.method === 'notifications/progress';
  }
  if (entry.item !== undefined || ('direction' in item && item.direction === 'incoming'))
    return false;
  if (item.kind === 'socket' || item.kind === 'lifecycle') return false;
  if (item.httpId === entry.carrierId) return true;
  if (!('direction' in item) || item.socketId !== entry.carrierId) return false;
  // A socket carries many; the id tells them apart.
  const id = entry.rpcId ?? entry.textId;
  return item.kind === 'request' ? item.rpcId === id : id === undefined;
}
