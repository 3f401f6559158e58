import type { HttpRecord, StreamEvent } from '../../capture/correlate/items.ts';
import type { Span } from '../../capture/store/stored-text.ts';
import { isHeld, spanBytes } from '../../capture/correlate/http-record.ts';
import { formatBytes } from '../../text.ts';
import { lineTimes } from './line-times.ts';

/** One line of the stream table: an SSE event or what stands between events. */
export interface StreamRow {
  sequence: number;
  number: string;
  time: string;
  /** Time since the line before, where both clocks belong to one boot. */
  gap: string;
  event: string;
  id: string;
  retry: string;
  /** Numbers of the network chunks that brought it, from 1. */
  chunk: string;
  /** It begins in another chunk than the line before. */
  startsChunk: boolean;
  size: string;
  data: string;
  /** Comments, ignored lines and the discarded tail: never delivered to a client. */
  isAside: boolean;
  span: Span;
}

const DATA_PREVIEW = 400;
/** A filter reads no more of one line. Bytes. */
const TEXT_LIMIT = 1_000_000;

/** The row at an index of a stream; undefined beyond its end. */
export function toStreamRow(record: HttpRecord, index: number): StreamRow | undefined {
  const event = record.stream[index];
  if (event === undefined) return undefined;
  const before = record.stream[index - 1] ?? record.response;
  const span = spanOf(event);
  const [first, last] = chunksOf(record, span);
  return {
    sequence: event.sequence,
    number: String(index + 1),
    ...lineTimes(event, before),
    event: toEventName(event),
    id: event.kind === 'sse-event' ? toId(event.id) : '',
    retry: event.kind === 'sse-retry' ? `${event.retryMs} ms` : '',
    chunk: first === last ? String(first) : `${first}–${last}`,
    startsChunk: first !== (before?.kind === 'http-response' ? 0 : lastChunkOf(record, before)),
    size: formatBytes(span.length),
    data: toData(record, event),
    isAside: event.kind !== 'sse-event',
    span,
  };
}

/** Numbers from 1 of the chunks in which a span begins and ends. */
function chunksOf(record: HttpRecord, { offset, length }: Span): [first: number, last: number] {
  const first = chunkAt(record, offset);
  return [first, length > 1 ? chunkAt(record, offset + length - 1) : first];
}

function lastChunkOf(record: HttpRecord, event: StreamEvent | undefined): number {
  return event === undefined ? 0 : chunksOf(record, spanOf(event))[1];
}

function chunkAt({ chunks }: HttpRecord, offset: number): number {
  let low = 0;
  let high = chunks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chunks[middle]?.offset ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** All that a line says, for a filter; undefined where its bytes are on disk only. */
export function streamLineText(record: HttpRecord, index: number): string | undefined {
  const event = record.stream[index];
  if (event === undefined) return undefined;
  const { offset, length } = spanOf(event);
  const span = { offset, length: Math.min(length, TEXT_LIMIT) };
  if (!isHeld(record, span)) return undefined;
  return `${toEventName(event)}\n${new TextDecoder().decode(spanBytes(record, span))}`;
}

/** Whether the data of an event is a message, by its type. */
export function isMessageEvent(event: StreamEvent | undefined): boolean {
  return event?.kind === 'sse-event' && !!event.data && (event.event ?? 'message') === 'message';
}

function spanOf(event: StreamEvent): Span {
  switch (event.kind) {
    case 'sse-event':
      return event.block;
    case 'sse-comment':
    case 'sse-retry':
    case 'sse-ignored':
      return event.line;
    case 'sse-discarded':
      return event.tail;
  }
}

function toId(id: string | undefined): string {
  // An empty id field is a fact of its own: it resets the last event id.
  return id === '' ? '(empty)' : (id ?? '');
}

function toEventName(event: StreamEvent): string {
  switch (event.kind) {
    case 'sse-event':
      if (event.data === undefined) return '(no data)';
      return event.event ?? 'message (default)';
    case 'sse-comment':
      return '(comment)';
    case 'sse-retry':
      return '(retry)';
    case 'sse-ignored':
      return '(ignored)';
    case 'sse-discarded':
      return '(discarded tail)';
  }
}

function toData(record: HttpRecord, event: StreamEvent): string {
  if (event.kind === 'sse-ignored') return `${event.reason}: ${preview(record, event.line)}`;
  if (event.kind !== 'sse-event') return preview(record, spanOf(event));
  return (event.data ?? [])
    .map((span) => preview(record, span))
    .join('\n')
    .slice(0, DATA_PREVIEW);
}

function preview(record: HttpRecord, span: Span): string {
  const length = Math.min(span.length, DATA_PREVIEW);
  return new TextDecoder().decode(spanBytes(record, { offset: span.offset, length }));
}
