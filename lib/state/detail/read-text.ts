import { findEvent, lengthOf, spanBytes } from '../../capture/correlate/http-record.ts';
import type { MessageRef } from '../../capture/correlate/items.ts';
import { findFrame, type MessageRecords } from '../../capture/correlate/socket-record.ts';
import type { LongWork } from './long-work.ts';

/** Decoding the text of a message piece by piece. */
export interface TextReading extends LongWork {
  /** Bytes of the message, and how many of them have been read. */
  readonly sizeBytes: number;
  readonly readBytes: number;
  /** All of it; empty until it is done. */
  readonly text: string;
}

interface Part {
  length: number;
  bytesAt(offset: number, length: number): Uint8Array;
}

const PIECE_BYTES = 256 * 1024;

/** Begins to read a message wherever it lies; what the log does not hold reads as no text. */
export function readText(records: MessageRecords, ref: MessageRef): TextReading {
  const parts = partsOf(records, ref);
  const sizeBytes = parts.reduce((sum, part) => sum + part.length, Math.max(parts.length - 1, 0));
  // A byte order mark is part of what came, so it stays in the text.
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  const pieces: string[] = [];
  let at = 0;
  let offset = 0;
  let readBytes = 0;
  let text = '';
  let isDone = false;
  return {
    sizeBytes,
    get readBytes() {
      return readBytes;
    },
    get text() {
      return text;
    },
    get isDone() {
      return isDone;
    },
    step() {
      const part = parts[at];
      if (part === undefined) {
        text = pieces.join('');
        isDone = true;
        return;
      }
      const length = Math.min(PIECE_BYTES, part.length - offset);
      const isLast = offset + length >= part.length;
      pieces.push(utf8.decode(part.bytesAt(offset, length), { stream: !isLast }));
      readBytes += length;
      offset += length;
      if (!isLast) return;
      at += 1;
      offset = 0;
      // The data lines of an event are joined by LF.
      if (at < parts.length) pieces.push('\n');
    },
  };
}

function partsOf(records: MessageRecords, ref: MessageRef): Part[] {
  if (ref.in === 'frame') {
    const frame = findFrame(records.sockets, ref);
    return frame === undefined ? [] : [partOf(frame.data.bytes)];
  }
  const record = records.https.get(ref.httpId);
  if (record === undefined) return [];
  if (ref.in === 'request') {
    const { body } = record.request;
    return body === undefined ? [] : [partOf(body.bytes)];
  }
  const spans =
    ref.in === 'body'
      ? [{ offset: 0, length: record.sizeBytes }]
      : (findEvent(record, ref.sequence)?.data ?? []);
  return spans.map((span) => ({
    length: span.length,
    bytesAt: (offset, length) => spanBytes(record, { offset: span.offset + offset, length }),
  }));
}

function partOf(bytes: Uint8Array): Part {
  return {
    length: bytes.length,
    bytesAt: (offset, length) => bytes.subarray(offset, offset + length),
  };
}

/** Bytes of a message, be they in memory or not. */
export function messageSize(records: MessageRecords, ref: MessageRef): number {
  if (ref.in === 'frame') {
    const frame = findFrame(records.sockets, ref);
    return frame === undefined ? 0 : lengthOf(frame.data);
  }
  return readText(records, ref).sizeBytes;
}
