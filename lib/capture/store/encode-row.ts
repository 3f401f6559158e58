import type { Block, EventOf, HttpEnd, WireEvent } from '../wire-event.ts';
import { ROW, type Place, type RowBase } from './stored-block.ts';
import type { Cut, Header, Span, StoredBytes } from './stored-text.ts';

/** In the place of a text or a list: there is none. */
const NONE = -1;

/** Writes the events of one block as rows of numbers, and gathers what these share. */
export class RowWriter {
  readonly texts: string[] = [];
  readonly base: RowBase;
  readonly #block: Block;
  readonly #place: (bytes: Uint8Array) => Place;
  readonly #numbers: number[] = [];
  readonly #indexes = new Map<string, number>();
  /** The headers that were written last, of requests and of responses. */
  readonly #lists = new Map<string, { headers: readonly Header[]; index: number }>();
  #source = 0;

  /** `place` puts bytes with those of the block. */
  constructor(block: Block, place: (bytes: Uint8Array) => Place) {
    const [first] = block.events;
    this.#block = block;
    this.#place = place;
    this.base = {
      wallTime: first?.wallTime ?? 0,
      micros: toMicros(first?.monotonicTime ?? 0),
      sources: [],
    };
  }

  get rows(): Int32Array {
    return new Int32Array(this.#numbers);
  }

  /** Writes an event; false where it has to be told in full: it is of a rarer kind, or would not come back exactly. */
  write(event: WireEvent): boolean {
    const isWritten = event.origin === undefined && this.#isExact(event) && this.#writeFact(event);
    if (!isWritten) this.#numbers.push(ROW.other);
    return isWritten;
  }

  #writeFact(event: WireEvent): boolean {
    switch (event.kind) {
      case 'http-request':
        return this.#writeRequest(event);
      case 'http-response': {
        if (!isWhole(event.status)) return false;
        this.#begin(ROW.response, event, event.httpId);
        this.#numbers.push(event.status, this.#text(event.statusText), this.#headers(event));
        return true;
      }
      case 'http-chunk':
        if (!isWhole(event.offset)) return false;
        this.#begin(ROW.chunk, event, event.httpId);
        this.#numbers.push(event.offset);
        this.#bytes(event.data);
        return true;
      case 'http-end':
        this.#begin(ROW.end, event, event.httpId);
        this.#end(event.end);
        return true;
      case 'sse-event':
        return this.#writeSseEvent(event);
      case 'deadline-started':
        if (!isWhole(event.durationMs)) return false;
        this.#begin(ROW.deadline, event, event.carrierId);
        this.#numbers.push(this.#text(event.rpcId), this.#text(event.deadline), event.durationMs);
        return true;
      case 'socket-frame':
        this.#begin(ROW.frame, event, event.socketId);
        this.#numbers.push(this.#text(event.direction), this.#text(event.opcode));
        this.#bytes(event.data);
        return true;
      default:
        return false;
    }
  }

  #writeRequest(event: EventOf<'http-request'>): boolean {
    const { purpose, method, url, links, body, foreign } = event;
    if (foreign !== undefined) return false;
    this.#begin(ROW.request, event, event.httpId);
    this.#numbers.push(
      this.#text(purpose),
      this.#text(method),
      this.#text(url.text),
      this.#cuts(url.cuts),
      this.#headers(event),
      hasAny(links) ? this.#text(JSON.stringify(links)) : NONE,
    );
    this.#bytes(body);
    return true;
  }

  #writeSseEvent(event: EventOf<'sse-event'>): boolean {
    const { block, data = [] } = event;
    if (!isWholeSpan(block) || !data.every(isWholeSpan)) return false;
    this.#begin(ROW.event, event, event.httpId);
    const count = event.data === undefined ? NONE : data.length;
    const numbers = this.#numbers;
    numbers.push(block.offset, block.length, this.#text(event.event), this.#text(event.id), count);
    for (const { offset, length } of data) numbers.push(offset, length);
    return true;
  }

  /** Whether its stamp comes back to the last digit. */
  #isExact({ sequence, wallTime, monotonicTime }: WireEvent): boolean {
    const { base } = this;
    const fromWall = wallTime - base.wallTime;
    const fromMicros = toMicros(monotonicTime) - base.micros;
    return (
      isWhole(sequence - this.#block.firstSequence) &&
      isWhole(fromWall) &&
      base.wallTime + fromWall === wallTime &&
      isWhole(fromMicros) &&
      (base.micros + fromMicros) / 1000 === monotonicTime
    );
  }

  #begin(kind: number, event: WireEvent, carrier: string): void {
    const { base } = this;
    this.#numbers.push(
      kind,
      event.sequence - this.#block.firstSequence,
      event.wallTime - base.wallTime,
      toMicros(event.monotonicTime) - base.micros,
      this.#sourceOf(event),
      this.#text(carrier),
    );
  }

  #bytes(data: StoredBytes | undefined): void {
    if (data === undefined) {
      this.#numbers.push(NONE, 0, NONE);
      return;
    }
    const [offset, length] = this.#place(data.bytes);
    this.#numbers.push(offset, length, this.#cuts(data.cuts));
  }

  #end(end: HttpEnd): void {
    if (end.outcome === 'complete' && isWhole(end.sizeBytes)) {
      this.#numbers.push(NONE, end.sizeBytes);
    } else this.#numbers.push(this.#text(JSON.stringify(end)), 0);
  }

  #cuts(cuts: readonly Cut[] | undefined): number {
    return cuts === undefined ? NONE : this.#text(JSON.stringify(cuts));
  }

  /** Nearly always the same one as before. */
  #sourceOf({ bootId, connectionId }: WireEvent): number {
    const { sources } = this.base;
    const last = sources[this.#source];
    if (last?.bootId === bootId && last.connectionId === connectionId) return this.#source;
    const known = sources.findIndex(
      (source) => source.bootId === bootId && source.connectionId === connectionId,
    );
    this.#source = known === -1 ? sources.length : known;
    if (known === -1) {
      sources.push({ bootId, ...(connectionId === undefined ? {} : { connectionId }) });
    }
    return this.#source;
  }

  #text(text: string | undefined): number {
    if (text === undefined) return NONE;
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    this.#indexes.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }

  /** Nearly always the same ones as in the exchange before. */
  #headers({ kind, headers }: EventOf<'http-request' | 'http-response'>): number {
    const last = this.#lists.get(kind);
    if (last !== undefined && areSame(last.headers, headers)) return last.index;
    const index = this.#text(JSON.stringify(headers));
    this.#lists.set(kind, { headers, index });
    return index;
  }
}

/** Whether it fits in a row. */
function isWhole(value: number): boolean {
  return (value | 0) === value;
}

/** Without a list of its keys, which nearly always would be an empty one. */
function hasAny(members: object): boolean {
  for (const name in members) if (Object.hasOwn(members, name)) return true;
  return false;
}

function isWholeSpan({ offset, length }: Span): boolean {
  return isWhole(offset) && isWhole(length);
}

function toMicros(monotonicTime: number): number {
  return Math.round(monotonicTime * 1000);
}

function areSame(some: readonly Header[], others: readonly Header[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ name, value, cuts }, index) => {
      const other = others[index];
      return name === other?.name && value === other.value && (cuts ?? other.cuts) === undefined;
    })
  );
}
