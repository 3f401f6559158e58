import { note } from './note.ts';

export interface StormSize {
  notifications: number;
  durationMs: number;
  kills: number;
}

/** How hard the worker is treated. `WIRESCOPE_STORM=full` is what is promised; `npm test` has less time. */
export function stormSize(full: StormSize, short: StormSize): StormSize {
  const isFull = process.env['WIRESCOPE_STORM'] === 'full';
  if (!isFull) note('A short storm; WIRESCOPE_STORM=full makes it the whole one.');
  return isFull ? full : short;
}
