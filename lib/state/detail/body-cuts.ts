import { chunksAt, spanBytes } from '../../capture/correlate/http-record.ts';
import type { HttpRecord, MessageRef } from '../../capture/correlate/items.ts';
import { findFrame, type MessageRecords } from '../../capture/correlate/socket-record.ts';
import type { Cut, Span } from '../../capture/store/stored-text.ts';
import type { EventOf } from '../../capture/wire-event.ts';
import { indexFromSequence } from '../view/by-sequence.ts';

// A byte order mark is part of the text that the cuts lie in.
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Cuts of a message's text wherever it lies; their offsets count UTF-16 units in what `recordedText` gives. */
export function recordedCuts(records: MessageRecords, ref: MessageRef): Cut[] {
  if (ref.in !== 'frame') return messageCuts(records.https, ref);
  const frame = findFrame(records.sockets, ref);
  return frame === undefined ? [] : frameCuts(frame);
}

/** Cuts of a frame; their offsets count UTF-16 units in its text. */
export function frameCuts({ data }: EventOf<'socket-frame'>): Cut[] {
  return data.cuts === undefined ? [] : toTextCuts(data.bytes, data.cuts);
}

/** Cuts of the text of a message in an exchange; their offsets count UTF-16 units in what `messageText` gives. */
export function messageCuts(https: ReadonlyMap<string, HttpRecord>, ref: MessageRef): Cut[] {
  const record = 'httpId' in ref ? https.get(ref.httpId) : undefined;
  if (record === undefined) return [];
  if (ref.in === 'request') {
    const { body } = record.request;
    return body?.cuts === undefined ? [] : toTextCuts(body.bytes, body.cuts);
  }
  if (ref.in === 'body') return spanTextCuts(record, { offset: 0, length: record.sizeBytes });
  const event =
    ref.in === 'event' ? record.stream[indexFromSequence(record.stream, ref.sequence)] : undefined;
  return event?.kind === 'sse-event' ? eventCuts(record, event) : [];
}

/** Cuts of a stretch of a response body; their offsets count UTF-16 units in its text. */
export function spanTextCuts(record: HttpRecord, span: Span): Cut[] {
  const cuts = spanCuts(record, span);
  return cuts.length === 0 ? [] : toTextCuts(spanBytes(record, span), cuts);
}

/** The data lines of an event are joined by LF. */
function eventCuts(record: HttpRecord, event: EventOf<'sse-event'>): Cut[] {
  const spans = event.data ?? [];
  // Most events have no secret in them: then there is nothing to decode.
  if (spans.every((span) => spanCuts(record, span).length === 0)) return [];
  let before = 0;
  return spans.flatMap((span) => {
    const start = before;
    before += utf8.decode(spanBytes(record, span)).length + 1;
    return spanTextCuts(record, span).map((cut) => ({ ...cut, offset: cut.offset + start }));
  });
}

/** Cuts within a span, in bytes from its start. A secret that chunks have split is one cut again. */
export function spanCuts(record: HttpRecord, span: Span): Cut[] {
  const { offset, length } = span;
  const joined: Cut[] = [];
  for (const chunk of chunksAt(record, span)) {
    for (const cut of chunk.data.cuts ?? []) {
      const start = chunk.offset + cut.offset - offset;
      const clipped = Math.max(0, -start);
      const end = Math.min(start + cut.length, length);
      if (end <= start + clipped) continue;
      const piece = {
        offset: start + clipped,
        length: end - start - clipped,
        secret: cut.secret,
        from: cut.from + clipped,
      };
      const last = joined.at(-1);
      if (last !== undefined && isContinued(last, piece)) last.length += piece.length;
      else joined.push(piece);
    }
  }
  return joined;
}

function isContinued(last: Cut, next: Cut): boolean {
  return (
    last.secret === next.secret &&
    last.offset + last.length === next.offset &&
    last.from + last.length === next.from
  );
}

/** Masked bytes are ASCII, so a cut is as long in text as in bytes; only its place may differ. */
function toTextCuts(bytes: Uint8Array, cuts: readonly Cut[]): Cut[] {
  let byteOffset = 0;
  let textOffset = 0;
  return cuts.map((cut) => {
    textOffset += utf8.decode(bytes.subarray(byteOffset, cut.offset)).length;
    byteOffset = cut.offset;
    return { ...cut, offset: textOffset };
  });
}
