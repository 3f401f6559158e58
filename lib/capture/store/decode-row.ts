import type { Stamp, WireEvent, WireFact } from '../wire-event.ts';
import type { EarlySseRow, Place, PlacedBytes, Row, StoredBlock } from './stored-block.ts';
import type { Header, Span, StoredBytes } from './stored-text.ts';

/** What the rows of one block share. */
export type Shared = Pick<StoredBlock, 'captureId' | 'firstSequence'> &
  Required<Pick<StoredBlock, 'texts' | 'base'>> & {
    /** Brings bytes from their place. */
    take(place: Place): Uint8Array;
    /** Headers by their text, which rows with the same ones share. */
    lists: Map<string, Header[]>;
  };

/** The event of a row. Throws a `RangeError` where what the row refers to is missing. */
export function readRow(row: Row, shared: Shared): WireEvent {
  const { captureId, firstSequence, base, texts } = shared;
  const [[sequence, wallTime, micros, source, carrier]] = row;
  return {
    sequence: firstSequence + sequence,
    captureId,
    wallTime: base.wallTime + wallTime,
    monotonicTime: (base.micros + micros) / 1000,
    ...at(base.sources, source),
    ...factOf(row, at(texts, carrier), shared),
  };
}

function factOf(row: Row, httpId: string, { texts, take, lists }: Shared): WireFact {
  const bytesOf = (data: PlacedBytes): StoredBytes =>
    Array.isArray(data) ? { bytes: take(data) } : { ...data, bytes: take(data.bytes) };
  const headersAt = (index: number): Header[] => {
    const text = at(texts, index);
    const headers = lists.get(text) ?? (JSON.parse(text) as Header[]);
    lists.set(text, headers);
    return headers;
  };
  switch (row[1]) {
    case 'http-request': {
      const [, kind, purpose, method, url, list, links, body] = row;
      const fact = { kind, httpId, purpose, method, url, headers: headersAt(list), links };
      return body === 0 ? fact : { ...fact, body: bytesOf(body) };
    }
    case 'http-response': {
      const [, kind, status, statusText, list] = row;
      return { kind, httpId, status, statusText, headers: headersAt(list) };
    }
    case 'http-chunk':
      return { kind: row[1], httpId, offset: row[2], data: bytesOf(row[3]) };
    case 'http-end':
      return { kind: row[1], httpId, end: row[2] };
    case 'sse-event': {
      const [, , offset, length, name, id, data] = row;
      return sseFact(httpId, offset, length, texts[name], id, data);
    }
    case 'deadline-started': {
      const [, kind, rpcId, deadline, durationMs] = row;
      return { kind, carrierId: httpId, ...(rpcId !== 0 && { rpcId }), deadline, durationMs };
    }
    case 'socket-frame': {
      const [, kind, direction, opcode, data] = row;
      return { kind, socketId: httpId, direction, opcode, data: bytesOf(data) };
    }
  }
}

/** The event of a row of an early block, which has such rows for SSE events only. */
export function readEarlyRow(row: EarlySseRow, texts: readonly string[]): WireEvent {
  const [sequence, wallTime, monotonicTime, captureId, bootId, connectionId, httpId, ...rest] = row;
  const [offset, length, name, id, data] = rest;
  const stamp: Stamp = {
    sequence,
    captureId: at(texts, captureId),
    bootId: at(texts, bootId),
    wallTime,
    monotonicTime,
  };
  if (connectionId !== -1) stamp.connectionId = at(texts, connectionId);
  return { ...stamp, ...sseFact(at(texts, httpId), offset, length, texts[name], id, data) };
}

function sseFact(
  httpId: string,
  offset: number,
  length: number,
  event: string | undefined,
  id: string | 0,
  data: readonly number[] | 0,
): WireFact {
  return {
    kind: 'sse-event',
    httpId,
    block: { offset, length },
    ...(event !== undefined && { event }),
    ...(id !== 0 && { id }),
    ...(data !== 0 && { data: toSpans(data) }),
  };
}

function toSpans(flat: readonly number[]): Span[] {
  const spans: Span[] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) {
    spans.push({ offset: flat[index] ?? 0, length: flat[index + 1] ?? 0 });
  }
  return spans;
}

function at<Value>(values: readonly Value[], index: number): Value {
  const value = values[index];
  if (value === undefined) throw new RangeError('A part of the block is missing.');
  return value;
}
