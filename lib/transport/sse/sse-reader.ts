import { createParser } from 'eventsource-parser';
import type { EventSourceMessage, EventSourceParser } from 'eventsource-parser';
import type { Span } from '../../capture/store/stored-text.ts';
import { createSseSegmenter, type SegmentSink } from './sse-segmenter.ts';

export interface SseEvent {
  /** The block from its first field on, the first byte of the blank line's end included. */
  block: Span;
  /** Value of the last `event` field; absent when there is none or it is empty, which means `message`. */
  event?: string;
  /** Value of the last `id` field that counts; the empty string clears the cursor. */
  id?: string;
  /** Value of each `data` line. */
  data?: Span[];
  /** The data lines joined by LF; undefined when there is none. */
  text: string | undefined;
}

/** What a stream turns out to hold, in the order of its bytes. Spans of lines leave out the line's end. */
export interface SseSink {
  event(event: SseEvent): void;
  comment(line: Span): void;
  retry(line: Span, retryMs: number): void;
  ignored(line: Span, reason: string): void;
  discarded(tail: Span): void;
}

export interface SseReader {
  push(chunk: Uint8Array): void;
  /** The body is over: what is unfinished is discarded (WHATWG HTML 9.2.6). */
  end(): void;
  /** Bytes of the unfinished block so far. */
  readonly pendingBytes: number;
}

export interface SseReaderOptions {
  limitBytes: number;
  /**
   * Called once, as soon as an unfinished block or line is larger than `limitBytes`; the span goes up to the
   * byte that broke the limit. After that the reader does nothing more.
   */
  onLimit(block: Span): void;
}

/** The longest delay a timer takes, in milliseconds. */
const MAX_RETRY_MS = 2 ** 31 - 1;

const LF = 0x0a;
const SPACE = 0x20;
const COLON = 0x3a;

const NOWHERE: Span = { offset: 0, length: 0 };

/** Lets invalid UTF-8 through as U+FFFD, and marks inside the stream as data. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Creates a reader of one event stream: comments, `retry` and lines without meaning are reported as soon as
 * the line is complete, events with their blank line. `eventsource-parser` interprets the fields; only plain
 * blocks of `event`, `id` and one `data` are read here, two to five times as fast.
 */
export function createSseReader(sink: SseSink, options: SseReaderOptions): SseReader {
  return createSseSegmenter(new FieldReader(sink), options);
}

class FieldReader implements SegmentSink {
  readonly #sink: SseSink;
  #data: Span[] = [];
  /** The line that the parser is fed with, and whether it had an effect of its own. */
  #current: Span = NOWHERE;
  #isReported = false;
  #message: EventSourceMessage | undefined;
  /** Most streams hold plain blocks only, and never need it. */
  #parser: EventSourceParser | undefined;

  constructor(sink: SseSink) {
    this.#sink = sink;
  }

  line(bytes: Uint8Array, offset: number): boolean {
    const text = decoder.decode(bytes);
    this.#current = { offset, length: bytes.length };
    this.#isReported = false;
    this.#feed(`${text}\n`);
    if (this.#isReported) return false;
    if (text.startsWith('data')) {
      const start = valueStart(bytes, 4);
      this.#data.push({ offset: offset + start, length: bytes.length - start });
    } else if (text.startsWith('id') && text.includes('\0')) {
      this.#sink.ignored(this.#current, 'An id with a NUL character does not count');
      return false;
    }
    return true;
  }

  block(block: Span): void {
    const data = this.#data;
    // The parser dispatches nothing without data, so an empty line stands in.
    this.#feed(data.length > 0 ? '\n' : 'data\n\n');
    const message = this.#message;
    const event: SseEvent = { block, text: data.length > 0 ? message?.data : undefined };
    if (message?.event !== undefined) event.event = message.event;
    if (message?.id !== undefined) event.id = message.id;
    if (data.length > 0) event.data = data;
    this.#data = [];
    this.#message = undefined;
    this.#sink.event(event);
  }

  plainBlock(
    chunk: Uint8Array,
    at: number,
    lf: number,
    limit: number,
    chunkOffset: number,
  ): number {
    const event = readPlainBlock(chunk, at, lf, limit, chunkOffset);
    if (event === undefined) return at;
    this.#sink.event(event);
    return at + event.block.length;
  }

  tail(tail: Span): void {
    this.#sink.discarded(tail);
  }

  #feed(text: string): void {
    this.#parser ??= this.#startParser();
    this.#parser.feed(text);
  }

  #startParser(): EventSourceParser {
    const parser = createParser({
      onEvent: (event) => void (this.#message = event),
      onComment: () => {
        this.#isReported = true;
        this.#sink.comment(this.#current);
      },
      onRetry: (retryMs) => {
        this.#isReported = true;
        this.#sink.retry(this.#current, Math.min(retryMs, MAX_RETRY_MS));
      },
      onError: (error) => {
        this.#isReported = true;
        this.#sink.ignored(this.#current, ignoredReason(error.type, error.field));
      },
    });
    // Ends the parser's own search for a byte order mark, which also takes the text "ï»¿" for one.
    parser.feed('\n');
    return parser;
  }
}

function ignoredReason(type: string, field: string | undefined): string {
  if (type === 'invalid-retry') return 'A retry value must be digits only';
  const name = field ?? '';
  return `No field has the name "${name.length > 40 ? `${name.slice(0, 40)}…` : name}"`;
}

/** Where the value of a field begins whose name ends at `nameEnd`: at most one space is stripped. */
function valueStart(bytes: Uint8Array, nameEnd: number): number {
  if (bytes[nameEnd] !== COLON) return nameEnd;
  return bytes[nameEnd + 1] === SPACE ? nameEnd + 2 : nameEnd + 1;
}

const EVENT = [...new TextEncoder().encode('event')];
const ID = [...new TextEncoder().encode('id')];
const DATA = [...new TextEncoder().encode('data')];
const MESSAGE = [...new TextEncoder().encode('message')];

/** The name is nearly always the same one, and comparing is cheaper than decoding. */
function eventName(chunk: Uint8Array, start: number, end: number): string {
  const isMessage = end - start === MESSAGE.length && beginsWith(chunk, start, MESSAGE);
  return isMessage ? 'message' : decoder.decode(chunk.subarray(start, end));
}

/**
 * A block of at most one `event` and one `id`, in any order, then one `data` and two LF: what servers send.
 * Anything else is undefined. Here the fields are read without the parser, straight from the bytes.
 */
function readPlainBlock(
  chunk: Uint8Array,
  at: number,
  firstLf: number,
  limit: number,
  chunkOffset: number,
): SseEvent | undefined {
  let event: string | undefined;
  let id: string | undefined;
  let lf = firstLf;
  for (let start = at; lf !== -1 && lf < limit; lf = chunk.indexOf(LF, start)) {
    if (isField(chunk, start, DATA)) {
      const end = lf + 2;
      if (chunk[lf + 1] !== LF || end > limit) return undefined;
      const value = valueStart(chunk, start + 4);
      const plain: SseEvent = {
        block: { offset: chunkOffset + at, length: end - at },
        text: decoder.decode(chunk.subarray(value, lf)),
        data: [{ offset: chunkOffset + value, length: lf - value }],
      };
      if (event !== undefined && event !== '') plain.event = event;
      if (id !== undefined) plain.id = id;
      return plain;
    }
    if (event === undefined && isField(chunk, start, EVENT)) {
      event = eventName(chunk, valueStart(chunk, start + 5), lf);
    } else if (id === undefined && isField(chunk, start, ID)) {
      id = decoder.decode(chunk.subarray(valueStart(chunk, start + 2), lf));
      if (id.includes('\0')) return undefined;
    } else {
      return undefined;
    }
    start = lf + 1;
  }
  return undefined;
}

/** Whether a line begins with this name and a colon. */
function isField(bytes: Uint8Array, at: number, name: readonly number[]): boolean {
  return bytes[at + name.length] === COLON && beginsWith(bytes, at, name);
}

function beginsWith(bytes: Uint8Array, at: number, text: readonly number[]): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text[index]) return false;
  }
  return true;
}
