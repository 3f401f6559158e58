import { batch, computed, signal } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';
import type { FilterOption } from './filter-completion.ts';
import type { FilterModel } from './filter-model.ts';

/** The field of the filter, and the list of how it could go on. */
export interface FilterBox {
  /** Empty while the list is closed. */
  options: ReadonlySignal<readonly FilterOption[]>;
  /** Index of the option that would be taken, or -1. */
  active: ReadonlySignal<number>;
  /** The user has typed, or moved the caret. */
  type(text: string, caret: number): void;
  /** Moves through the options, over the ends; opens the list where it is closed. */
  move(by: 1 | -1, caret: number): void;
  /** Takes an option, by default the active one; returns where the caret is to stand, undefined where there is none. */
  accept(index?: number): number | undefined;
  /** The option that the Tab key takes: the active one, or the first that begins with what was typed. */
  offered(): number;
  close(): void;
}

/** Creates the box over a filter. */
export function createFilterBox(filter: Pick<FilterModel, 'text' | 'complete'>): FilterBox {
  const isOpen = signal(false);
  const caret = signal(0);
  const active = signal(-1);
  const options = computed(() => (isOpen.value ? filter.complete(caret.value) : []));

  function open(at: number): void {
    batch(() => {
      caret.value = at;
      active.value = -1;
      isOpen.value = true;
    });
  }

  function close(): void {
    batch(() => {
      active.value = -1;
      isOpen.value = false;
    });
  }

  /** Whether the list goes on with something, and does not begin anew. */
  function isTypedInto(): boolean {
    return caret.value > 0 && /[^\s:-]/.test(filter.text.value.charAt(caret.value - 1));
  }

  return {
    options,
    active,
    close,
    type(text, at) {
      batch(() => {
        filter.text.value = text;
        open(at);
        // Nobody wants to hear of all keys who has only cleared the field.
        if (text.trim() === '') close();
      });
    },
    move(by, at) {
      if (!isOpen.value || options.value.length === 0) open(at);
      const count = options.value.length;
      if (count === 0) return;
      const from = active.value < 0 && by < 0 ? count : active.value;
      active.value = (from + by + count) % count;
    },
    accept(index = active.value) {
      const option = options.value[index];
      if (option === undefined) return undefined;
      batch(() => {
        filter.text.value = option.text;
        // After a key come its values.
        open(option.caret);
        if (!option.isKey) close();
      });
      return option.caret;
    },
    offered() {
      if (active.value >= 0) return active.value;
      return options.value.length > 0 && isTypedInto() ? 0 : -1;
    },
  };
}
