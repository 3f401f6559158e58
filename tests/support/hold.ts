import { setTimeout as delay } from 'node:timers/promises';
import type { ServerNote } from '../server/plain-legacy.ts';
import { note } from './note.ts';

/** How long an idle connection is watched, in milliseconds: six times the limit at which browsers stop a worker. */
export const HOLD_MS = 180_000;
/** The longest that a worker without a connection may live on, in milliseconds. */
export const DIE_MS = 60_000;

/** Waits in real time, and says why. */
export async function hold(browser: string): Promise<void> {
  const seconds = HOLD_MS / 1000;
  note(
    `${browser}: ${seconds} s in real time with nobody attached. Browsers stop a worker after 30 s without activity, and only waiting shows that ours goes on.`,
  );
  await delay(HOLD_MS);
}

/** Resolves with the milliseconds until the worker was gone, or with nothing where it is still there. */
export async function timeUntilGone(
  isRunning: () => Promise<boolean>,
): Promise<number | undefined> {
  const start = performance.now();
  while (performance.now() - start < DIE_MS) {
    if (!(await isRunning())) return Math.round(performance.now() - start);
    await delay(500);
  }
  return undefined;
}

/** What the server says of streams and sockets, without times. */
export function comings(log: readonly ServerNote[]): string[] {
  return log.map(({ what }) => what).filter((what) => /^(?:stream|socket) /.test(what));
}
