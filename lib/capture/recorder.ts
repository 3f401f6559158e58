import { createFactMask } from './mask-fact.ts';
import type { MaskedText, Secrets } from './secrets.ts';
import type { Block, EventOrigin, WireEvent, WireFact } from './wire-event.ts';

/** Blocks of about this many events write ten times faster than single records. */
const BLOCK_EVENTS = 100;
const BLOCK_BYTES = 1024 * 1024;
/** While the database refuses, this much is kept in memory for it; beyond, the oldest events go. */
const MEMORY_BYTES = 64 * 1024 * 1024;
/** How full it stays when events go: room for many more, since each loss is reported by an event of its own. */
const KEPT_SHARE = 0.75;
/** How long the database is left alone after it refused a batch. */
const RETRY_AFTER_MS = 2000;
/** Rough cost of an event without its bytes. */
const EVENT_OVERHEAD_BYTES = 200;

/** Where blocks go. One call is one transaction: all of it is stored, or none. */
export interface BlockStore {
  /** `checkpoint` is what the worker needs to go on from the end of these blocks, where that has changed. */
  append(blocks: Block[], checkpoint?: MaskedText): Promise<void>;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  wall(): number;
  /** Milliseconds since a fixed moment of this boot. */
  monotonic(): number;
}

const systemClock: Clock = {
  wall: () => Date.now(),
  // Whole microseconds: no clock of a browser is finer, and short numbers are stored and read faster.
  monotonic: () => Math.round(performance.now() * 1000) / 1000,
};

export interface RecorderOptions {
  store: BlockStore;
  secrets: Secrets;
  captureId: string;
  bootId: string;
  /** The highest sequence that any stored event has. */
  lastSequence: number;
  /** Called with every batch once it is stored, or once it is clear that it cannot be now. */
  committed(events: WireEvent[], isStored: boolean): void;
  clock?: Clock;
  memoryBytes?: number;
  /**
   * What a later life of the worker needs to go on from here, as text; `undefined` leaves what is stored. Asked
   * in the turn in which a batch is handed over, so that it never knows more than the batch.
   */
  checkpoint?(): string | undefined;
}

export interface Recorder {
  /** Stamps a fact and queues it for storage. The only place that gives sequence numbers and times. */
  record(fact: WireFact, connectionId?: string, origin?: EventOrigin): WireEvent;
  /** Bytes of a connection that are not committed yet: what readers look at before they read on. */
  uncommittedBytes(connectionId: string): number;
  /** Resolves when everything recorded so far is committed. */
  flushed(): Promise<void>;
  /** Events that are shown but not stored, while the database refuses. */
  readonly unstored: readonly WireEvent[];
  readonly lastCommittedSequence: number;
  readonly captureId: string;
}

/**
 * The one writer of the log: stored first, published after. The next transaction opens when the last one has
 * ended and takes all that came meanwhile, so there is no timer when idle and there are large batches under load.
 */
export function createRecorder(options: RecorderOptions): Recorder {
  const clock = options.clock ?? systemClock;
  const memoryBytes = options.memoryBytes ?? MEMORY_BYTES;
  const mask = createFactMask(options.secrets);
  const pending = new Map<string, number>();
  let sequence = options.lastSequence;
  let lastCommitted = options.lastSequence;
  let queue: WireEvent[] = [];
  let unstored: WireEvent[] = [];
  let unstoredBytes = 0;
  /** The first of the events that were lost since the database began to refuse. */
  let firstLost: number | undefined;
  let retryAt = 0;
  let committing: Promise<void> | undefined;
  let storedCheckpoint: string | undefined;

  function record(fact: WireFact, connectionId?: string, origin?: EventOrigin): WireEvent {
    const masked = mask(fact);
    sequence += 1;
    const event: WireEvent = {
      sequence,
      captureId: options.captureId,
      bootId: options.bootId,
      wallTime: clock.wall(),
      monotonicTime: clock.monotonic(),
      ...masked,
    };
    if (connectionId !== undefined) event.connectionId = connectionId;
    if (origin !== undefined) event.origin = origin;
    queue.push(event);
    if (connectionId !== undefined) addPending(connectionId, eventBytes(event));
    committing ??= Promise.resolve().then(commitAll);
    return event;
  }

  function addPending(connectionId: string, bytes: number): void {
    const left = (pending.get(connectionId) ?? 0) + bytes;
    if (left <= 0) pending.delete(connectionId);
    else pending.set(connectionId, left);
  }

  async function commitAll(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      await store(batch);
      lastCommitted = batch.at(-1)?.sequence ?? lastCommitted;
      for (const event of batch) {
        if (event.connectionId !== undefined) addPending(event.connectionId, -eventBytes(event));
      }
      tell(batch);
    }
    committing = undefined;
  }

  function tell(batch: WireEvent[]): void {
    try {
      options.committed(batch, unstored.length === 0);
    } catch (error) {
      // A listener that fails must not end the recording; as an uncaught error it is seen all the same.
      setTimeout(() => {
        throw error;
      });
    }
  }

  async function store(batch: WireEvent[]): Promise<void> {
    const wasBroken = unstored.length > 0;
    if (wasBroken && clock.monotonic() < retryAt) {
      keepInMemory(batch);
      return;
    }
    try {
      const checkpoint = options.checkpoint?.();
      const isNews = checkpoint !== undefined && checkpoint !== storedCheckpoint;
      await options.store.append(
        packBlocks([...unstored, ...batch]),
        ...(isNews ? [options.secrets.maskText(checkpoint)] : []),
      );
      if (isNews) storedCheckpoint = checkpoint;
      unstored = [];
      unstoredBytes = 0;
      firstLost = undefined;
      if (wasBroken) {
        record({ kind: 'storage-state', state: 'stored', reason: 'The disk takes data again.' });
      }
    } catch (error) {
      retryAt = clock.monotonic() + RETRY_AFTER_MS;
      keepInMemory(batch);
      if (!wasBroken) record({ kind: 'storage-state', state: 'memory', reason: reasonOf(error) });
    }
  }

  function keepInMemory(batch: WireEvent[]): void {
    unstored.push(...batch);
    for (const event of batch) unstoredBytes += eventBytes(event);
    if (unstoredBytes <= memoryBytes) return;
    let dropped = 0;
    for (const event of unstored.slice(0, -1)) {
      if (unstoredBytes <= memoryBytes * KEPT_SHARE) break;
      unstoredBytes -= eventBytes(event);
      dropped += 1;
    }
    const [first] = unstored;
    const last = unstored.splice(0, dropped).at(-1);
    if (first === undefined || last === undefined) return;
    // An earlier report may be among what goes, so each one names all that is lost.
    firstLost ??= first.sequence;
    record({
      kind: 'gap',
      what: 'Events that were shown will not be stored.',
      why: 'Storage fails and the memory set aside for it is full.',
      fromSequence: firstLost,
      toSequence: last.sequence,
    });
  }

  return {
    record,
    uncommittedBytes: (connectionId) => pending.get(connectionId) ?? 0,
    async flushed() {
      while (committing !== undefined) await committing;
    },
    get unstored() {
      return unstored;
    },
    get lastCommittedSequence() {
      return lastCommitted;
    },
    captureId: options.captureId,
  };
}

/** Cuts consecutive events into blocks of bounded count and size. */
export function packBlocks(events: readonly WireEvent[]): Block[] {
  const blocks: Block[] = [];
  let block: Block | undefined;
  for (const event of events) {
    const bytes = eventBytes(event);
    const full =
      block !== undefined &&
      (block.events.length >= BLOCK_EVENTS || block.sizeBytes + bytes > BLOCK_BYTES);
    if (block === undefined || full || block.captureId !== event.captureId) {
      block = {
        captureId: event.captureId,
        firstSequence: event.sequence,
        lastSequence: event.sequence,
        sizeBytes: 0,
        events: [],
      };
      blocks.push(block);
    }
    block.events.push(event);
    block.lastSequence = event.sequence;
    block.sizeBytes += bytes;
  }
  return blocks;
}

/** What an event costs, in bytes, roughly: its own bytes and a flat share for the rest. */
export function eventBytes(event: WireFact): number {
  switch (event.kind) {
    case 'http-chunk':
    case 'socket-frame':
      return EVENT_OVERHEAD_BYTES + event.data.bytes.length;
    case 'http-request':
      return EVENT_OVERHEAD_BYTES + (event.body?.bytes.length ?? 0);
    default:
      return EVENT_OVERHEAD_BYTES;
  }
}

function reasonOf(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'QuotaExceededError')
    return 'The disk or the quota of this browser profile is full.';
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
