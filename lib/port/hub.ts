import { AppError } from '../errors.ts';
import { eventBytes, packBlocks } from '../capture/store/blocks.ts';
import type { Recorder } from '../capture/recorder.ts';
import type { WireEvent } from '../capture/wire-event.ts';
import { serveBackground, type PortLike } from './channel.ts';
import type {
  AuthFunctions,
  BackgroundFunctions,
  ConnectionSummary,
  HubFunctions,
  PageFunctions,
  PortedBatch,
  StorageFunctions,
} from './contract.ts';
import { encodeEvents } from './encode.ts';

/** Far below the 64 MiB at which Chrome refuses a message; larger batches are read from storage. */
const MESSAGE_LENGTH = 1024 * 1024;
/** A page that has this much unread gets nothing more until it has read, and then reads the store. */
const UNREAD_LENGTH = 8 * 1024 * 1024;

export interface Hub {
  /** Serves one page until its port closes. */
  attach(port: PortLike): void;
  /** Whether no page is open. */
  isAlone(): boolean;
  /** Tells every subscribed page of a batch; `areStored` is false while the database refuses. */
  publish(events: readonly WireEvent[], areStored: boolean): void;
  publishConnections(list: ConnectionSummary[]): void;
  publishQueue(connectionId: string, sizeBytes: number): void;
}

interface Page {
  remote: PageFunctions;
  wantsEvents: boolean;
  /** Messages that it was sent and has not read yet, as far as it says. */
  unread: { lastSequence: number; length: number }[];
  unreadLength: number;
  /** The first event that it was not sent, because it does not read; absent while it keeps up. */
  behindFrom?: number;
}

export interface Opened {
  recorder: Recorder;
  /** Those about authorization are absent where there is none. */
  functions: HubFunctions &
    StorageFunctions &
    Partial<AuthFunctions> &
    Partial<Pick<BackgroundFunctions, 'update'>>;
}

/**
 * Fans the log out to every open page. Calls that come before the log is open wait for it. Nothing waits for a
 * page: what a slow one was not sent, it reads from the store when it has time.
 */
export function createHub(opened: Promise<Opened>): Hub {
  const pages = new Set<Page>();
  let connections: ConnectionSummary[] = [];
  let queues = new Map<string, number>();

  function attach(port: PortLike): void {
    const page: Page = {
      remote: serveBackground(
        port,
        callable(() => page),
      ),
      wantsEvents: false,
      unread: [],
      unreadLength: 0,
    };
    pages.add(page);
    port.onDisconnect.addListener(() => pages.delete(page));
  }

  /** All calls, by name; one that comes before the log is open waits for it. */
  function callable(page: () => Page): BackgroundFunctions {
    const ready = opened.then(({ recorder, functions }) => ({
      ...functions,
      subscribe: (after: number | 'none') => subscribe(page(), recorder, after),
      taken: (sequence: number) => taken(page(), recorder, sequence),
    }));
    return new Proxy({} as BackgroundFunctions, {
      get:
        (_none, name: keyof BackgroundFunctions) =>
        async (...call: unknown[]) =>
          Reflect.apply((await ready)[name] ?? refuse, undefined, call) as unknown,
    });
  }

  function subscribe(page: Page, recorder: Recorder, afterSequence: number | 'none') {
    page.wantsEvents = afterSequence !== 'none';
    page.remote.connections(connections);
    const lastSequence = storedUpTo(recorder);
    // At once, so that no live event overtakes them: a page cannot read these from the store.
    if (page.wantsEvents) sendUnstored(page, recorder, lastSequence + 1);
    return { captureId: recorder.captureId, lastSequence };
  }

  function taken(page: Page, recorder: Recorder, sequence: number): void {
    while (page.unread[0] !== undefined && page.unread[0].lastSequence <= sequence) {
      page.unreadLength -= page.unread.shift()?.length ?? 0;
    }
    const from = page.behindFrom;
    if (from === undefined || page.unreadLength > UNREAD_LENGTH / 2) return;
    delete page.behindFrom;
    page.remote.connections(connections);
    const stored = storedUpTo(recorder);
    if (from <= stored) {
      const { captureId } = recorder;
      send(page, { kind: 'stored', captureId, firstSequence: from, lastSequence: stored });
    }
    sendUnstored(page, recorder, from);
  }

  function sendUnstored(page: Page, { unstored }: Recorder, from: number): void {
    const missed = unstored.filter(({ sequence }) => sequence >= from);
    for (const block of packBlocks(missed)) sendBatches(page, block.events, false);
  }

  function sendBatches(page: Page, events: readonly WireEvent[], areStored: boolean): void {
    for (const batch of batchesOf(events, areStored)) offer(page, batch);
  }

  function offer(page: Page, batch: PortedBatch): void {
    if (page.behindFrom === undefined && page.unreadLength <= UNREAD_LENGTH) send(page, batch);
    else page.behindFrom ??= batch.firstSequence;
  }

  function send(page: Page, batch: PortedBatch): void {
    const length = batch.kind === 'events' ? batch.json.length : 1;
    page.unread.push({ lastSequence: batch.lastSequence, length });
    page.unreadLength += length;
    page.remote.events(batch);
  }

  return {
    attach,
    isAlone: () => pages.size === 0,
    publish(events, areStored) {
      // Encoding is work, and most of the time no page is open.
      const reading = [...pages].filter(
        ({ wantsEvents, behindFrom }) => wantsEvents && behindFrom === undefined,
      );
      if (reading.length === 0) return;
      const batches = batchesOf(events, areStored);
      for (const page of reading) {
        for (const batch of batches) offer(page, batch);
      }
    },
    publishConnections(list) {
      connections = list;
      for (const page of pages) {
        // One that does not read gets the newest list when it does.
        if (page.behindFrom === undefined) page.remote.connections(list);
      }
    },
    publishQueue(connectionId, sizeBytes) {
      if (queues.size === 0) queueMicrotask(tellQueues);
      queues.set(connectionId, sizeBytes);
    },
  };

  function tellQueues(): void {
    const told = queues;
    queues = new Map();
    for (const { remote, wantsEvents, behindFrom } of pages) {
      if (!wantsEvents || behindFrom !== undefined) continue;
      for (const queue of told) remote.queued(...queue);
    }
  }
}

function refuse(): never {
  throw new AppError({ code: 'internal', message: 'There is no such call in this background.' });
}

/** The last event that pages can read from the store. */
function storedUpTo({ unstored, lastCommittedSequence }: Recorder): number {
  return (unstored[0]?.sequence ?? lastCommittedSequence + 1) - 1;
}

/** Events as messages of bounded length; what is stored and too long is only named. */
function batchesOf(events: readonly WireEvent[], areStored: boolean): PortedBatch[] {
  const [first] = events;
  const last = events.at(-1);
  if (first === undefined || last === undefined) return [];
  const range = {
    // A page that misses some reads the capture before it as well.
    captureId: last.captureId,
    firstSequence: first.sequence,
    lastSequence: last.sequence,
  };
  // Without encoding them, which takes long just then.
  const isLarge = events.reduce((sum, event) => sum + eventBytes(event), 0) > 2 * MESSAGE_LENGTH;
  if (areStored && isLarge) return [{ kind: 'stored', ...range }];
  const json = encodeEvents(events);
  if (json.length <= MESSAGE_LENGTH) return [{ kind: 'events', ...range, json }];
  if (areStored) return [{ kind: 'stored', ...range }];
  if (events.length === 1) return [{ kind: 'events', ...range, json }];
  const middle = events.length >> 1;
  return [...batchesOf(events.slice(0, middle), false), ...batchesOf(events.slice(middle), false)];
}
