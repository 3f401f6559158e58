import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import type { BlockStore, Recorder, RecorderOptions } from '../../../lib/capture/recorder.ts';
import type { Block, WireEvent } from '../../../lib/capture/wire-event.ts';
import { AppError } from '../../../lib/errors.ts';
import type {
  ConnectionSummary,
  HubFunctions,
  StorageFunctions,
} from '../../../lib/port/contract.ts';
import { openFeed, type Feed, type FeedOptions, type FeedStatus } from '../../../lib/port/feed.ts';
import { createHub, type Hub } from '../../../lib/port/hub.ts';
import { chunkFact, startRecorder } from '../../support/builders.ts';
import {
  createHeldWire,
  linkPorts,
  promptWire,
  type TestPort,
  type Wire,
} from '../../support/linked-ports.ts';

type CalledFunctions = HubFunctions & StorageFunctions;

/** A busy machine is no failure. */
const PATIENT = { timeout: 10_000, interval: 1 };

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

const functions = {
  send: () => Promise.reject(new AppError({ code: 'not-connected', message: 'Not open.' })),
} as unknown as CalledFunctions;

/** What survives the worker: the database. */
interface Disk extends BlockStore {
  blocks: Block[];
  isBroken: boolean;
}

function createDisk(): Disk {
  const disk: Disk = {
    blocks: [],
    isBroken: false,
    append(added) {
      if (disk.isBroken) return Promise.reject(new Error('no disk'));
      disk.blocks.push(...structuredClone(added));
      return Promise.resolve();
    },
  };
  return disk;
}

/** One life of the worker over a disk. */
async function startWorker(disk: Disk, options: Partial<RecorderOptions> = {}) {
  const { promise, resolve } = Promise.withResolvers<Recorder>();
  const hub: Hub = createHub(promise.then((recorder) => ({ recorder, functions })));
  const lastSequence = disk.blocks.at(-1)?.lastSequence ?? 0;
  const { recorder } = await startRecorder({
    ...options,
    store: disk,
    lastSequence,
    committed: (events, isStored) => hub.publish(events, isStored),
  });
  resolve(recorder);
  return { hub, recorder };
}

interface Page {
  feed: Feed;
  seen: WireEvent[];
  sequences(): number[];
  batches: number[];
  statuses: FeedStatus['kind'][];
  /** How often the page took itself for live while its port was closed. */
  falseLives: number;
  lists: ConnectionSummary[][];
  reads: [number, number][];
  /** How many events had been read when the end of the log was shown. */
  previews: number[];
  ports: TestPort[];
}

interface PageOptions {
  wantsEvents?: boolean;
  wire?: Wire;
  /** Called before blocks are read; the page waits for it. */
  beforeRead?: () => Promise<void>;
  readEnd?: FeedOptions['readEnd'];
}

function openPage(disk: Disk, hub: () => Hub, options: PageOptions = {}): Page {
  const seen: WireEvent[] = [];
  const page: Omit<Page, 'feed'> = {
    seen,
    sequences: () => seen.map((event) => event.sequence),
    batches: [],
    statuses: [],
    falseLives: 0,
    lists: [],
    reads: [],
    previews: [],
    ports: [],
  };
  const feed = openFeed({
    ...(options.readEnd === undefined ? {} : { readEnd: options.readEnd }),
    preview: () => void page.previews.push(seen.length),
    wantsEvents: options.wantsEvents ?? true,
    connect() {
      const [own, worker] = linkPorts(options.wire ?? promptWire);
      page.ports.push(worker);
      hub().attach(worker);
      return own;
    },
    async *readBlocks(captureId, from, to) {
      page.reads.push([from, to]);
      await options.beforeRead?.();
      const found = disk.blocks.filter(
        (block) =>
          block.captureId === captureId && block.lastSequence >= from && block.firstSequence <= to,
      );
      for (let at = 0; at < found.length; at += 2) yield structuredClone(found.slice(at, at + 2));
    },
    events(events) {
      page.batches.push(events.length);
      seen.push(...events);
    },
    connections: (list) => void page.lists.push(list),
    status(status) {
      page.statuses.push(status.kind);
      if (status.kind === 'live' && !page.ports.at(-1)!.isOpen) page.falseLives += 1;
    },
  });
  return Object.assign(page, { feed });
}

async function caughtUp(page: Page, last: number): Promise<void> {
  await vi.waitFor(() => expect(page.sequences().at(-1)).toBe(last), PATIENT);
}

function recordMany(recorder: Recorder, count: number): void {
  for (let turn = 0; turn < count; turn += 1) recorder.record({ kind: 'wake' });
}

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

  test('that was away while the capture was split twice reads what it missed of all parts', async () => {
    const disk = createDisk();
    const { hub, recorder } = await startWorker(disk);
    recordMany(recorder, 10);
    await recorder.flushed();
    const page = openPage(disk, () => hub);
    await caughtUp(page, 10);
    page.ports.at(-1)?.disconnect();
    recordMany(recorder, 120);
    split(recorder);
    recordMany(recorder, 120);
    split(recorder);
    recordMany(recorder, 6);
    await caughtUp(page, 260);
    expect(page.sequences()).toEqual(range(1, 260));
    expect(page.statuses).not.toContain('unreadable');
    // One that opens now sees the last part only.
    const other = openPage(disk, () => hub);
    await caughtUp(other, 260);
    expect(other.sequences()).toEqual(range(254, 260));
    page.feed.close();
    other.feed.close();
  });

  test('follows a split live, also where the batch over it is too large to be sent', async () => {
    const disk = createDisk();
    const { hub, recorder } = await startWorker(disk);
    recorder.record({ kind: 'wake' });
    await recorder.flushed();
    const page = openPage(disk, () => hub);
    await caughtUp(page, 1);
    recorder.record(chunkFact(1_500_000));
    recorder.beginCapture('second half');
    recorder.record(chunkFact(1_500_000));
    await caughtUp(page, 3);
    recordMany(recorder, 3);
    await caughtUp(page, 6);
    expect(page.sequences()).toEqual(range(1, 6));
    expect(page.seen.map(({ captureId }) => captureId)).toEqual([
      ...['capture', 'capture'],
      ...Array.from({ length: 4 }, () => 'second half'),
    ]);
    page.feed.close();
  });

  test('misses nothing and sees nothing twice, whatever overtakes what', async () => {
    const action = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant('record'),
          count: fc.integer({ min: 1, max: 130 }),
        }),
      },
      { weight: 4, arbitrary: fc.record({ do: fc.constant('pump'), pick: fc.nat(7) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('kill'), which: fc.nat(3) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('open') }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('break') }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('large') }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('split') }) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(action as fc.Arbitrary<Action>, { maxLength: 25 }),
        async (actions) => {
          const disk = createDisk();
          const wire = createHeldWire();
          const { hub, recorder } = await startWorker(disk);
          const pages = [openPage(disk, () => hub, { wire })];
          for (const step of actions) await act(step, { disk, wire, hub, recorder, pages });
          disk.isBroken = false;
          recorder.record({ kind: 'wake' });
          await recorder.flushed();
          const last = recorder.lastCommittedSequence;
          await vi.waitFor(() => {
            while (wire.pump());
            for (const page of pages) expect(page.sequences().at(-1)).toBe(last);
          }, PATIENT);
          const isSplit = actions.some((step) => step.do === 'split');
          for (const page of pages) {
            // One that opens after a split sees what came after it.
            const [first = 1] = isSplit ? page.sequences() : [1];
            expect(page.sequences()).toEqual(range(first, last));
            page.feed.close();
          }
          await recorder.flushed();
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);

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

type Action =
  | { do: 'record'; count: number }
  | { do: 'pump'; pick: number }
  | { do: 'kill'; which: number }
  | { do: 'open' }
  | { do: 'break' }
  | { do: 'large' }
  | { do: 'split' };

interface World {
  disk: Disk;
  wire: ReturnType<typeof createHeldWire>;
  hub: Hub;
  recorder: Recorder;
  pages: Page[];
}

function split(recorder: Recorder): void {
  const { captureId: continues } = recorder;
  const into = `${continues}'`;
  recorder.record({ kind: 'capture-split', into });
  recorder.beginCapture(into);
  recorder.record({ kind: 'capture-started', name: into, continues });
}

async function act(step: Action, { disk, wire, hub, recorder, pages }: World): Promise<void> {
  switch (step.do) {
    case 'record':
      return recordMany(recorder, step.count);
    case 'pump':
      wire.pump(() => step.pick);
      // Lets the handlers of what was delivered run, up to where they wait for the wire again.
      return new Promise((resolve) => setImmediate(resolve));
    case 'kill': {
      const page = pages[step.which % pages.length]!;
      return page.ports.at(-1)?.disconnect();
    }
    case 'open':
      return void (pages.length < 3 && pages.push(openPage(disk, () => hub, { wire })));
    case 'break':
      disk.isBroken = !disk.isBroken;
      return;
    case 'large':
      recorder.record(chunkFact(1_100_000));
      return recorder.flushed();
    case 'split':
      return split(recorder);
  }
}
