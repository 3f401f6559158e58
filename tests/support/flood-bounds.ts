import { setTimeout as delay } from 'node:timers/promises';
import { FLOOD_BYTES } from '../server/flood.ts';

/**
 * What may stay in memory of a flood, in bytes: what waits to be stored (32 MiB), what a panel holds (64 MiB),
 * and as much again for rows and for what is on its way. What no collector has found yet comes on top meanwhile;
 * when they run is up to the browser, so the peak is told but not judged.
 */
export const KEPT_BYTES = 2 * 96 * 1024 * 1024;
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
