import type { Block, WireEvent } from '../wire-event.ts';
import type { Place, PlacedBytes, Row, RowBase, RowHead } from './stored-block.ts';
import type { Header, Span, StoredBytes } from './stored-text.ts';

/** Writes the events of one block as rows, and gathers what these share. */
export class RowWriter {
  readonly texts: string[] = [];
  readonly base: RowBase;
  readonly #block: Block;
  readonly #place: (bytes: Uint8Array) => Place;
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

  /** The row of an event; `undefined` where it is of a rarer kind, or would not come back to the last digit. */
  write(event: WireEvent): Row | undefined {
    if (event.origin !== undefined) return undefined;
    switch (event.kind) {
      case 'http-request': {
        const { kind, purpose, method, url, links, body } = event;
        const head = event.foreign === undefined ? this.#head(event, event.httpId) : undefined;
        const headers = this.#headersOf(kind, event.headers);
        const placed = head === undefined || body === undefined ? 0 : this.#placed(body);
        return head && [head, kind, purpose, method, url, headers, links, placed];
      }
      case 'http-response': {
        const { kind, status, statusText } = event;
        const head = this.#head(event, event.httpId);
        return head && [head, kind, status, statusText, this.#headersOf(kind, event.headers)];
      }
      case 'http-chunk': {
        const head = this.#head(event, event.httpId);
        return head && [head, event.kind, event.offset, this.#placed(event.data)];
      }
      case 'http-end': {
        const head = this.#head(event, event.httpId);
        return head && [head, event.kind, event.end];
      }
      case 'sse-event': {
        const { kind, block, id = 0, data } = event;
        const head = this.#head(event, event.httpId);
        const name = event.event === undefined ? -1 : this.#indexOf(event.event);
        const spans = data === undefined ? 0 : flat(data);
        return head && [head, kind, block.offset, block.length, name, id, spans];
      }
      case 'deadline-started': {
        const { kind, rpcId = 0, deadline, durationMs } = event;
        const head = this.#head(event, event.carrierId);
        return head && [head, kind, rpcId, deadline, durationMs];
      }
      case 'socket-frame': {
        const { kind, direction, opcode, data } = event;
        const head = this.#head(event, event.socketId);
        return head && [head, kind, direction, opcode, this.#placed(data)];
      }
      default:
        return undefined;
    }
  }

  #head(event: WireEvent, carrier: string): RowHead | undefined {
    const { base } = this;
    const sequence = event.sequence - this.#block.firstSequence;
    const wallTime = event.wallTime - base.wallTime;
    const micros = toMicros(event.monotonicTime) - base.micros;
    const isExact =
      base.wallTime + wallTime === event.wallTime &&
      (base.micros + micros) / 1000 === event.monotonicTime;
    if (!isExact) return undefined;
    return [sequence, wallTime, micros, this.#sourceOf(event), this.#indexOf(carrier)];
  }

  #placed(data: StoredBytes): PlacedBytes {
    const place = this.#place(data.bytes);
    return data.cuts === undefined ? place : { ...data, bytes: place };
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
    if (known === -1)
      sources.push({ bootId, ...(connectionId === undefined ? {} : { connectionId }) });
    return this.#source;
  }

  #indexOf(text: string): number {
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    this.#indexes.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }

  /** Nearly always the same ones as in the exchange before. */
  #headersOf(kind: string, headers: readonly Header[]): number {
    const last = this.#lists.get(kind);
    if (last !== undefined && areSame(last.headers, headers)) return last.index;
    const index = this.#indexOf(JSON.stringify(headers));
    this.#lists.set(kind, { headers, index });
    return index;
  }
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

function flat(spans: readonly Span[]): number[] {
  const numbers: number[] = [];
  for (const { offset, length } of spans) numbers.push(offset, length);
  return numbers;
}
