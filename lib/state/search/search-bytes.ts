import { chunksAt, spanBytes } from '../../capture/correlate/http-record.ts';
import type { StoredBytes } from '../../capture/store/stored-text.ts';
import type { EventOf } from '../../capture/wire-event.ts';
import { spanCuts } from '../detail/body-cuts.ts';
import { byteWindows, textWindow } from './search-text.ts';
import type { TextWindow } from './search-text.ts';
import type { UnitText } from './search-units.ts';

type BytesEvent = EventOf<'http-chunk' | 'socket-frame'>;

/** Reads the bytes of events from disk, for a look that keeps nothing in memory; by `sequence`. */
export type PeekBytes = (
  events: readonly BytesEvent[],
) => Promise<ReadonlyMap<number, StoredBytes>>;

/** What of a unit is on disk only. */
export function awayEvents(text: UnitText): BytesEvent[] {
  if (text.in === 'frame') return text.frame.data.awayBytes === undefined ? [] : [text.frame];
  if (text.in !== 'body') return [];
  return chunksOf(text).filter(({ data }) => data.awayBytes !== undefined);
}

/** The unit with bytes that were read from disk in place; undefined where some of them were not there. */
export function withBytes(
  text: UnitText,
  read: ReadonlyMap<number, StoredBytes>,
): UnitText | undefined {
  if (text.in === 'frame') {
    const data = read.get(text.frame.sequence);
    return data && { in: 'frame', frame: { ...text.frame, data } };
  }
  if (text.in !== 'body') return text;
  const chunks = chunksOf(text).map((chunk) => {
    const isAway = chunk.data.awayBytes !== undefined;
    const data = isAway ? read.get(chunk.sequence) : chunk.data;
    return data && { ...chunk, data };
  });
  if (!chunks.every((chunk) => chunk !== undefined)) return undefined;
  return { ...text, record: { ...text.record, chunks } };
}

/** From the first span to the last; there is little between them. */
function chunksOf({ record, spans }: UnitText & { in: 'body' }) {
  const [first] = spans;
  const last = spans.at(-1);
  if (first === undefined || last === undefined) return [];
  const length = last.offset + last.length - first.offset;
  return chunksAt(record, { offset: first.offset, length });
}

/** The text of a unit, window by window. */
export function unitWindows(
  text: UnitText,
  windowBytes: number,
  overlap: number,
): Iterable<TextWindow> {
  switch (text.in) {
    case 'text':
      return [textWindow(text.text, text.cuts)];
    case 'request':
      return storedWindows(text.data, windowBytes, overlap);
    case 'frame':
      return storedWindows(text.frame.data, windowBytes, overlap);
    case 'body':
      return bodyWindows(text, windowBytes, overlap);
  }
}

function* bodyWindows(
  { record, spans }: UnitText & { in: 'body' },
  windowBytes: number,
  overlap: number,
): Generator<TextWindow> {
  let lineOffset = 0;
  for (const span of spans) {
    let length = 0;
    const source = {
      length: span.length,
      cuts: spanCuts(record, span),
      read: (offset: number, length: number) =>
        spanBytes(record, { offset: span.offset + offset, length }),
    };
    for (const window of byteWindows(source, windowBytes, overlap)) {
      length = window.offset + window.text.length;
      yield lineOffset === 0 ? window : { ...window, offset: window.offset + lineOffset };
    }
    lineOffset += length + 1;
  }
}

function storedWindows({ bytes, cuts = [] }: StoredBytes, windowBytes: number, overlap: number) {
  const read = (offset: number, length: number) => bytes.subarray(offset, offset + length);
  return byteWindows({ length: bytes.length, cuts, read }, windowBytes, overlap);
}
