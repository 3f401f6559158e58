import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { Recorder } from '../../../lib/capture/recorder.ts';
import type { Block, WireEvent } from '../../../lib/capture/wire-event.ts';
import type { HubFunctions, StorageFunctions } from '../../../lib/port/contract.ts';
import { openFeed } from '../../../lib/port/feed.ts';
import { createHub, type Hub } from '../../../lib/port/hub.ts';
import { chunkFact, startRecorder } from '../../support/builders.ts';
import { createHeldWire, linkPorts, promptWire, type Wire } from '../../support/linked-ports.ts';

vi.setConfig({ testTimeout: 60_000 });

/** A busy machine is no failure. */
const PATIENT = { timeout: 10_000, interval: 1 };
const MIB = 1024 * 1024;

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

async function startWorker() {
  const disk = { blocks: [] as Block[], isBroken: false };
  const { promise, resolve } = Promise.withResolvers<Recorder>();
  const functions = {} as HubFunctions & StorageFunctions;
  const hub: Hub = createHub(promise.then((recorder) => ({ recorder, functions })));
  const { recorder } = await startRecorder({
    store: {
      append(added) {
        if (disk.isBroken) return Promise.reject(new Error('no disk'));
        disk.blocks.push(...structuredClone(added));
        return Promise.resolve();
      },
    },
    committed: (events, isStored) => hub.publish(events, isStored),
    queueChanged: (connectionId, sizeBytes) => hub.publishQueue(connectionId, sizeBytes),
  });
  resolve(recorder);
  return { disk, hub, recorder };
}

type World = Awaited<ReturnType<typeof startWorker>>;

function openPage({ disk, hub }: World, wire: Wire) {
  const seen: WireEvent[] = [];
  const sent: string[] = [];
  const reads: [number, number][] = [];
  const queues: [string, number][] = [];
  const statuses: string[] = [];
  const feed = openFeed({
    wantsEvents: true,
    connect() {
      const [own, worker] = linkPorts(wire);
      const post = worker.postMessage;
      worker.postMessage = (message) => {
        sent.push(JSON.stringify(message));
        post(message);
      };
      hub.attach(worker);
      return own;
    },
    async *readBlocks(captureId, from, to) {
      reads.push([from, to]);
      const found = disk.blocks.filter(
        (block) =>
          block.captureId === captureId && block.lastSequence >= from && block.firstSequence <= to,
      );
      for (const block of found) yield [structuredClone(block)];
    },
    events: (events) => void seen.push(...events),
    connections: () => undefined,
    status: (status) => void statuses.push(status.kind),
    queued: (...queue) => void queues.push(queue),
  });
  const sequences = () => seen.map((event) => event.sequence);
  return { feed, seen, sent, reads, queues, statuses, sequences };
}

/** Lets a held wire deliver all that waits, and what comes of it. */
async function pumpAll(wire: ReturnType<typeof createHeldWire>): Promise<void> {
  do {
    while (wire.pump());
    await new Promise((resolve) => setImmediate(resolve));
  } while (wire.pump());
}

test('a page that does not read slows nobody, is sent a bounded amount, and then reads the store', async () => {
  const world = await startWorker();
  const { recorder } = world;
  const held = createHeldWire();
  const slow = openPage(world, held);
  const quick = openPage(world, promptWire);
  await vi.waitFor(async () => {
    await pumpAll(held);
    expect(slow.statuses.at(-1)).toBe('live');
    expect(quick.statuses.at(-1)).toBe('live');
  }, PATIENT);
  for (let turn = 0; turn < 200; turn += 1) {
    recorder.record(chunkFact(100_000), 'c1');
    await recorder.flushed();
    world.hub.publishConnections([]);
  }
  // The slow page has read nothing, and the recording is done; so is the page that reads.
  expect(recorder.lastCommittedSequence).toBe(200);
  await vi.waitFor(() => expect(quick.sequences()).toEqual(range(1, 200)), PATIENT);
  expect(slow.seen).toEqual([]);
  const waiting = slow.sent.reduce((sum, message) => sum + message.length, 0);
  expect(waiting).toBeLessThan(9.5 * MIB);
  // Nor do lists of connections pile up: it gets the newest one when it reads.
  const lists = slow.sent.filter((message) => message.includes('"connections"'));
  expect(lists.length).toBeLessThan(150);
  const messages = slow.sent.length;

  await vi.waitFor(async () => {
    await pumpAll(held);
    expect(slow.sequences().at(-1)).toBe(200);
  }, PATIENT);
  expect(slow.seen).toEqual(quick.seen);
  expect(slow.reads).toHaveLength(1);
  expect(slow.sent.slice(messages).join('')).not.toContain('"events","a":[{"kind":"events"');

  // Once it has caught up, it follows live again.
  recorder.record({ kind: 'wake' });
  await vi.waitFor(async () => {
    await pumpAll(held);
    expect(slow.sequences().at(-1)).toBe(201);
  }, PATIENT);
  expect(slow.sent.at(-1)).toContain('"kind":"events"');
  expect(slow.reads).toHaveLength(1);
  slow.feed.close();
  quick.feed.close();
});

test('a slow page gets what is in memory only a part at a time, while the database refuses', async () => {
  const world = await startWorker();
  const { recorder, disk } = world;
  const held = createHeldWire();
  const slow = openPage(world, held);
  await vi.waitFor(async () => {
    await pumpAll(held);
    expect(slow.statuses.at(-1)).toBe('live');
  }, PATIENT);
  disk.isBroken = true;
  for (let turn = 0; turn < 200; turn += 1) {
    recorder.record(chunkFact(100_000), 'c1');
    await recorder.flushed();
  }
  const lengthOf = (messages: string[]) => messages.reduce((sum, { length }) => sum + length, 0);
  expect(lengthOf(slow.sent)).toBeLessThan(9.5 * MIB);
  let most = 0;
  await vi.waitFor(async () => {
    const before = slow.sent.length;
    // All that waits is read at once, and the answers with it.
    while (held.pump());
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, lengthOf(slow.sent.slice(before)));
    expect(slow.sequences().at(-1)).toBe(201);
  }, PATIENT);
  expect(slow.sequences()).toEqual(range(1, 201));
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(9.5 * MIB);
  slow.feed.close();
});

test('two pages show the same events in the same order, however slowly either reads', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.record({ do: fc.constant('record' as const), size: fc.nat({ max: 700_000 }) }),
          fc.record({ do: fc.constant('read' as const), lane: fc.nat({ max: 3 }) }),
          fc.record({ do: fc.constant('break' as const) }),
        ),
        { maxLength: 60 },
      ),
      async (steps) => {
        const world = await startWorker();
        const { recorder, disk } = world;
        const held = createHeldWire();
        const pages = [openPage(world, held), openPage(world, held)];
        for (const step of steps) {
          if (step.do === 'record') {
            recorder.record(chunkFact(step.size), 'c1');
            await recorder.flushed();
          } else if (step.do === 'read') {
            held.pump(() => step.lane);
            await new Promise((resolve) => setImmediate(resolve));
          } else {
            disk.isBroken = !disk.isBroken;
          }
        }
        disk.isBroken = false;
        recorder.record({ kind: 'wake' });
        recorder.retry();
        await recorder.flushed();
        recorder.retry();
        await recorder.flushed();
        const last = recorder.lastCommittedSequence;
        await vi.waitFor(async () => {
          await pumpAll(held);
          for (const page of pages) expect(page.sequences().at(-1)).toBe(last);
        }, PATIENT);
        for (const page of pages) {
          expect(page.sequences()).toEqual(range(1, last));
          page.feed.close();
        }
        expect(pages[0]!.seen).toEqual(pages[1]!.seen);
      },
    ),
    { numRuns: 40 },
  );
});

test('a page learns of long queues, once for each that changes at a time', async () => {
  const world = await startWorker();
  const page = openPage(world, promptWire);
  await vi.waitFor(() => expect(page.statuses.at(-1)).toBe('live'), PATIENT);
  for (let turn = 0; turn < 4; turn += 1) world.recorder.record(chunkFact(MIB), 'c1');
  await vi.waitFor(() => expect(page.queues).toHaveLength(2), PATIENT);
  expect(page.queues[0]![0]).toBe('c1');
  expect(page.queues[0]![1]).toBeGreaterThan(4 * MIB);
  expect(page.queues[1]).toEqual(['c1', 0]);
  page.feed.close();
});
