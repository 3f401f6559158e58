import { createBacklog, type BatchBytes } from './backlog.ts';
import { eventBytes, Packer, packBlocks } from './store/blocks.ts';
import { nextTask } from '../turns.ts';
import { createFactMask } from './mask-fact.ts';
import type { MaskedText, Secrets } from './secrets.ts';
import { storageProblem } from './store/storage-trouble.ts';
import { createUnstored } from './store/unstored.ts';
import type { Block, EventOrigin, WireEvent, WireFact } from './wire-event.ts';

/** While the database refuses, this much is kept in memory for it; beyond, the oldest events go. */
const MEMORY_BYTES = 64 * 1024 * 1024;
/** How long the database is left alone after it refused: longer with every refusal in a row. */
const RETRY_MS = [2000, 4000, 8000, 10_000];
/** About as much goes into one transaction: what is being written is in memory several times over. */
const BATCH_BYTES = 4 * 1024 * 1024;

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

/** First and last sequence of what was shown and not stored, since the database began to refuse. */
export interface UnstoredRange {
  from: number;
  to: number;
}

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
  /** Resolves when a transaction may open: a task later, unless a test wants it at once. */
  nextTurn?(): Promise<void>;
  memoryBytes?: number;
  /** Called when the events that are shown but not stored have changed; `undefined` once all are stored. */
  unstoredChanged?(range: UnstoredRange | undefined): void;
  /** Called when a connection's uncommitted bytes pass a multiple of 1 MiB. */
  queueChanged?(connectionId: string, sizeBytes: number): void;
  /**
   * What a later life of the worker needs to go on from here, as text; `undefined` leaves what is stored. Asked
   * in the turn in which a batch is closed, so that it never knows more than the batch.
   */
  checkpoint?(): string | undefined;
}

/** What goes to the database at once. */
interface Batch {
  blocks: Block[];
  bytes: BatchBytes;
  checkpoint: string | undefined;
}

export interface Recorder {
  /** Stamps a fact and queues it for storage. The only place that gives sequence numbers and times. */
  record(fact: WireFact, connectionId?: string, origin?: EventOrigin): WireEvent;
  /** Bytes of a connection that are not committed yet: what readers look at before they read on. */
  uncommittedBytes(connectionId: string): number;
  /** Tries at once to store what is not stored: somebody has made room. */
  retry(): void;
  /** Resolves when everything recorded so far is committed. */
  flushed(): Promise<void>;
  /** Events that are shown but not stored, while the database refuses. */
  readonly unstored: readonly WireEvent[];
  readonly lastCommittedSequence: number;
  readonly captureId: string;
  /** What is recorded from now on belongs to another capture. */
  beginCapture(captureId: string): void;
}

/**
 * The one writer of the log: stored first, published after. The next transaction opens when the last one has
 * ended and takes all that came meanwhile, up to a size, so there is no timer when idle and there are large
 * batches under load.
 */
export function createRecorder(options: RecorderOptions): Recorder {
  const clock = options.clock ?? systemClock;
  const nextTurn = options.nextTurn ?? nextTask;
  const unstored = createUnstored(options.memoryBytes ?? MEMORY_BYTES);
  const mask = createFactMask(options.secrets);
  const backlog = createBacklog(options.queueChanged);
  let { captureId } = options;
  let sequence = options.lastSequence;
  let lastCommitted = options.lastSequence;
  let queue = new Packer();
  let queueBytes = 0;
  /** What came before the queue and is a batch already. */
  const closed: Batch[] = [];
  let refusals = 0;
  let firstUnstored: number | undefined;
  let retryAt = 0;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let committing: Promise<void> | undefined;
  let storedCheckpoint: string | undefined;

  function record(fact: WireFact, connectionId?: string, origin?: EventOrigin): WireEvent {
    // The copy comes last: what is added to one of many shapes, engines add step by step.
    const event: WireEvent = {
      sequence: sequence + 1,
      captureId,
      bootId: options.bootId,
      wallTime: clock.wall(),
      monotonicTime: clock.monotonic(),
      ...fact,
    };
    if (connectionId !== undefined) event.connectionId = connectionId;
    if (origin !== undefined) event.origin = origin;
    mask(event);
    sequence = event.sequence;
    enqueue(event, eventBytes(event));
    committing ??= commitAll();
    return event;
  }

  function enqueue(event: WireEvent, bytes: number): void {
    queue.add(event, bytes);
    const wasFull = queueBytes >= BATCH_BYTES;
    queueBytes += bytes;
    // Not before whoever recorded it has noted what follows from it: the checkpoint is to know of that.
    if (!wasFull && queueBytes >= BATCH_BYTES) queueMicrotask(closeFullBatch);
    if (event.connectionId !== undefined) backlog.add(event.connectionId, bytes);
  }

  function closeFullBatch(): void {
    // It may have been taken in the same turn.
    if (queueBytes >= BATCH_BYTES) closed.push(closeBatch());
  }

  function closeBatch(): Batch {
    const { blocks } = queue;
    queue = new Packer();
    queueBytes = 0;
    return { blocks, bytes: backlog.close(), checkpoint: checkpoint() };
  }

  function checkpoint(): string | undefined {
    try {
      return options.checkpoint?.();
    } catch (error) {
      throwLater(error);
      return undefined;
    }
  }

  async function commitAll(): Promise<void> {
    do {
      // All that comes in one turn goes to the disk together, and what it leads to is on its way by then.
      await nextTurn();
      const batch = closed.shift() ?? closeBatch();
      const events = batch.blocks.flatMap((block) => block.events);
      await store(batch, events);
      const last = events.at(-1);
      if (last === undefined) continue;
      lastCommitted = last.sequence;
      backlog.commit(batch.bytes);
      tell(events);
    } while (closed.length > 0 || queue.blocks.length > 0);
    committing = undefined;
  }

  function tell(batch: WireEvent[]): void {
    try {
      options.committed(batch, unstored.events.length === 0);
    } catch (error) {
      throwLater(error);
    }
  }

  async function store({ blocks, checkpoint }: Batch, events: WireEvent[]): Promise<void> {
    const wasBroken = unstored.events.length > 0;
    if (wasBroken && clock.monotonic() < retryAt) {
      keepInMemory(events);
      return;
    }
    try {
      const isNews = checkpoint !== undefined && checkpoint !== storedCheckpoint;
      await options.store.append(
        wasBroken ? packBlocks([...unstored.events, ...events]) : blocks,
        ...(isNews ? [options.secrets.maskText(checkpoint)] : []),
      );
      if (isNews) storedCheckpoint = checkpoint;
      if (wasBroken) recover();
    } catch (error) {
      refuse(events, error, wasBroken);
    }
  }

  function recover(): void {
    unstored.clear();
    refusals = 0;
    firstUnstored = undefined;
    clearTimeout(retryTimer);
    options.unstoredChanged?.(undefined);
    record({ kind: 'storage-state', state: 'stored', reason: 'The disk takes data again.' });
  }

  function refuse(batch: WireEvent[], error: unknown, wasBroken: boolean): void {
    const restMs = RETRY_MS[Math.min(refusals, RETRY_MS.length - 1)] ?? 0;
    refusals += 1;
    retryAt = clock.monotonic() + restMs;
    // Traffic may have ended: what is in memory gets to the disk all the same.
    clearTimeout(retryTimer);
    retryTimer = setTimeout(retry, restMs);
    keepInMemory(batch);
    if (wasBroken) return;
    const { message: reason, advice } = storageProblem(error);
    record({
      kind: 'storage-state',
      state: 'memory',
      reason,
      ...(advice === undefined ? {} : { advice }),
    });
  }

  function retry(): void {
    retryAt = 0;
    if (unstored.events.length > 0) committing ??= commitAll();
  }

  function keepInMemory(batch: WireEvent[]): void {
    const loss = unstored.keep(batch);
    const last = batch.at(-1);
    firstUnstored ??= batch[0]?.sequence;
    if (firstUnstored !== undefined && last !== undefined) {
      options.unstoredChanged?.({ from: firstUnstored, to: last.sequence });
    }
    if (loss !== undefined) record(loss);
  }

  return {
    record,
    uncommittedBytes: backlog.bytesOf,
    retry,
    async flushed() {
      while (committing !== undefined) await committing;
    },
    get unstored() {
      return unstored.events;
    },
    get lastCommittedSequence() {
      return lastCommitted;
    },
    get captureId() {
      return captureId;
    },
    beginCapture: (next) => void (captureId = next),
  };
}

/** What fails around it must not end the recording; as an uncaught error it is seen all the same. */
function throwLater(error: unknown): void {
  setTimeout(() => {
    throw error;
  });
}
