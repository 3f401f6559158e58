import { batch, signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Item } from '../../capture/correlate/items.ts';
import type { TrafficView } from './traffic-view.ts';

export type DetailTab = 'message' | 'headers' | 'stream' | 'timing' | 'auth' | 'issues' | 'replay';

/** A stretch of the text of a message, in UTF-16 units, in the part of the message tab with this title. */
export interface TextPlace {
  section: string;
  start: number;
  end: number;
}

/** Which row is selected, and whether its details are open. */
export interface Selection {
  item: ReadonlySignal<Item | undefined>;
  /** Keys of the rows that are selected together; empty while there is one row, or none. */
  marks: ReadonlySignal<ReadonlySet<string>>;
  /** Grows when the selected item itself changed. */
  revision: ReadonlySignal<number>;
  isOpen: ReadonlySignal<boolean>;
  /** Tab that the user last chose; an item without that tab shows its message. */
  tab: ReadonlySignal<DetailTab>;
  /** `sequence` of the event at which the stream tab begins; undefined for its own choice. */
  event: ReadonlySignal<number | undefined>;
  /** What to bring into view on the message tab. */
  place: ReadonlySignal<TextPlace | undefined>;
  select(item: Item | undefined): void;
  /** Selects rows together by their keys, and this one of them last. */
  mark(keys: ReadonlySet<string>, item: Item): void;
  /** Moves by rows, clamped to the table; without a selection it starts at the end moved from. */
  move(rows: number): void;
  moveTo(index: number): void;
  open(item?: Item): void;
  /** Opens an item on a tab: on the stream tab at an event, on the message tab at a place of its text. */
  openAt(item: Item, tab: DetailTab, eventSequence?: number, place?: TextPlace): void;
  close(): void;
  showTab(tab: DetailTab): void;
  /** To be called once per batch with what the batch changed: items, and rows by their keys. */
  refresh(changed: ReadonlySet<Item>, changedKeys: ReadonlySet<string>): void;
}

const NONE: ReadonlySet<string> = new Set();

/** Creates the selection over a view. */
export function createSelection(view: TrafficView): Selection {
  const item = signal<Item | undefined>(undefined);
  const marks = signal(NONE);
  const revision = signal(0);
  const isOpen = signal(false);
  const tab = signal<DetailTab>('message');
  const event = signal<number | undefined>(undefined);
  const place = signal<TextPlace | undefined>(undefined);

  /** One row, and no others with it. */
  function select(next: Item | undefined): void {
    batch(() => {
      item.value = next;
      marks.value = NONE;
    });
  }

  function moveTo(index: number): void {
    const last = view.count.value - 1;
    if (last < 0) return;
    select(view.itemAt(Math.min(Math.max(index, 0), last)));
  }

  return {
    item,
    revision,
    isOpen,
    tab,
    event,
    place,
    marks,
    moveTo,
    select,
    mark(keys, next) {
      batch(() => {
        item.value = next;
        marks.value = keys;
      });
    },
    move(rows) {
      const current = item.value === undefined ? -1 : view.indexOf(item.value);
      if (current >= 0) moveTo(current + rows);
      else moveTo(rows > 0 ? 0 : view.count.value - 1);
    },
    open(next) {
      batch(() => {
        if (next !== undefined) select(next);
        event.value = undefined;
        place.value = undefined;
        isOpen.value = item.value !== undefined;
      });
    },
    openAt(next, nextTab, eventSequence, nextPlace) {
      batch(() => {
        select(next);
        tab.value = nextTab;
        event.value = eventSequence;
        place.value = nextPlace;
        isOpen.value = true;
      });
    },
    close() {
      isOpen.value = false;
    },
    showTab(next) {
      tab.value = next;
      event.value = undefined;
      place.value = undefined;
    },
    refresh(changed, changedKeys) {
      const current = item.value;
      if (current === undefined) return;
      if (changed.has(current) || changedKeys.has(current.key)) revision.value += 1;
    },
  };
}
