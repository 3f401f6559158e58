import { lengthOf } from '../../capture/correlate/http-record.ts';
import type { SocketRecord } from '../../capture/correlate/items.ts';
import { formatBytes } from '../../text.ts';
import { lineTimes } from './line-times.ts';

/** One line of the table of frames. */
export interface FrameRow {
  sequence: number;
  number: string;
  time: string;
  /** Time since the line before, where both clocks belong to one boot. */
  gap: string;
  direction: string;
  opcode: string;
  size: string;
  data: string;
}

const DATA_PREVIEW = 400;

/** The row at an index of a socket's frames; undefined beyond their end. */
export function toFrameRow(record: SocketRecord, index: number): FrameRow | undefined {
  const frame = record.frames[index];
  if (frame === undefined) return undefined;
  const before = record.frames[index - 1] ?? record.open;
  return {
    sequence: frame.sequence,
    number: String(index + 1),
    ...lineTimes(frame, before),
    direction: frame.direction,
    opcode: frame.opcode,
    size: formatBytes(lengthOf(frame.data)),
    data: new TextDecoder().decode(frame.data.bytes.subarray(0, DATA_PREVIEW)),
  };
}

/** A filter reads no more of one frame. Bytes. */
const TEXT_LIMIT = 1_000_000;

/** All that a frame says, for a filter; undefined where its bytes are on disk only. */
export function frameLineText(record: SocketRecord, index: number): string | undefined {
  const frame = record.frames[index];
  if (frame === undefined || frame.data.awayBytes !== undefined) return undefined;
  const text = new TextDecoder().decode(frame.data.bytes.subarray(0, TEXT_LIMIT));
  return `${frame.direction} ${frame.opcode}\n${text}`;
}
