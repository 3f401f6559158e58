import type { Block, Stamp } from '../wire-event.ts';

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
  /** Texts that the rows of the block share. */
  texts?: string[];
  /** What rows are told from; absent in early blocks. */
  base?: RowBase;
  /** The usual events, one row of whole numbers behind the other; absent in early blocks. */
  rows?: Int32Array;
  /** All other events, with the place of their bytes in `bytes` instead of the bytes. In early blocks: all. */
  json: string;
  bytes: Uint8Array;
}

/** What a record of a block may be: the first ones were kept as they are. */
export type BlockRecord = StoredBlock | Block;

/** Where the bytes of an event lie in those of its block. */
export type Place = [offset: number, length: number];

export interface RowBase {
  wallTime: number;
  /** Monotonic time, in whole microseconds. */
  micros: number;
  sources: Pick<Stamp, 'bootId' | 'connectionId'>[];
}

/**
 * What a row begins with. Behind it stand, counted from the block's first sequence and from its base: sequence,
 * wall time, microseconds; then the indexes of its source and of the text that names what carries it; then what is
 * its kind's own. Texts are indexes, -1 where there is none; bytes are their offset, their length, and the text of
 * what was cut out of them.
 */
export const ROW = {
  /** No row: the next event in `json`. */
  other: 0,
  /** Purpose, method, URL, its cuts, headers, links, body. */
  request: 1,
  /** Status, its text, headers. */
  response: 2,
  /** Offset, bytes. */
  chunk: 3,
  /** The end in full as a text, or -1; else its size. */
  end: 4,
  /** Offset and length of the block, event, id, count of its data lines or -1, offset and length of each. */
  event: 5,
  /** Id of the request, which limit, duration. */
  deadline: 6,
  /** Direction, opcode, bytes. */
  frame: 7,
} as const;

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
  /** Offset and length of each `data` line. */
  data: number[] | 0,
];
