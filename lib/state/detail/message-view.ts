import { effect, signal } from '@preact/signals-core';
import type { Signal } from '@preact/signals-core';
import type { SettingStore } from '../view/column-choice.ts';

/** How messages are shown. */
export type MessageView = 'tree' | 'raw';

const SETTING = 'message-view';

/** How the user wants to see messages: kept from row to row, and where there is a store from day to day. */
export function createMessageView(store: SettingStore | undefined): Signal<MessageView> {
  const view = signal<MessageView>(store?.read(SETTING) === 'raw' ? 'raw' : 'tree');
  let isFirst = true;
  effect(() => {
    const chosen = view.value;
    if (!isFirst) store?.write(SETTING, chosen);
    isFirst = false;
  });
  return view;
}
