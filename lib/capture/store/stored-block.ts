import type { Block } from '../wire-event.ts';

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
  /** The events, with the place of their bytes in `bytes` instead of the bytes; SSE events as rows. */
  json: string;
  bytes: Uint8Array;
}

/** What a record of a block may be: the first ones were kept as they are. */
export type BlockRecord = StoredBlock | Block;

/** Where the bytes of an event lie in those of its block. */
export type Place = [offset: number, length: number];

/** An SSE event: bursts consist of nothing else. */
export type SseRow = [
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
