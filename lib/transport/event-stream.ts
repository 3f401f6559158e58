import type { HttpEnd, WireFact } from '../capture/wire-event.ts';
import type { Exchange, ExchangeContext } from './exchange.ts';
import { createCollector } from './reply-body.ts';
import { createSseReader, type SseEvent } from './sse-reader.ts';
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
  eventCount: number;
  /** Whether the stream was good for something, so that failing again is no repetition. */
  isHealthy: boolean;
  /** How the body begins, where it held no event. */
  startText: string;
  /** Size of the unfinished event that the end cut off. */
  tailBytes: number;
}

/** An empty cursor. */
export function newCursor(lastEventId = ''): StreamCursor {
  return { lastEventId, retryMs: undefined };
}

/**
 * Reads an SSE body to its end. Every event, comment and retry is recorded first; then `take` sees the event
 * and may end the exchange by returning a cause.
 */
export async function readEventStream(
  exchange: Exchange,
  context: ExchangeContext & { limitBytes: number },
  cursor: StreamCursor,
  take: (event: SseEvent) => void,
): Promise<StreamReading> {
  const { recorder, connectionId, limitBytes } = context;
  const { httpId } = exchange;
  const started = performance.now();
  const start = createCollector(START_BYTES);
  let eventCount = 0;
  let isOverLimit = false;
  let tailBytes = 0;
  /** Only a stream with comments has one. */
  let watchdog: Watchdog | undefined;

  const reader = createSseReader(
    {
      event(event) {
        eventCount += 1;
        recorder.record(eventFact(httpId, event), connectionId);
        if (event.id !== undefined) cursor.lastEventId = event.id;
        take(event);
      },
      comment(line) {
        watchdog ??= createWatchdog((silentMs, usualMs) => {
          exchange.stop('deadline', wordSilence(silentMs, usualMs));
        });
        watchdog.keptAlive();
        recorder.record({ kind: 'sse-comment', httpId, line }, connectionId);
      },
      retry(line, retryMs) {
        cursor.retryMs = retryMs;
        recorder.record({ kind: 'sse-retry', httpId, line, retryMs }, connectionId);
      },
      ignored: (line, reason) =>
        void recorder.record({ kind: 'sse-ignored', httpId, line, reason }, connectionId),
      discarded(span) {
        tailBytes = span.length;
        recorder.record({ kind: 'sse-discarded', httpId, tail: span }, connectionId);
      },
    },
    {
      limitBytes,
      onLimit: () => {
        isOverLimit = true;
      },
    },
  );
  const end = await exchange.read(
    (chunk) => {
      watchdog?.heard();
      if (eventCount === 0) start.add(chunk);
      reader.push(chunk);
      return isOverLimit ? 'limit' : undefined;
    },
    // Before the end is recorded, so that the discarded tail is part of the exchange.
    () => reader.end(),
  );
  watchdog?.stop();
  const isHealthy = eventCount > 0 || performance.now() - started >= HEALTHY_MS;
  return { end, eventCount, isHealthy, tailBytes, startText: eventCount === 0 ? start.text() : '' };
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
