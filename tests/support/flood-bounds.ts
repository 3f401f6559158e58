import { setTimeout as delay } from 'node:timers/promises';
import { FLOOD_BYTES } from '../server/flood.ts';

/**
 * What may stay in memory of a flood, in bytes: what waits to be stored (32 MiB), what a panel holds (64 MiB),
 * and as much again for rows and for what is on its way.
 */
export const KEPT_BYTES = 2 * 96 * 1024 * 1024;
/**
 * What comes on top meanwhile, at most, in bytes: garbage that no collector has found yet, heaps that a browser
 * keeps large, and what Firefox takes in before it is stopped. Usually it is half of that, for 900 MB as for 300.
 */
export const PEAK_BYTES = 1024 * 1024 * 1024;
/**
 * A panel answers a key within this time, in milliseconds. Judged only where nothing else is measured beside it
 * (`WIRESCOPE_STORM=full`); a machine that others use too has its own answers, which are told.
 */
export const ANSWER_MS = process.env['WIRESCOPE_STORM'] === 'full' ? 100 : Infinity;
const SETTLE_MS = 40_000;
/** Keys are pressed so often, in milliseconds. */
export const KEY_MS = 150;

/** What is kept once the collectors have been at work, which takes them a while; in bytes. */
export async function settle(read: () => Promise<number>): Promise<number> {
  const end = Date.now() + SETTLE_MS;
  for (;;) {
    const kept = await read();
    if (kept < KEPT_BYTES || Date.now() > end) return kept;
    await delay(500);
  }
}

export type FloodWay = 'a stream' | 'a WebSocket';

/** The floods during which garbage is collected all the time, so that what is held can be told from it. */
export const FLOODS: readonly { over: FloodWay; sizeBytes: number }[] = [
  { over: 'a stream', sizeBytes: FLOOD_BYTES },
  { over: 'a stream', sizeBytes: 3 * FLOOD_BYTES },
  { over: 'a WebSocket', sizeBytes: FLOOD_BYTES },
];
/** How long the call and the test wait: on a busy machine, collecting garbage takes longer than the flood does. */
export const PATIENCE_SECONDS = 1800;
/** A row without its bytes costs about 1 kB; all rows are kept. */
const ROW_BYTES = 1500;

/**
 * What may be held at any moment, in bytes: what waits to be stored (32 MiB), what a panel holds (64 MiB), and
 * half as much again for what is on its way. Only the rows grow with the flood.
 */
export function heldLimit(rows: number): number {
  return 1.5 * 96 * 1024 * 1024 + rows * ROW_BYTES;
}

/**
 * What Firefox may have taken in besides before it could be stopped, in bytes. How much that is depends on how
 * fast the server is and how busy the machine; it is let go with the stream.
 */
export const TAKEN_IN_BYTES = 256 * 1024 * 1024;

/** What was measured then, in words. */
export function describeHeld(
  browser: string,
  over: string,
  sizeBytes: number,
  figures: { most: number; samples: number; taken: number; peak: number },
): string {
  const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  const { most, samples, taken, peak } = figures;
  return `${browser}, ${mb(sizeBytes)} over ${over}: never more than ${mb(most)} held after a collection (${samples} of them); memory with garbage ${mb(taken)}, at most ${mb(peak)}.`;
}

/** What was measured, in words. */
export function describeFlood(
  browser: string,
  over: string,
  { before, peak, kept }: { before: number; peak: number; kept: number },
  answers: readonly number[],
): string {
  const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  const worst = Math.max(16, ...answers);
  return `${browser}, ${mb(FLOOD_BYTES)} over ${over}: memory of the extension ${mb(before)}, at most ${mb(peak)}, then ${mb(kept)}; slowest answer to a key ${worst} ms.`;
}
