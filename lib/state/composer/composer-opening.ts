import type { Signal } from '@preact/signals-core';
import type { Item } from '../../capture/correlate/items.ts';
import type { SettingStore } from '../view/column-choice.ts';

/** What of the form for one's own requests is there before it is opened. */
export interface ComposerOpening {
  isOpen: Signal<boolean>;
  /** What is to be edited next. */
  toEdit: Signal<Item | undefined>;
  settings: SettingStore | undefined;
}

/** Opens the form for requests with what an item has sent. */
export function openToEdit({ isOpen, toEdit }: ComposerOpening, item: Item): void {
  toEdit.value = item;
  isOpen.value = true;
}
