import { effect } from '@preact/signals-core';
import type { AppModel } from '../app-model.ts';
import type { DetailTab, TextPlace } from '../view/selection.ts';

/** A place in a capture: a row, and what of its details is meant. */
export interface CapturePlace {
  /** `key` of the item. */
  row: string;
  tab: DetailTab;
  /** `sequence` of the line of the stream tab. */
  eventSequence?: number;
  /** What is to be seen on the message tab. */
  text?: TextPlace;
}

const TABS: readonly string[] = ['message', 'headers', 'stream', 'timing', 'auth', 'issues'];

/** A place as JSON, as it stands in an address; undefined for any other text. */
export function readPlace(text: string): CapturePlace | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return isPlace(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

function isPlace(value: unknown): value is CapturePlace {
  if (typeof value !== 'object' || value === null) return false;
  const { row, tab, eventSequence, text } = value as Partial<Record<keyof CapturePlace, unknown>>;
  const isText =
    text === undefined ||
    (typeof text === 'object' &&
      text !== null &&
      'section' in text &&
      typeof text.section === 'string' &&
      'start' in text &&
      typeof text.start === 'number' &&
      'end' in text &&
      typeof text.end === 'number');
  return (
    typeof row === 'string' &&
    typeof tab === 'string' &&
    TABS.includes(tab) &&
    (eventSequence === undefined || typeof eventSequence === 'number') &&
    isText
  );
}

/** Leads to a place once the capture has been read; false once it is read and has no such row. */
export async function goToPlace(model: AppModel, place: CapturePlace): Promise<boolean> {
  await untilRead(model);
  const item = model.recorded.items.find(({ key }) => key === place.row);
  if (item === undefined) return false;
  model.traffic.reveal(item);
  model.selection.openAt(item, place.tab, place.eventSequence, place.text);
  return true;
}

/** Leads to a place that an address names, and says so where there is none. */
export async function leadTo(model: AppModel, text: string): Promise<void> {
  const place = readPlace(text);
  const isThere = place !== undefined && (await goToPlace(model, place));
  if (!isThere) model.desk.said.value = { words: 'The row that was found is not here any more.' };
}

function untilRead({ feed }: Pick<AppModel, 'feed'>): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      const { kind } = feed.value;
      if (kind === 'loading' || kind === 'reconnecting') return;
      // The effect may run before it has a name.
      queueMicrotask(() => {
        stop();
        resolve();
      });
    });
  });
}
