import type { HttpRecord, StreamEvent } from '../capture/items.ts';
import type { Span } from '../capture/stored-text.ts';
import { spanBytes } from '../capture/http-record.ts';
import { formatBytes, formatClock, formatGap } from '../text.ts';

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
  size: string;
  data: string;
  /** Comments, ignored lines and the discarded tail: never delivered to a client. */
  isAside: boolean;
  span: Span;
}

const DATA_PREVIEW = 400;

/** The row at an index of a stream; undefined beyond its end. */
export function toStreamRow(record: HttpRecord, index: number): StreamRow | undefined {
  const event = record.stream[index];
  if (event === undefined) return undefined;
  const before = record.stream[index - 1] ?? record.response;
  const span = spanOf(event);
  return {
    sequence: event.sequence,
    number: String(index + 1),
    time: formatClock(event.wallTime),
    gap:
      before?.bootId === event.bootId ? formatGap(event.monotonicTime - before.monotonicTime) : '',
    event: toEventName(event),
    id: event.kind === 'sse-event' ? toId(event.id) : '',
    retry: event.kind === 'sse-retry' ? `${event.retryMs} ms` : '',
    size: formatBytes(span.length),
    data: toData(record, event),
    isAside: event.kind !== 'sse-event',
    span,
  };
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
