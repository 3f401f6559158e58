import type { Block, WireEvent } from '../capture/wire-event.ts';
import { linkBackground, type PortLike } from './channel.ts';
import type { BackgroundFunctions, ConnectionSummary, PortedBatch } from './contract.ts';
import { decodeEvents } from './encode.ts';

export type FeedStatus =
  | { kind: 'loading'; loadedEvents: number }
  | { kind: 'live' }
  /** The worker went away; `attempt` counts from 1. */
  | { kind: 'reconnecting'; attempt: number };

export interface FeedHandlers {
  /** Consecutive events, each exactly once, in order of `sequence`. */
  events(events: WireEvent[]): void;
  connections(list: ConnectionSummary[]): void;
  status(status: FeedStatus): void;
}

export interface FeedOptions extends FeedHandlers {
  connect(): PortLike;
  /** Stored blocks that hold events of `from` to `to`, in order. */
  readBlocks(captureId: string, from: number, to: number): AsyncIterable<Block[]>;
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

  const link = linkBackground(
    () => options.connect(),
    {
      events: (batch) => enqueue(batch),
      connections: (list) => options.connections(list),
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
    }
    if (isLinked && !closed) options.status({ kind: 'live' });
  }

  async function take(batch: PortedBatch): Promise<void> {
    if (!options.wantsEvents || batch.lastSequence <= lastSequence) return;
    const first = batch.kind === 'stored' ? batch.lastSequence + 1 : batch.firstSequence;
    if (first > lastSequence + 1) await readStored(batch.captureId, first - 1);
    if (batch.kind === 'events') deliver(decodeEvents(batch.json));
  }

  async function readStored(captureId: string, to: number): Promise<void> {
    try {
      await readBlocks(captureId, to);
    } catch {
      // The browser may have closed the database under this page, and opens it anew for the next reading.
      // Should that fail too, what cannot be read must not hide what is live.
      await readBlocks(captureId, to).catch(() => undefined);
    }
  }

  async function readBlocks(captureId: string, to: number): Promise<void> {
    for await (const blocks of options.readBlocks(captureId, lastSequence + 1, to)) {
      if (closed) return;
      deliver(blocks.flatMap((block) => block.events));
      options.status({ kind: 'loading', loadedEvents });
    }
  }

  function deliver(events: WireEvent[]): void {
    const fresh = events.filter((event) => event.sequence > lastSequence);
    const last = fresh.at(-1);
    if (last === undefined) return;
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
