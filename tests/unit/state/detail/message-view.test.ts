import { expect, test } from 'vitest';
import { createMessageView } from '../../../../lib/state/detail/message-view.ts';

test('how messages are shown is kept, and nothing is written before the user chooses', () => {
  const kept = new Map<string, string>();
  const store = {
    read: (name: string) => kept.get(name),
    write: (name: string, text: string) => void kept.set(name, text),
  };
  const view = createMessageView(store);
  expect([view.value, kept.size]).toEqual(['tree', 0]);
  view.value = 'raw';
  expect(createMessageView(store).value).toBe('raw');
  view.value = 'tree';
  expect(createMessageView(store).value).toBe('tree');
  expect(createMessageView(undefined).value).toBe('tree');
});
