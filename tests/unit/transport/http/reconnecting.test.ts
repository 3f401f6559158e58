import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WireFact } from '../../../../lib/capture/wire-event.ts';
import type { ErrorCode } from '../../../../lib/errors.ts';
import { AppError } from '../../../../lib/errors.ts';
import { readReconnecting } from '../../../../lib/transport/http/reconnect.ts';
import { createNetwork } from '../../../../lib/transport/network.ts';
import { newCursor, type StreamReading } from '../../../../lib/transport/sse/event-stream.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const url = 'https://mcp.example/mcp';

/** One attempt at the stream: an answer that is none, an error, or a reading that ended. */
type Attempt =
  | { status: number; retryAfter?: string }
  | { error: ErrorCode }
  | { read: Partial<StreamReading> };

const CUT: Attempt = { read: { isHealthy: false } };
const HEALTHY: Attempt = { read: { isHealthy: true } };

/** Plays attempts, the last one again and again; tells how it ended, and what was waited for. */
async function play(
  attempts: readonly Attempt[],
  options: { retries?: number; retryMs?: number } = {},
) {
  const facts: WireFact[] = [];
  const network = createNetwork();
  let opened = 0;
  let flushed = 0;
  const current = () => attempts[Math.min(opened, attempts.length) - 1]!;
  const cursor = { ...newCursor('5'), retryMs: options.retryMs };
  const outcome = readReconnecting(
    {
      url,
      network,
      connectionId: 'c1',
      recorder: {
        record: (fact: WireFact) => void facts.push(fact),
        flushed: () => Promise.resolve(void (flushed += 1)),
      },
    } as never,
    {
      cursor,
      reconnection: {
        initialDelayMs: 1000,
        factor: 2,
        maxDelayMs: 60_000,
        retries: options.retries ?? 2,
      },
      signal: new AbortController().signal,
      needsCursor: false,
      async open() {
        opened += 1;
        const attempt = current();
        if ('error' in attempt) throw new AppError({ code: attempt.error, message: 'No.' });
        const headers =
          'status' in attempt && attempt.retryAfter !== undefined
            ? [{ name: 'Retry-After', value: attempt.retryAfter }]
            : [];
        const status = 'status' in attempt ? attempt.status : 200;
        return {
          httpId: `h${opened}`,
          head: { status, statusText: '', headers },
        } as never;
      },
      judge: async () =>
        'status' in current() ? { code: 'http-status', message: 'Refused.' } : undefined,
      async read() {
        const attempt = current();
        return {
          end: { outcome: 'complete', sizeBytes: 0 },
          isDone: false,
          eventCount: 0,
          startText: '',
          tailBytes: 0,
          ...('read' in attempt ? attempt.read : {}),
        } as StreamReading;
      },
    },
  );
  await vi.runAllTimersAsync();
  return {
    outcome: await outcome,
    flushed,
    opened,
    delays: facts.flatMap((fact) => (fact.kind === 'retry-scheduled' ? [fact.delayMs] : [])),
    askedBy: facts.flatMap((fact) => (fact.kind === 'retry-scheduled' ? [fact.askedBy] : [])),
  };
}

const DONE: Attempt = { read: { isDone: true } };

test('a stream that breaks is opened as often as the profile allows, ever later', async () => {
  const { outcome, opened, delays } = await play([CUT]);
  expect(outcome.kind).toBe('ended');
  expect([opened, delays]).toEqual([3, [1000, 2000]]);
});

test('a stream that was good for something sets the count back', async () => {
  const { outcome, delays } = await play([CUT, CUT, HEALTHY, CUT, CUT, DONE]);
  expect(outcome.kind).toBe('done');
  expect(delays).toEqual([1000, 2000, 1000, 1000, 2000]);
});

test.each([
  [undefined, '5', 5000, 'server'],
  [undefined, undefined, 1000, 'backoff'],
  [3000, undefined, 3000, 'server'],
  [3000, '5', 5000, 'server'],
  [8000, '5', 8000, 'server'],
])(
  'with `retry` %s and Retry-After %s, %i ms are waited for the %s',
  async (retryMs, after, ms, by) => {
    const busy: Attempt = { status: 503, ...(after === undefined ? {} : { retryAfter: after }) };
    const { delays, askedBy } = await play([busy, DONE], retryMs === undefined ? {} : { retryMs });
    expect([delays, askedBy]).toEqual([[ms], [by]]);
  },
);

test.each([409, 429, 500, 503])('a %i may pass', async (status) => {
  expect((await play([{ status }, DONE])).outcome.kind).toBe('done');
});

test.each([400, 404, 405, 501])('a %i is final', async (status) => {
  const { outcome, opened } = await play([{ status }, DONE]);
  expect(outcome).toMatchObject({ kind: 'refused', status });
  expect(opened).toBe(1);
});

test.each<[ErrorCode, string]>([
  ['network-reset', 'done'],
  ['auth-denied', 'refused'],
  ['permission-denied', 'refused'],
])('what fails with %s is %s', async (error, kind) => {
  const { outcome } = await play([{ error }, DONE]);
  expect(outcome.kind).toBe(kind);
});

test('a stream that came too fast goes on once all of it is stored', async () => {
  const end = { outcome: 'aborted', cause: 'too-fast', sizeBytes: 1 } as const;
  const { outcome, flushed } = await play([{ read: { end } }, DONE]);
  expect([outcome.kind, flushed]).toEqual(['done', 1]);
});

test('where nothing is to be tried again, one attempt is all', async () => {
  const { outcome, opened } = await play([CUT], { retries: 0 });
  expect([outcome.kind, opened]).toEqual(['ended', 1]);
});
