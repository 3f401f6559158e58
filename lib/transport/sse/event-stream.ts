import type { Span } from '../../capture/store/stored-text.ts';
import type { AbortCause, HttpEnd, WireFact } from '../../capture/wire-event.ts';
import type { Exchange, ExchangeContext } from '../exchange/exchange.ts';
import { createCollector, type Collector } from '../exchange/reply-body.ts';
import { createSseReader, type SseEvent, type SseSink } from './sse-reader.ts';
import { createWatchdog, type Watchdog } from './watchdog.ts';

/** A stream that lived this long counts as healthy even if it was silent, in milliseconds. */
const HEALTHY_MS = 10_000;
const START_BYTES = 64 * 1024;

/** Where in a stream we are: kept over all exchanges that carry it. */
export interface StreamCursor {
  /** `Last-Event-ID` of the next attempt; empty where the server cleared it (HTML 9.2.6). */
  lastEventId: string;
  /** The server's own delay for reconnecting, in milliseconds, until it names another. */
  retryMs: number | undefined;
}

export interface StreamReading {
  end: HttpEnd;
  /** Whether it held what it owed. */
  isDone: boolean;
  eventCount: number;
  /** Whether the stream was good for something, so that failing again is no repetition. */
  isHealthy: boolean;
  /** How the body begins, where it held no event. */
  startText: string;
  /** Size of the unfinished event that the end cut off. */
  tailBytes: number;
}

/** The place before the first event, or behind the one that an earlier life has seen last. */
export function newCursor(lastEventId = ''): StreamCursor {
  return { lastEventId, retryMs: undefined };
}

/** Sees an event; true where it is what the stream owed, undefined where it is nothing new. */
export type TakeEvent = (event: SseEvent) => boolean | undefined;

/** Reads an SSE body to its end. Every event, comment and retry is recorded first; then `take` sees the event. */
export async function readEventStream(
  exchange: Exchange,
  context: ExchangeContext & { limitBytes: number },
  cursor: StreamCursor,
  take: TakeEvent,
): Promise<StreamReading> {
  const stream = new EventStream(exchange, context, cursor, take);
  const reader = createSseReader(stream, {
    limitBytes: context.limitBytes,
    onLimit: () => stream.passLimit(),
  });
  const end = await exchange.read(
    (chunk) => {
      reader.push(chunk);
      return stream.heard(chunk);
    },
    // Before the end is recorded, so that the discarded tail is part of the exchange.
    () => reader.end(),
  );
  return stream.ended(end);
}

/** What is known of one stream while it is read. A class, since every answer may be a stream. */
class EventStream implements SseSink {
  readonly #exchange: Exchange;
  readonly #context: ExchangeContext;
  readonly #cursor: StreamCursor;
  readonly #take: TakeEvent;
  readonly #started = performance.now();
  /** How the body begins, as long as it held no event. */
  #start: Collector | undefined;
  #eventCount = 0;
  #newCount = 0;
  #isDone = false;
  #isOverLimit = false;
  #tailBytes = 0;
  /** Only a stream with comments has one. */
  #watchdog: Watchdog | undefined;

  constructor(exchange: Exchange, context: ExchangeContext, cursor: StreamCursor, take: TakeEvent) {
    this.#exchange = exchange;
    this.#context = context;
    this.#cursor = cursor;
    this.#take = take;
  }

  passLimit(): void {
    this.#isOverLimit = true;
  }

  /** Bytes came, and the reader has seen them; returns why the exchange is to end, if it is. */
  heard(chunk: Uint8Array): AbortCause | undefined {
    this.#watchdog?.heard();
    if (this.#eventCount === 0) {
      this.#start ??= createCollector(START_BYTES);
      this.#start.add(chunk);
    }
    return this.#isOverLimit ? 'limit' : undefined;
  }

  event(event: SseEvent): void {
    this.#eventCount += 1;
    this.#record(eventFact(this.#exchange.httpId, event));
    if (event.id !== undefined) this.#cursor.lastEventId = event.id;
    const taken = this.#take(event);
    if (taken === true) this.#isDone = true;
    if (taken !== undefined) this.#newCount += 1;
  }

  comment(line: Span): void {
    this.#watchdog ??= createWatchdog((silentMs, usualMs) => {
      this.#exchange.stop('deadline', wordSilence(silentMs, usualMs));
    });
    this.#watchdog.keptAlive();
    this.#record({ kind: 'sse-comment', httpId: this.#exchange.httpId, line });
  }

  retry(line: Span, retryMs: number): void {
    this.#cursor.retryMs = retryMs;
    this.#record({ kind: 'sse-retry', httpId: this.#exchange.httpId, line, retryMs });
  }

  ignored(line: Span, reason: string): void {
    this.#record({ kind: 'sse-ignored', httpId: this.#exchange.httpId, line, reason });
  }

  discarded(tail: Span): void {
    this.#tailBytes = tail.length;
    this.#record({ kind: 'sse-discarded', httpId: this.#exchange.httpId, tail });
  }

  ended(end: HttpEnd): StreamReading {
    this.#watchdog?.stop();
    const eventCount = this.#eventCount;
    return {
      end,
      isDone: this.#isDone,
      eventCount,
      isHealthy: this.#newCount > 0 || performance.now() - this.#started >= HEALTHY_MS,
      tailBytes: this.#tailBytes,
      startText: eventCount === 0 ? (this.#start?.text() ?? '') : '',
    };
  }

  #record(fact: WireFact): void {
    this.#context.recorder.record(fact, this.#context.connectionId);
  }
}

/** The fact of an event: its text can be derived from the spans. Copied by hand, since bursts are made of these. */
function eventFact(httpId: string, { block, event, id, data }: SseEvent): WireFact {
  const fact: WireFact & { kind: 'sse-event' } = { kind: 'sse-event', httpId, block };
  if (event !== undefined) fact.event = event;
  if (id !== undefined) fact.id = id;
  if (data !== undefined) fact.data = data;
  return fact;
}

function wordSilence(silentMs: number, usualMs: number): string {
  const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
  return `No bytes for ${seconds(silentMs)}, where the server sent a comment every ${seconds(usualMs)}.`;
}
