import { batch } from '@preact/signals-core';
import type { Item } from '../../capture/correlate/items.ts';

/** What has changed since the last drawing, and when the next one comes. */
export interface Drawing {
  /** These rows are new or have changed. */
  touch(items: Iterable<Item>): void;
  /** Something beside the rows of these keys has changed, such as their issues. */
  touchKeys(keys: Iterable<string>): void;
  /** Has all that was touched drawn with the next frame. */
  schedule(): void;
  /** Draws at once. */
  now(): void;
  /** Calls `changed` once per drawing, until its result is called. */
  watch(changed: (items: ReadonlySet<Item>) => void): () => void;
}

/** Gathers changes, so that a burst of batches is drawn once; `draw` runs within one batch of signals. */
export function createDrawing(
  onNextFrame: (draw: () => void) => void,
  draw: (items: ReadonlySet<Item>, keys: ReadonlySet<string>) => void,
): Drawing {
  let items = new Set<Item>();
  let keys = new Set<string>();
  let isScheduled = false;
  const watchers = new Set<(items: ReadonlySet<Item>) => void>();

  function now(): void {
    isScheduled = false;
    const [touched, touchedKeys] = [items, keys];
    items = new Set();
    keys = new Set();
    batch(() => {
      draw(touched, touchedKeys);
      for (const watcher of watchers) watcher(touched);
    });
  }

  return {
    touch(added) {
      for (const item of added) items.add(item);
    },
    touchKeys(added) {
      for (const key of added) keys.add(key);
    },
    schedule() {
      if (isScheduled) return;
      isScheduled = true;
      onNextFrame(now);
    },
    now,
    watch(changed) {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
  };
}
