import { describe, expect, test, vi } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import type { Recorder } from '../../../lib/capture/recorder.ts';
import type { ConnectionSummary } from '../../../lib/port/contract.ts';
import { createHub } from '../../../lib/port/hub.ts';
import { chunkFact, startRecorder } from '../../support/builders.ts';
import {
  type CalledFunctions,
  caughtUp,
  createDisk,
  functions,
  openPage,
  PATIENT,
  range,
  recordMany,
  startWorker,
} from './paged.ts';

describe('a page', () => {
  test('reads what is stored, then follows live', async () => {
    const disk = createDisk();
    const { hub, recorder } = await startWorker(disk);
    recordMany(recorder, 230);
    await recorder.flushed();
    const page = openPage(disk, () => hub);
    await caughtUp(page, 230);
    recordMany(recorder, 5);
    await caughtUp(page, 235);
    expect(page.sequences()).toEqual(range(1, 235));
    expect(page.reads).toEqual([[1, 230]]);
    expect(page.statuses).toContain('loading');
    await vi.waitFor(() => expect(page.statuses.at(-1)).toBe('live'), PATIENT);
    page.feed.close();
  });

  test('is known to be there until it goes', async () => {
    const disk = createDisk();
    const { hub } = await startWorker(disk);
    expect(hub.isAlone()).toBe(true);
    const page = openPage(disk, () => hub, { wantsEvents: false });
    await vi.waitFor(() => expect(hub.isAlone()).toBe(false), PATIENT);
    page.feed.close();
    await vi.waitFor(() => expect(hub.isAlone()).toBe(true), PATIENT);
  });

  test('shows the end of the log before it reads the rest, once', async () => {
    const disk = createDisk();
    const { hub, recorder } = await startWorker(disk);
    recordMany(recorder, 230);
    await recorder.flushed();
    const page = openPage(disk, () => hub, { readEnd: async () => createCorrelation() });
    await caughtUp(page, 230);
    // A gap is read as ever.
    page.ports.at(-1)?.disconnect();
    recordMany(recorder, 5);
    await caughtUp(page, 235);
    expect(page.sequences()).toEqual(range(1, 235));
    expect(page.previews).toEqual([0]);
    page.feed.close();
  });

  test('reads a batch that is too large for a message from the store', async () => {
    const disk = createDisk();
    const { hub, recorder } = await startWorker(disk);
    const page = openPage(disk, () => hub);
    await vi.waitFor(() => expect(page.statuses).toContain('live'), PATIENT);
    for (let turn = 0; turn < 4; turn += 1) recorder.record(chunkFact(400_000));
    await caughtUp(page, 4);
    const sent = page.ports[0]!.sent.join('\n');
    expect(sent).toContain('"stored"');
    expect(sent.length).toBeLessThan(10_000);
    expect(page.reads).toEqual([[1, 4]]);
    page.feed.close();
  });

  test('delivers nothing after it was closed', async () => {
    const disk = createDisk();
    const { hub, recorder } = await startWorker(disk);
    recordMany(recorder, 3);
    await recorder.flushed();
    const reading = Promise.withResolvers<void>();
    const page = openPage(disk, () => hub, { beforeRead: () => reading.promise });
    await vi.waitFor(() => expect(page.reads).toHaveLength(1), PATIENT);
    page.feed.close();
    reading.resolve();
    recordMany(recorder, 3);
    await recorder.flushed();
    await vi.waitFor(() => expect(page.ports[0]!.isOpen).toBe(false), PATIENT);
    expect(page.seen).toEqual([]);
  });

  test('that shows connections only gets no events', async () => {
    const disk = createDisk();
    const { hub, recorder } = await startWorker(disk);
    recordMany(recorder, 3);
    await recorder.flushed();
    const page = openPage(disk, () => hub, { wantsEvents: false });
    await vi.waitFor(() => expect(page.lists).toHaveLength(1), PATIENT);
    recordMany(recorder, 3);
    hub.publishConnections([{ connectionId: 'c1' } as ConnectionSummary]);
    await vi.waitFor(() => expect(page.lists).toHaveLength(2), PATIENT);
    expect(page.lists[1]).toEqual([{ connectionId: 'c1' }]);
    expect(page.seen).toEqual([]);
    expect(page.reads).toEqual([]);
    expect(page.ports[0]!.sent.join('')).not.toContain('"events"');
    page.feed.close();
  });

  test('learns of the connections that were there before it', async () => {
    const disk = createDisk();
    const { hub } = await startWorker(disk);
    hub.publishConnections([{ connectionId: 'c1' } as ConnectionSummary]);
    const page = openPage(disk, () => hub);
    await vi.waitFor(() => expect(page.lists).toEqual([[{ connectionId: 'c1' }]]), PATIENT);
    page.feed.close();
  });

  test('gets the problem of a call that failed', async () => {
    const disk = createDisk();
    const { hub } = await startWorker(disk);
    const page = openPage(disk, () => hub);
    await expect(page.feed.background.send('c1', 'ping', undefined)).rejects.toMatchObject({
      name: 'AppError',
      problem: { code: 'not-connected', message: 'Not open.' },
    });
    page.feed.close();
  });
});

describe('two pages', () => {
  test('see the same events in the same order, and one may leave', async () => {
    const disk = createDisk();
    const { hub, recorder } = await startWorker(disk);
    recordMany(recorder, 4);
    const first = openPage(disk, () => hub);
    await caughtUp(first, 4);
    const second = openPage(disk, () => hub);
    recordMany(recorder, 250);
    await caughtUp(first, 254);
    await caughtUp(second, 254);
    expect(second.seen).toEqual(first.seen);
    first.feed.close();
    await vi.waitFor(() => expect(first.ports[0]!.isOpen).toBe(false), PATIENT);
    const messages = first.ports[0]!.sent.length;
    recordMany(recorder, 3);
    await caughtUp(second, 257);
    expect(first.ports[0]!.sent).toHaveLength(messages);
    expect(first.sequences()).toEqual(range(1, 254));
    second.feed.close();
  });
});

test('a call before the log is open waits for it', async () => {
  const opened = Promise.withResolvers<{ recorder: Recorder; functions: CalledFunctions }>();
  const hub = createHub(opened.promise);
  const disk = createDisk();
  const page = openPage(disk, () => hub);
  await vi.waitFor(() => expect(page.ports).toHaveLength(1), PATIENT);
  const { recorder } = await startRecorder({ store: disk });
  recordMany(recorder, 2);
  await recorder.flushed();
  opened.resolve({ recorder, functions });
  await caughtUp(page, 2);
  page.feed.close();
});
