import type { EventOf, HttpEnd, Stamp, WireEvent, WireFact } from '../wire-event.ts';
import { ROW, type EarlySseRow, type Place, type StoredBlock } from './stored-block.ts';
import type { Cut, Header, Span, StoredBytes } from './stored-text.ts';

type Rows = Pick<StoredBlock, 'captureId' | 'firstSequence'> &
  Required<Pick<StoredBlock, 'texts' | 'base' | 'rows'>>;

/** Reads the rows of one block, in order. Events with the same headers share them. */
export class RowReader {
  readonly #block: Rows;
  readonly #take: (place: Place) => Uint8Array;
  readonly #lists = new Map<number, Header[]>();
  #at = 0;

  /** `take` brings bytes from their place. */
  constructor(block: Rows, take: (place: Place) => Uint8Array) {
    this.#block = block;
    this.#take = take;
  }

  /** The next event; `undefined` where it is no row. Throws a `RangeError` where anything of it is missing. */
  next(): WireEvent | undefined {
    const { captureId, firstSequence, base } = this.#block;
    const kind = this.#number();
    if (kind === ROW.other) return undefined;
    const event = {
      sequence: firstSequence + this.#number(),
      captureId,
      wallTime: base.wallTime + this.#number(),
      monotonicTime: (base.micros + this.#number()) / 1000,
      ...at(base.sources, this.#number()),
    };
    return { ...event, ...this.#fact(kind, this.#text()) };
  }

  #fact(kind: number, httpId: string): WireFact {
    switch (kind) {
      case ROW.request:
        return this.#request(httpId);
      case ROW.response: {
        const [status, statusText] = [this.#number(), this.#text()];
        return { kind: 'http-response', httpId, status, statusText, headers: this.#headers() };
      }
      case ROW.chunk: {
        const offset = this.#number();
        return { kind: 'http-chunk', httpId, offset, data: this.#bytes() };
      }
      case ROW.end: {
        const [end, sizeBytes] = [this.#textOrNone(), this.#number()];
        if (end === undefined) {
          return { kind: 'http-end', httpId, end: { outcome: 'complete', sizeBytes } };
        }
        return { kind: 'http-end', httpId, end: JSON.parse(end) as HttpEnd };
      }
      case ROW.event:
        return this.#event(httpId);
      case ROW.deadline: {
        const rpcId = this.#textOrNone();
        const deadline = this.#text() as EventOf<'deadline-started'>['deadline'];
        const limit = { carrierId: httpId, deadline, durationMs: this.#number() };
        return { kind: 'deadline-started', ...limit, ...(rpcId !== undefined && { rpcId }) };
      }
      case ROW.frame: {
        const direction = this.#text() as EventOf<'socket-frame'>['direction'];
        const opcode = this.#text() as EventOf<'socket-frame'>['opcode'];
        return { kind: 'socket-frame', socketId: httpId, direction, opcode, data: this.#bytes() };
      }
      default:
        throw new RangeError(`The block has rows of a kind that is not known (${kind}).`);
    }
  }

  #request(httpId: string): WireFact {
    const purpose = this.#text() as EventOf<'http-request'>['purpose'];
    const method = this.#text();
    const url = { text: this.#text(), ...this.#cuts() };
    const headers = this.#headers();
    const links = JSON.parse(this.#textOrNone() ?? '{}') as EventOf<'http-request'>['links'];
    const fact = { kind: 'http-request', httpId, purpose, method, url, headers, links } as const;
    if (this.#block.rows[this.#at] !== -1) return { ...fact, body: this.#bytes() };
    this.#at += 3;
    return fact;
  }

  #event(httpId: string): WireFact {
    const block = this.#span();
    const [event, id, count] = [this.#textOrNone(), this.#textOrNone(), this.#number()];
    const fact: WireFact & { kind: 'sse-event' } = { kind: 'sse-event', httpId, block };
    if (event !== undefined) fact.event = event;
    if (id !== undefined) fact.id = id;
    if (count !== -1) {
      fact.data = [];
      for (let line = 0; line < count; line += 1) fact.data.push(this.#span());
    }
    return fact;
  }

  #number(): number {
    const number = at(this.#block.rows, this.#at);
    this.#at += 1;
    return number;
  }

  #span(): Span {
    return { offset: this.#number(), length: this.#number() };
  }

  #text(): string {
    return at(this.#block.texts, this.#number());
  }

  #textOrNone(): string | undefined {
    const index = this.#number();
    return index === -1 ? undefined : at(this.#block.texts, index);
  }

  #bytes(): StoredBytes {
    return { bytes: this.#take([this.#number(), this.#number()]), ...this.#cuts() };
  }

  #cuts(): { cuts?: Cut[] } {
    const cuts = this.#textOrNone();
    return cuts === undefined ? {} : { cuts: JSON.parse(cuts) as Cut[] };
  }

  #headers(): Header[] {
    const index = this.#number();
    const headers =
      this.#lists.get(index) ?? (JSON.parse(at(this.#block.texts, index)) as Header[]);
    this.#lists.set(index, headers);
    return headers;
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
  const event = texts[name];
  return {
    ...stamp,
    kind: 'sse-event',
    httpId: at(texts, httpId),
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

function at<Value>(values: ArrayLike<Value>, index: number): Value {
  const value = values[index];
  if (value === undefined) throw new RangeError('A part of the block is missing.');
  return value;
}
