import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { note } from './note.ts';

const LOOK_MS = 1000;
const WAIT_MS = 60_000;
/** With less of the processors idle than this, others are at work. */
const IDLE_SHARE = 0.5;

/** Waits until nobody else is at work, for a minute at most: how fast a page answers is not to be shared with others. */
export async function quietMachine(): Promise<void> {
  const end = Date.now() + WAIT_MS;
  while (Date.now() < end) {
    const before = readTimes();
    await delay(LOOK_MS);
    const after = readTimes();
    if ((after.idle - before.idle) / (after.all - before.all) >= IDLE_SHARE) return;
  }
  note('Others keep the processors busy: what is measured now is theirs too.');
}

function readTimes(): { idle: number; all: number } {
  let idle = 0;
  let all = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    all += times.idle + times.user + times.nice + times.sys + times.irq;
  }
  return { idle, all };
}
