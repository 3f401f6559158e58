import type { Item } from '../../capture/correlate/items.ts';
import type { AppModel } from '../app-model.ts';
import { indexOfSequence } from '../view/by-sequence.ts';
import { originOf } from './replay-links.ts';

/** A request and one that repeats it. */
export interface ReplayPair {
  origin: Item;
  replay: Item;
}

/** The pairs that an item is in: with what it repeats, and with each of its own replays, the newest first. */
export function replayPairsOf(
  item: Item,
  { correlation, time }: Pick<AppModel, 'correlation' | 'time'>,
): ReplayPair[] {
  const { items, https } = correlation;
  const sequence = originOf(item, https);
  const origin = sequence === undefined ? undefined : items[indexOfSequence(items, sequence)];
  const replays = time.value?.relations.replaysOf(item) ?? [];
  return [
    ...replays.map((replay) => ({ origin: item, replay })).toReversed(),
    ...(origin === undefined ? [] : [{ origin, replay: item }]),
  ];
}
