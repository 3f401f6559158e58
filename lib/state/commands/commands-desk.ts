import { signal } from '@preact/signals-core';
import type { Signal } from '@preact/signals-core';
import type { Item } from '../../capture/correlate/items.ts';

/** The menu of a row, at a place in the window, in px. */
export interface OpenMenu {
  item: Item;
  left: number;
  top: number;
  /** Height of what it belongs to: above it is where it stands if there is no room below. */
  anchorHeight: number;
  /** Opened by a key, so that its first entry is chosen at once. */
  isByKey: boolean;
}

/** What was last done, for a line at the foot of the panel. */
export interface Said {
  words: string;
  /** What can be done about it next. */
  action?: { title: string; run(): void };
}

/** What lies over the panel for a moment: menu, palette, sheet of keys, and a word about what was done. */
export interface CommandDesk {
  menu: Signal<OpenMenu | undefined>;
  isPaletteOpen: Signal<boolean>;
  /** What was typed for the palette, also before its code was there. */
  paletteQuery: Signal<string>;
  areShortcutsOpen: Signal<boolean>;
  said: Signal<Said | undefined>;
  /** Ids of the commands that were run from the palette, the newest first. */
  recent: Signal<readonly string[]>;
  /** Grows with every time that bytes were read back from disk. */
  restored: Signal<number>;
}

const RECENT = 8;

/** Nothing is open, and nothing was said. */
export function createCommandDesk(): CommandDesk {
  return {
    menu: signal(undefined),
    isPaletteOpen: signal(false),
    paletteQuery: signal(''),
    areShortcutsOpen: signal(false),
    said: signal(undefined),
    recent: signal([]),
    restored: signal(0),
  };
}

/** Puts a command at the head of those used last. */
export function noteUse({ recent }: CommandDesk, id: string): void {
  recent.value = [id, ...recent.value.filter((other) => other !== id)].slice(0, RECENT);
}
