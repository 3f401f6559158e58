import { describe, expect, test, vi } from 'vitest';
import { chunkFact } from '../../support/builders.ts';
import {
  caughtUp,
  createDisk,
  openPage,
  PATIENT,
  range,
  recordMany,
  startWorker,
} from './paged.ts';

describe('a page', () => {
  test('gets large batches in bounded messages while the database refuses', async () => {
    const disk = createDisk();
    disk.isBroken = true;
    const { hub, recorder } = await startWorker(disk);
    const page = openPage(disk, () => hub);
    await vi.waitFor(() => expect(page.statuses).toContain('live'), PATIENT);
    for (let turn = 0; turn < 20; turn += 1) recorder.record(chunkFact(300_000));
    await caughtUp(page, 21);
    expect(page.sequences()).toEqual(range(1, 21));
    for (const message of page.ports[0]!.sent) expect(message.length).toBeLessThan(1_200_000);
    page.feed.close();
  });

  test('that opens while the database refuses sees what is stored and what is not', async () => {
    const disk = createDisk();
    const { hub, recorder } = await startWorker(disk);
    recordMany(recorder, 3);
    await recorder.flushed();
    disk.isBroken = true;
    recordMany(recorder, 2);
    await recorder.flushed();
    const page = openPage(disk, () => hub);
    // 6 is the report that storage fails.
    await caughtUp(page, 6);
    recordMany(recorder, 1);
    await caughtUp(page, 7);
    expect(page.sequences()).toEqual(range(1, 7));
    page.feed.close();
  });

  test('takes from a block only what it has not seen', async () => {
    const disk = createDisk();
    let now = 0;
    const clock = { wall: () => now, monotonic: () => now };
    const { hub, recorder } = await startWorker(disk, { clock });
    const page = openPage(disk, () => hub);
    await vi.waitFor(() => expect(page.statuses).toContain('live'), PATIENT);
    disk.isBroken = true;
    recordMany(recorder, 2);
    // 3 is the report that storage fails.
    await caughtUp(page, 3);
    disk.isBroken = false;
    now = 5000;
    // Too large for one message, so the page reads the block, which begins with what it has seen.
    recorder.record(chunkFact(600_000));
    recorder.record(chunkFact(600_000));
    await caughtUp(page, 6);
    expect(disk.blocks[0]).toMatchObject({ firstSequence: 1, lastSequence: 4 });
    expect(page.sequences()).toEqual(range(1, 6));
    page.feed.close();
  });

  test('goes on from its last event when the worker comes back', async () => {
    const disk = createDisk();
    let worker = await startWorker(disk);
    const page = openPage(disk, () => worker.hub);
    recordMany(worker.recorder, 10);
    await caughtUp(page, 10);
    const dead = page.ports[0]!;
    worker = await startWorker(disk, { bootId: 'boot-2' });
    recordMany(worker.recorder, 7);
    await worker.recorder.flushed();
    dead.disconnect();
    await caughtUp(page, 17);
    expect(page.sequences()).toEqual(range(1, 17));
    expect(page.reads.at(-1)).toEqual([11, 17]);
    expect(page.statuses).toContain('reconnecting');
    page.feed.close();
  });

  test('is not live while it is cut off', async () => {
    const disk = createDisk();
    const { hub, recorder } = await startWorker(disk);
    recordMany(recorder, 3);
    await recorder.flushed();
    const reading = Promise.withResolvers<void>();
    const page = openPage(disk, () => hub, { beforeRead: () => reading.promise });
    await vi.waitFor(() => expect(page.reads).toHaveLength(1), PATIENT);
    page.ports[0]!.disconnect();
    await vi.waitFor(() => expect(page.statuses).toContain('reconnecting'), PATIENT);
    reading.resolve();
    await caughtUp(page, 3);
    await vi.waitFor(() => expect(page.statuses.at(-1)).toBe('live'), PATIENT);
    expect(page.falseLives).toBe(0);
    expect(page.ports).toHaveLength(2);
    page.feed.close();
  });

  test('sees live events even when the store cannot be read', async () => {
    const disk = createDisk();
    const { hub, recorder } = await startWorker(disk);
    recordMany(recorder, 3);
    await recorder.flushed();
    const page = openPage(disk, () => hub, {
      beforeRead: () => Promise.reject(new DOMException('gone', 'InvalidStateError')),
    });
    await vi.waitFor(() => expect(page.reads.length).toBeGreaterThan(0), PATIENT);
    recordMany(recorder, 2);
    await caughtUp(page, 5);
    recordMany(recorder, 2);
    await caughtUp(page, 7);
    // 3 stands for the three that cannot be read.
    expect(page.sequences()).toEqual([3, 4, 5, 6, 7]);
    expect(page.seen[0]).toMatchObject({ kind: 'gap', fromSequence: 1, toSequence: 3 });
    await vi.waitFor(() => expect(page.statuses.at(-1)).toBe('unreadable'), PATIENT);
    page.feed.close();
  });

  test('reads again what the store could not give at first', async () => {
    const disk = createDisk();
    const { hub, recorder } = await startWorker(disk);
    recordMany(recorder, 3);
    await recorder.flushed();
    let failures = 1;
    const page = openPage(disk, () => hub, {
      beforeRead() {
        failures -= 1;
        return failures < 0 ? Promise.resolve() : Promise.reject(new Error('busy'));
      },
    });
    await caughtUp(page, 3);
    expect(page.sequences()).toEqual([1, 2, 3]);
    page.feed.close();
  });
});
