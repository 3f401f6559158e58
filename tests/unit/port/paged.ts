import { expect, vi } from 'vitest';
import type { BlockStore, Recorder, RecorderOptions } from '../../../lib/capture/recorder.ts';
import type { Block, WireEvent } from '../../../lib/capture/wire-event.ts';
import { AppError } from '../../../lib/errors.ts';
import type {
  ConnectionSummary,
  HubFunctions,
  StorageFunctions,
} from '../../../lib/port/contract.ts';
import { type Feed, type FeedOptions, type FeedStatus, openFeed } from '../../../lib/port/feed.ts';
import { createHub, type Hub } from '../../../lib/port/hub.ts';
import { startRecorder } from '../../support/builders.ts';
import { linkPorts, promptWire, type TestPort, type Wire } from '../../support/linked-ports.ts';

export type CalledFunctions = HubFunctions & StorageFunctions;

/** A busy machine is no failure. */
export const PATIENT = { timeout: 10_000, interval: 1 };

export const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

export const functions = {
  send: () => Promise.reject(new AppError({ code: 'not-connected', message: 'Not open.' })),
} as unknown as CalledFunctions;

/** What survives the worker: the database. */
export interface Disk extends BlockStore {
  blocks: Block[];
  isBroken: boolean;
}

export function createDisk(): Disk {
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
export async function startWorker(disk: Disk, options: Partial<RecorderOptions> = {}) {
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

export interface Page {
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

export function openPage(disk: Disk, hub: () => Hub, options: PageOptions = {}): Page {
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

export async function caughtUp(page: Page, last: number): Promise<void> {
  await vi.waitFor(() => expect(page.sequences().at(-1)).toBe(last), PATIENT);
}

export function recordMany(recorder: Recorder, count: number): void {
  for (let turn = 0; turn < count; turn += 1) recorder.record({ kind: 'wake' });
}
