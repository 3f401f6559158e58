import type { Block, EventOf, Stamp } from '../wire-event.ts';
import type { StoredBytes } from './stored-text.ts';

/**
 * A block as the database keeps it: all events as one JSON text, all their bytes as one array. Copying one
 * string and one buffer costs a fraction of cloning a hundred objects, and every write is such a copy.
 */
export interface StoredBlock {
  captureId: string;
  firstSequence: number;
  lastSequence: number;
  eventCount: number;
  sizeBytes: number;
  roots?: number[];
  /** Texts that the events of the block repeat; early blocks have none, and no rows. */
  texts?: string[];
  /** What rows are told from; absent where they are all of the early form. */
  base?: RowBase;
  /** The events, with the place of their bytes in `bytes` instead of the bytes; the usual ones as rows. */
  json: string;
  bytes: Uint8Array;
}

/** What a record of a block may be: the first ones were kept as they are. */
export type BlockRecord = StoredBlock | Block;

/** Where the bytes of an event lie in those of its block. */
export type Place = [offset: number, length: number];

/** Bytes as their place, with what was cut out of them where that is anything. */
export type PlacedBytes = Place | (Omit<StoredBytes, 'bytes'> & { bytes: Place });

export interface RowBase {
  wallTime: number;
  /** Monotonic time, in whole microseconds. */
  micros: number;
  sources: Pick<Stamp, 'bootId' | 'connectionId'>[];
}

/** Numbers count from the block's first sequence and from its base; `source` and `carrier` are indexes. */
export type RowHead = [
  sequence: number,
  wallTime: number,
  micros: number,
  source: number,
  /** The text that names the exchange or socket that carries it. */
  carrier: number,
];

/** The events that come with every message, in a sixth of the text. Headers are the index of a text, as JSON. */
export type Row =
  | [
      head: RowHead,
      kind: 'http-request',
      purpose: EventOf<'http-request'>['purpose'],
      method: string,
      url: EventOf<'http-request'>['url'],
      headers: number,
      links: EventOf<'http-request'>['links'],
      body: PlacedBytes | 0,
    ]
  | [head: RowHead, kind: 'http-response', status: number, statusText: string, headers: number]
  | [head: RowHead, kind: 'http-chunk', offset: number, data: PlacedBytes]
  | [head: RowHead, kind: 'http-end', end: EventOf<'http-end'>['end']]
  | [
      head: RowHead,
      kind: 'sse-event',
      blockOffset: number,
      blockLength: number,
      /** Index of a text; -1 where the block has none. */
      event: number,
      id: string | 0,
      data: FlatSpans | 0,
    ]
  | [
      head: RowHead,
      kind: 'deadline-started',
      rpcId: string | 0,
      deadline: EventOf<'deadline-started'>['deadline'],
      durationMs: number,
    ]
  | [
      head: RowHead,
      kind: 'socket-frame',
      direction: EventOf<'socket-frame'>['direction'],
      opcode: EventOf<'socket-frame'>['opcode'],
      data: PlacedBytes,
    ];

/** Offset and length of each `data` line. */
type FlatSpans = number[];

/** An SSE event as early blocks have it. */
export type EarlySseRow = [
  sequence: number,
  wallTime: number,
  monotonicTime: number,
  captureId: number,
  bootId: number,
  connectionId: number,
  httpId: number,
  blockOffset: number,
  blockLength: number,
  event: number,
  id: string | 0,
  data: FlatSpans | 0,
];
