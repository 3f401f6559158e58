import { findEvent, isHeld, messageText } from './http-record.ts';
import type { HttpRecord, MessageRef, SocketRecord } from './items.ts';
import type { EventOf } from '../wire-event.ts';

// A byte order mark is part of what came, so it stays in the text.
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The records in which the texts of messages lie. */
export interface MessageRecords {
  https: ReadonlyMap<string, HttpRecord>;
  sockets: ReadonlyMap<string, SocketRecord>;
}

/** The frame with a sequence; undefined where the log does not hold it. */
export function findFrame(
  sockets: ReadonlyMap<string, SocketRecord>,
  ref: MessageRef & { in: 'frame' },
): EventOf<'socket-frame'> | undefined {
  const frames = sockets.get(ref.socketId)?.frames ?? [];
  let low = 0;
  let high = frames.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((frames[middle]?.sequence ?? 0) < ref.sequence) low = middle + 1;
    else high = middle;
  }
  const frame = frames[low];
  return frame?.sequence === ref.sequence ? frame : undefined;
}

/** Decoded text of a message wherever it lies, frames included; undefined where the log does not hold it. */
export function recordedText(records: MessageRecords, ref: MessageRef): string | undefined {
  if (ref.in !== 'frame') return messageText(records.https, ref);
  const frame = findFrame(records.sockets, ref);
  return frame === undefined ? undefined : utf8.decode(frame.data.bytes);
}

/** Whether a message is in memory. One that is not has no text until it has been read from disk. */
export function isMessageHeld({ https, sockets }: MessageRecords, ref: MessageRef): boolean {
  if (ref.in === 'frame') return findFrame(sockets, ref)?.data.awayBytes === undefined;
  const record = https.get(ref.httpId);
  if (record === undefined || ref.in === 'request') return true;
  if (ref.in === 'body') return isHeld(record, { offset: 0, length: record.sizeBytes });
  const spans = findEvent(record, ref.sequence)?.data ?? [];
  return spans.every((span) => isHeld(record, span));
}
