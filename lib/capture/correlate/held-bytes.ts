import type { StoredBytes } from '../store/stored-text.ts';
import type { Block, EventOf, WireEvent } from '../wire-event.ts';

/** What a page keeps in memory of the bytes in its log; the rest is read from disk when it is looked at. */
const HELD_BYTES = 64 * 1024 * 1024;

/** How a connection began is looked at all the time, and stays. */
const BEGINNING_BYTES = 256 * 1024;

/** Who looks at one event after the other finds many in a block. */
const PEEKED_BLOCKS = 4;

const NOTHING = new Uint8Array();

type BytesEvent = EventOf<'http-chunk' | 'socket-frame'>;

export interface HeldBytesOptions {
  limitBytes?: number;
  beginningBytes?: number;
  /** Stored blocks that hold events of `from` to `to`, in order. */
  readBlocks(captureId: string, from: number, to: number): AsyncIterable<Block[]>;
}

/** The bytes of a page's log, of which it holds the newest. */
export interface HeldBytes {
  /**
   * Takes note of events that everybody has read. Lets go of the oldest bytes where there are too many, but
   * only while `mayLetGo`: all that is shown is on disk then.
   */
  keep(events: readonly WireEvent[], mayLetGo: boolean): void;
  /**
   * Reads bytes from disk for a look that keeps nothing in memory; by `sequence`. What cannot be read is missing.
   */
  peek(events: readonly BytesEvent[]): Promise<ReadonlyMap<number, StoredBytes>>;
  /** Called whenever bytes that were missed are there again. */
  onRestored(listener: () => void): void;
}

/**
 * Bytes that were let go read as none, and reading them is what brings them back. What still has to be read is
 * not let go: the unfinished event of a stream, a body that has not ended, and how a stream and a connection
 * began.
 */
export function createHeldBytes(options: HeldBytesOptions): HeldBytes {
  const { limitBytes = HELD_BYTES, beginningBytes = BEGINNING_BYTES, readBlocks } = options;
  /** What may go, the oldest first. */
  let free: BytesEvent[] = [];
  let nextFree = 0;
  let heldBytes = 0;
  /** Chunks of exchanges that are under way, as far as they are not read. */
  const unread = new Map<string, BytesEvent[]>();
  /** What was looked at in this turn, and all that is on its way back. */
  const missed = new Set<BytesEvent>();
  const returning = new Set<BytesEvent>();
  /** By connection: how much of its beginning there is. */
  const beginnings = new Map<string, number>();
  let restored: () => void = () => undefined;

  function note(event: WireEvent): void {
    switch (event.kind) {
      case 'http-chunk': {
        if (isBeginning(event)) return;
        hold(event);
        const chunks = unread.get(event.httpId);
        if (chunks === undefined) unread.set(event.httpId, [event]);
        else chunks.push(event);
        return;
      }
      case 'socket-frame':
        if (isBeginning(event)) return;
        hold(event);
        free.push(event);
        return;
      case 'sse-event':
        return readUpTo(event.httpId, event.block.offset + event.block.length);
      case 'sse-comment':
        return readUpTo(event.httpId, event.line.offset + event.line.length);
      case 'http-end':
        for (const chunk of unread.get(event.httpId) ?? []) free.push(chunk);
        unread.delete(event.httpId);
        return;
      default:
    }
  }

  function isBeginning(event: BytesEvent): boolean {
    const { connectionId = '', data } = event;
    const size = (beginnings.get(connectionId) ?? 0) + data.bytes.length;
    if (size > beginningBytes) return false;
    beginnings.set(connectionId, size);
    event.data = copyOf(data);
    return true;
  }

  function hold({ data }: BytesEvent): void {
    heldBytes += data.bytes.length;
  }

  /** All but how it began. */
  function readUpTo(httpId: string, offset: number): void {
    const chunks = unread.get(httpId) ?? [];
    let end = 1;
    for (let chunk = chunks[end]; chunk !== undefined && endOf(chunk) <= offset;) {
      free.push(chunk);
      chunk = chunks[(end += 1)];
    }
    if (end > 1) chunks.splice(1, end - 1);
  }

  function letGo(): void {
    while (heldBytes > limitBytes && nextFree < free.length) {
      const event = free[nextFree];
      nextFree += 1;
      if (event === undefined || event.data.awayBytes !== undefined) continue;
      heldBytes -= event.data.bytes.length;
      event.data = awayData(event);
    }
    if (nextFree < 1000 || nextFree < free.length / 2) return;
    free = free.slice(nextFree);
    nextFree = 0;
  }

  function awayData(event: BytesEvent): StoredBytes {
    const { bytes, cuts } = event.data;
    return {
      awayBytes: bytes.length,
      ...(cuts === undefined ? {} : { cuts }),
      get bytes() {
        if (!returning.has(event)) miss(event);
        return NOTHING;
      },
    };
  }

  function miss(event: BytesEvent): void {
    if (missed.size === 0) queueMicrotask(() => void restore());
    missed.add(event);
    returning.add(event);
  }

  async function restore(): Promise<void> {
    const wanted = [...missed].toSorted((a, b) => a.sequence - b.sequence);
    // What is missed from now on is for the next time.
    missed.clear();
    for (const event of wanted) {
      if (event.data.awayBytes === undefined) continue;
      const { captureId, sequence } = event;
      try {
        for await (const blocks of readBlocks(captureId, sequence, sequence)) {
          takeBack(wanted, blocks);
        }
      } catch {
        // What cannot be read now reads as none; the status of the feed tells of the trouble.
      }
    }
    for (const event of wanted) {
      returning.delete(event);
      // Not on disk any more: asking for it again would bring nothing either.
      if (event.data.awayBytes === undefined) free.push(event);
      else event.data = { bytes: NOTHING };
    }
    restored();
  }

  let peeked: ReadonlyMap<number, WireEvent>[] = [];

  async function peek(events: readonly BytesEvent[]): Promise<ReadonlyMap<number, StoredBytes>> {
    const found = new Map<number, StoredBytes>();
    for (const { captureId, sequence } of events) {
      if (findPeeked(sequence) === undefined) await readBlock(captureId, sequence);
      const stored = findPeeked(sequence);
      const isBytes = stored?.kind === 'http-chunk' || stored?.kind === 'socket-frame';
      if (isBytes) found.set(sequence, stored.data);
    }
    return found;
  }

  function findPeeked(sequence: number): WireEvent | undefined {
    return peeked.find((block) => block.has(sequence))?.get(sequence);
  }

  async function readBlock(captureId: string, sequence: number): Promise<void> {
    try {
      for await (const blocks of readBlocks(captureId, sequence, sequence)) {
        const read = blocks.map(
          (block) => new Map(block.events.map((event) => [event.sequence, event])),
        );
        peeked = [...read, ...peeked].slice(0, PEEKED_BLOCKS);
      }
    } catch {
      // As above: what cannot be read is missing.
    }
  }

  function takeBack(wanted: readonly BytesEvent[], blocks: readonly Block[]): void {
    const stored = new Map(
      blocks.flatMap(({ events }) => events.map((each) => [each.sequence, each])),
    );
    for (const event of wanted) {
      const found = stored.get(event.sequence);
      if (event.data.awayBytes === undefined || found?.kind !== event.kind) continue;
      event.data = copyOf(found.data);
      hold(event);
    }
  }

  return {
    keep(events, mayLetGo) {
      for (const event of events) note(event);
      if (mayLetGo) letGo();
    },
    peek,
    onRestored(listener) {
      restored = listener;
    },
  };
}

/** A view would keep its whole block in memory. */
function copyOf({ bytes, ...rest }: StoredBytes): StoredBytes {
  return { ...rest, bytes: bytes.length < bytes.buffer.byteLength ? bytes.slice() : bytes };
}

function endOf(event: BytesEvent): number {
  return event.kind === 'http-chunk' ? event.offset + event.data.bytes.length : 0;
}
