import type { Reconnection } from '../../capture/store/stored-profile.ts';
import type { Header } from '../../capture/store/stored-text.ts';
import { isAboutAccess, type Problem } from '../../errors.ts';
import { fellSilent, wasTooFast } from '../../protocol/diagnose-end.ts';
import { ExchangeAbort, type Exchange, type ExchangeContext } from '../exchange/exchange.ts';
import { delay } from '../../delay.ts';
import { headerOf } from '../header-of.ts';
import type { StreamCursor, StreamReading } from '../sse/event-stream.ts';

/** The longest delay that a timer takes. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** How a stream that may be carried by several exchanges ended for good. */
export type StreamOutcome =
  | { kind: 'done' }
  | { kind: 'aborted'; exchange: Exchange; reading: StreamReading }
  /** The server does not offer it; `status` is its answer. */
  | { kind: 'refused'; status: number; problem: Problem }
  /** It ended, and cannot or shall not be opened again; `isLeft` where that was a wish. */
  | { kind: 'ended'; reading: StreamReading | undefined; problem?: Problem; isLeft?: true };

export interface StreamPlan {
  cursor: StreamCursor;
  reconnection: Reconnection;
  signal: AbortSignal;
  /** The exchange that carries the stream already, if one does. */
  first?: Exchange;
  /** Whether only a stream with an event id can be opened again. */
  needsCursor: boolean;
  /** Opens the stream, for the first time or again; `previous` is the exchange that carried it last. */
  open(previous: Exchange | undefined, attempt: number): Promise<Exchange>;
  /** Says why an answer is no stream. */
  judge(exchange: Exchange): Promise<Problem | undefined>;
  read(exchange: Exchange, isResumed: boolean): Promise<StreamReading>;
}

/**
 * Reads a stream over as many exchanges as it takes. Waits as long as the server's `retry` says, or backs off;
 * gives up after as many attempts in a row as the profile allows, not counting those without a network. Only a
 * stream that delivered something, or lived for a while, sets the count back ("Resumability and Redelivery").
 */
export async function readReconnecting(
  context: ExchangeContext & { url: string },
  plan: StreamPlan,
): Promise<StreamOutcome> {
  const { cursor, reconnection, signal } = plan;
  const { url, network } = context;
  const isOffline = () => network?.isOffline(url) === true;
  let exchange = plan.first;
  let previous: Exchange | undefined;
  let failures = 0;
  let reading: StreamReading | undefined;
  let problem: Problem | undefined;
  for (;;) {
    const isResumed = previous !== undefined;
    let waitMs = 0;
    try {
      exchange ??= await plan.open(previous, failures + 1);
      const refusal = exchange === plan.first ? undefined : await plan.judge(exchange);
      if (refusal === undefined) {
        const read = await plan.read(exchange, isResumed);
        if (read.isDone) return { kind: 'done' };
        const isTooFast = wasTooFast(read.end) && cursor.lastEventId !== '';
        if (read.end.outcome === 'aborted' && !fellSilent(read.end) && !isTooFast) {
          return { kind: 'aborted', exchange, reading: read };
        }
        // The rest is asked for once there is room for it again.
        if (isTooFast) await context.recorder.flushed();
        reading = read;
        problem = undefined;
        failures = read.isHealthy ? 0 : isOffline() ? failures : failures + 1;
        const { lastEventId } = cursor;
        const { faults } = context;
        const from = faults ? faults.resumeFrom(exchange.httpId, lastEventId) : lastEventId;
        if (from === undefined) return { kind: 'ended', reading, isLeft: true };
        cursor.lastEventId = from;
      } else {
        const { status } = exchange.head;
        if (!mayPass(status)) return { kind: 'refused', status, problem: refusal };
        problem = refusal;
        failures += 1;
        waitMs = retryAfterMs(exchange.head.headers);
      }
    } catch (error) {
      // The network may be back at the next attempt. What we ended ourselves stays ended.
      if (signal.aborted || !(error instanceof Error) || error instanceof ExchangeAbort)
        throw error;
      problem = 'problem' in error ? (error.problem as Problem) : undefined;
      // Whoever is asked for a login is not asked again by a timer.
      if (problem !== undefined && isAboutAccess(problem)) {
        return { kind: 'refused', status: problem.answer?.status ?? 401, problem };
      }
      if (!isOffline()) failures += 1;
    }
    previous = exchange ?? previous;
    const cannotResume = plan.needsCursor && cursor.lastEventId === '';
    if (cannotResume || failures > reconnection.retries || reconnection.retries === 0) {
      return { kind: 'ended', reading, ...(problem === undefined ? {} : { problem }) };
    }
    const carrierId = previous?.httpId ?? context.connectionId;
    await pause(context, carrierId, cursor, backoffMs(reconnection, failures), waitMs, signal);
    await network?.online(url, signal, () =>
      context.recorder.record({ kind: 'retry-held', carrierId }, context.connectionId),
    );
    exchange = undefined;
  }
}

/** A server that still holds the last stream (409), or is overloaded, may take it the next time. 501 never passes. */
function mayPass(status: number): boolean {
  return status === 409 || status === 429 || (status >= 500 && status !== 501);
}

/** The next delay without a word of the server, in milliseconds: no jitter, so that it can be checked. */
export function backoffMs(reconnection: Reconnection, failures: number): number {
  const { initialDelayMs, factor, maxDelayMs } = reconnection;
  return Math.min(initialDelayMs * factor ** Math.max(0, failures - 1), maxDelayMs);
}

/** How long an answer asks to be left alone, in milliseconds (RFC 9110, 10.2.3); 0 where it does not. */
export function retryAfterMs(headers: readonly Header[], now: number = Date.now()): number {
  const given = headerOf(headers, 'retry-after') ?? '';
  const ms = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given) - now;
  return ms > 0 ? Math.min(ms, MAX_DELAY_MS) : 0;
}

async function pause(
  context: ExchangeContext,
  carrierId: string,
  cursor: StreamCursor,
  backoff: number,
  waitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const ownMs = cursor.retryMs ?? backoff;
  const delayMs = Math.max(ownMs, waitMs);
  const askedBy = cursor.retryMs === undefined && waitMs < delayMs ? 'backoff' : 'server';
  context.recorder.record(
    { kind: 'retry-scheduled', carrierId, delayMs, askedBy },
    context.connectionId,
  );
  await delay(delayMs, signal);
}
