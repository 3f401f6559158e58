import { batch, effect } from '@preact/signals-core';
import { TYPE_CHIPS } from '../filter/filter-types.ts';
import { SORT_COLUMNS } from './sorting.ts';
import type { Sort } from './sorting.ts';
import type { TrafficView } from './traffic-view.ts';

/** Where a text outlives the page. */
export interface ViewMemory {
  load(): string | undefined;
  save(text: string): void;
}

type Remembered = Pick<TrafficView, 'filter' | 'sort'>;

/** Gives a view the filter and the order that it had, and keeps what becomes of them. */
export function rememberView(view: Remembered, memory: ViewMemory): void {
  takeView(view, memory.load());
  let saved = '';
  effect(() => {
    const text = writeView(view);
    if (saved !== '' && text !== saved) memory.save(text);
    saved = text;
  });
}

/** What is worth keeping of a view, as text. */
export function writeView({ filter, sort }: Remembered): string {
  return JSON.stringify({
    text: filter.text.value,
    isInverted: filter.isInverted.value,
    types: [...filter.types.value],
    sort: sort.value,
  });
}

/** Gives a view what was kept of one. */
export function takeView({ filter, sort }: Remembered, text: string | undefined): void {
  const kept = readKept(text);
  batch(() => {
    if (typeof kept['text'] === 'string') filter.text.value = kept['text'];
    if (kept['isInverted'] === true) filter.isInverted.value = true;
    const types = kept['types'];
    if (Array.isArray(types)) {
      filter.types.value = new Set(TYPE_CHIPS.filter((chip) => types.includes(chip)));
    }
    const order = toSort(kept['sort']);
    if (order !== undefined) sort.value = order;
  });
}

function readKept(text: string | undefined): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(text ?? '{}');
    return typeof kept === 'object' && kept !== null ? { ...kept } : {};
  } catch {
    return {};
  }
}

function toSort(kept: unknown): Sort | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined;
  const { column, direction } = { ...kept } as Record<string, unknown>;
  const known = SORT_COLUMNS.find((name) => name === column);
  if (known === undefined) return undefined;
  return { column: known, direction: direction === 'descending' ? 'descending' : 'ascending' };
}
