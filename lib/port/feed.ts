import type { Correlation } from '../capture/correlate/correlate.ts';
import { reasonOf, unreadableEvent, type UnreadableRange } from '../capture/store/unreadable.ts';
import type { Block, WireEvent } from '../capture/wire-event.ts';
import type { Problem } from '../errors.ts';
import { linkBackground, type PortLike } from './channel.ts';
import type { BackgroundFunctions, ConnectionSummary, PortedBatch } from './contract.ts';
import { deliverInTurns } from './deliver.ts';
import { decodeEvents } from './encode.ts';
import { createTurns } from '../turns.ts';

/** Far less than the background sends unread. */
const ACKNOWLEDGED_LENGTH = 1024 * 1024;

export type FeedStatus =
  | { kind: 'loading'; loadedEvents: number }
  | { kind: 'live' }
  /** Live, but these events, which are stored or should be, could not be read. */
  | ({ kind: 'unreadable' } & UnreadableRange)
  /** All of a capture that is over. */
  /** `file` is the one that it was imported from. */
  | { kind: 'stored'; name: string; file?: string }
  /** The worker went away; `attempt` counts from 1. */
  | { kind: 'reconnecting'; attempt: number }
  /** The extension was replaced under this page; nothing comes any more. */
  | { kind: 'ended'; problem: Problem };

export interface FeedHandlers {
  /** Consecutive events, each exactly once, in order of `sequence`. */
  events(events: WireEvent[]): void;
  /** The end of what is stored, where that is much: a first look, before `events` tells all of it in order. */
  preview?(end: Correlation): void;
  connections(list: ConnectionSummary[]): void;
  status(status: FeedStatus): void;
  /** Bytes of a connection that wait to be stored, where they are many. */
  queued?(connectionId: string, sizeBytes: number): void;
}

export interface FeedOptions extends FeedHandlers {
  connect(): PortLike;
  /** Stored blocks that hold events of `from` to `to`, in order. */
  readBlocks(captureId: string, from: number, to: number): AsyncIterable<Block[]>;
  /** The end of a capture, where that is long. */
  readEnd?(captureId: string, to: number): Promise<Correlation | undefined>;
  /** False for a page that shows connections only. */
  wantsEvents: boolean;
}

export interface Feed {
  readonly background: BackgroundFunctions;
  close(): void;
}

/**
 * A page's view of the log: subscribes, reads what is stored, then follows live; a gap in the sequence is
 * read from storage. After a restart of the worker it goes on from the last event it has.
 */
export function openFeed(options: FeedOptions): Feed {
  let lastSequence = 0;
  let loadedEvents = 0;
  let queue: PortedBatch[] = [];
  let reading: Promise<void> | undefined;
  let isLinked = false;
  let closed = false;
  let unacknowledged = 0;
  let last: WireEvent | undefined;
  let unreadable: UnreadableRange | undefined;
  const page = { deliver, isClosed: () => closed };

  const link = linkBackground(
    () => options.connect(),
    {
      events: (batch) => enqueue(batch),
      connections: (list) => options.connections(list),
      queued: (connectionId, sizeBytes) => options.queued?.(connectionId, sizeBytes),
    },
    {
      connected() {
        isLinked = true;
        subscribe();
      },
      lost(attempt) {
        isLinked = false;
        options.status({ kind: 'reconnecting', attempt });
      },
      ended(problem) {
        isLinked = false;
        options.status({ kind: 'ended', problem });
      },
    },
  );

  function subscribe(): void {
    // The link is not assigned yet during the first connect.
    queueMicrotask(() => {
      link.background.subscribe(options.wantsEvents ? lastSequence : 'none').then(
        ({ captureId, lastSequence: stored }) =>
          enqueue({
            kind: 'stored',
            captureId,
            firstSequence: lastSequence + 1,
            lastSequence: stored,
          }),
        // The port broke meanwhile: the next one subscribes again.
        () => undefined,
      );
    });
  }

  function enqueue(batch: PortedBatch): void {
    queue.push(batch);
    reading ??= drain().finally(() => {
      reading = undefined;
    });
  }

  async function drain(): Promise<void> {
    while (queue.length > 0 && !closed) {
      const batches = queue;
      queue = [];
      for (const batch of batches) await take(batch);
      acknowledge(batches);
    }
    if (!isLinked || closed) return;
    options.status(
      unreadable === undefined ? { kind: 'live' } : { kind: 'unreadable', ...unreadable },
    );
  }

  /** The background sends so much and no more before it hears that it was read. */
  function acknowledge(batches: readonly PortedBatch[]): void {
    for (const batch of batches) unacknowledged += batch.kind === 'events' ? batch.json.length : 0;
    if (!isLinked || unacknowledged < ACKNOWLEDGED_LENGTH) return;
    unacknowledged = 0;
    const sequence = Math.max(...batches.map((batch) => batch.lastSequence));
    // The port broke meanwhile: the next one begins with nothing unread.
    link.background.taken(sequence).catch(() => undefined);
  }

  async function take(batch: PortedBatch): Promise<void> {
    if (!options.wantsEvents || batch.lastSequence <= lastSequence) return;
    const first = batch.kind === 'stored' ? batch.lastSequence + 1 : batch.firstSequence;
    if (first > lastSequence + 1) await readStored(batch.captureId, first - 1);
    if (batch.kind === 'events') await deliverInTurns(decodeEvents(batch.json), page);
  }

  async function readStored(captureId: string, to: number): Promise<void> {
    if (last === undefined) await showEnd(options, captureId, to);
    try {
      await readBlocks(captureId, to).catch(
        // The browser may have closed the database under this page, and opens it anew for the next reading.
        () => readBlocks(captureId, to),
      );
      // Before the first event of a capture there is nothing to miss.
      if (last !== undefined) miss(captureId, to, 'They are not in the database any more.');
    } catch (error) {
      // What cannot be read must not hide what is live.
      miss(captureId, to, reasonOf(error));
    }
  }

  /** Names what should have been read up to `to`. */
  function miss(captureId: string, to: number, reason: string): void {
    if (closed || lastSequence >= to) return;
    unreadable = { captureId, from: lastSequence + 1, to, reason };
    deliver([unreadableEvent(unreadable, last)]);
  }

  async function readBlocks(captureId: string, to: number): Promise<void> {
    const turns = createTurns();
    for (let id = last?.captureId ?? captureId; ;) {
      for await (const blocks of options.readBlocks(id, lastSequence + 1, to)) {
        if (closed) return;
        for (const block of blocks) await deliverInTurns(block.events, page, turns);
        options.status({ kind: 'loading', loadedEvents });
      }
      if (id === captureId) return;
      // It was split meanwhile, perhaps more than once.
      const into = last?.kind === 'capture-split' ? last.into : undefined;
      id = into === undefined || into === id ? captureId : into;
    }
  }

  function deliver(events: WireEvent[]): void {
    const fresh = events.filter((event) => event.sequence > lastSequence);
    last = fresh.at(-1) ?? last;
    if (last === undefined || fresh.length === 0) return;
    lastSequence = last.sequence;
    loadedEvents += fresh.length;
    options.events(fresh);
  }

  return {
    background: link.background,
    close() {
      closed = true;
      link.close();
    },
  };
}

/** Shows what is newest before all is read. */
export async function showEnd(
  { preview, readEnd }: Pick<FeedOptions, 'preview' | 'readEnd'>,
  captureId: string,
  to: number,
): Promise<void> {
  if (preview === undefined) return;
  // It only comes sooner this way: a reading that fails is reported by the one that follows.
  const end = await readEnd?.(captureId, to).catch(() => undefined);
  if (end !== undefined) preview(end);
}
