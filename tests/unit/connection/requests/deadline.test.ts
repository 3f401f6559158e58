import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WireFact } from '../../../../lib/capture/wire-event.ts';
import { startDeadline } from '../../../../lib/connection/requests/deadline.ts';
import { timeLimit } from '../../../../lib/connection/time-limit.ts';
import { ExchangeAbort } from '../../../../lib/transport/exchange/exchange.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start() {
  const facts: WireFact[] = [];
  let fired = 0;
  const record = (fact: WireFact) => facts.push(fact) as never;
  const request = { carrierId: 'h1', rpcId: '7', connectionId: 'c1' };
  const deadline = startDeadline({ record }, request, 'idle', 1000, () => void (fired += 1));
  return { deadline, facts, kinds: () => facts.map((fact) => fact.kind), fired: () => fired };
}

test('a deadline fires once, and is recorded', () => {
  const { facts, kinds, fired } = start();
  vi.advanceTimersByTime(999);
  expect(fired()).toBe(0);
  vi.advanceTimersByTime(5000);
  expect(fired()).toBe(1);
  expect(kinds()).toEqual(['deadline-started', 'deadline-fired']);
  expect(facts[1]).toEqual({
    kind: 'deadline-fired',
    carrierId: 'h1',
    rpcId: '7',
    deadline: 'idle',
    durationMs: 1000,
  });
});

test('a deadline starts anew when it is extended', () => {
  const { deadline, kinds, fired } = start();
  vi.advanceTimersByTime(900);
  deadline.extend();
  vi.advanceTimersByTime(999);
  expect(fired()).toBe(0);
  vi.advanceTimersByTime(1);
  expect(fired()).toBe(1);
  expect(kinds()).toEqual(['deadline-started', 'deadline-extended', 'deadline-fired']);
});

test('a deadline that is over stays over', () => {
  const fired = start();
  vi.advanceTimersByTime(1000);
  fired.deadline.extend();
  const stopped = start();
  stopped.deadline.stop();
  stopped.deadline.extend();
  vi.advanceTimersByTime(10_000);
  expect(fired.kinds()).toEqual(['deadline-started', 'deadline-fired']);
  expect(stopped.kinds()).toEqual(['deadline-started']);
  expect([fired.fired(), stopped.fired()]).toEqual([1, 0]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a time limit ends by itself, with its parent, or not at all', () => {
  const own = timeLimit(500, 'Too late.');
  vi.advanceTimersByTime(500);
  expect(own.signal.reason).toBeInstanceOf(ExchangeAbort);
  expect(own.signal.reason).toMatchObject({ abortCause: 'deadline', message: 'Too late.' });

  const parent = new AbortController();
  const child = timeLimit(500, 'Too late.', parent.signal);
  const reason = new ExchangeAbort('close', { code: 'aborted', message: 'Closed.' });
  parent.abort(reason);
  expect(child.signal.reason).toBe(reason);
  child.stop();

  const stopped = timeLimit(500, 'Too late.');
  stopped.stop();
  vi.advanceTimersByTime(1000);
  expect(stopped.signal.aborted).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

test('a deadline stands still while it is held, and starts anew afterwards', () => {
  const { deadline, kinds, fired } = start();
  vi.advanceTimersByTime(900);
  deadline.hold(true);
  vi.advanceTimersByTime(60_000);
  expect(fired()).toBe(0);
  deadline.hold(false);
  vi.advanceTimersByTime(999);
  expect(fired()).toBe(0);
  vi.advanceTimersByTime(1);
  expect(fired()).toBe(1);
  expect(kinds()).toEqual(['deadline-started', 'deadline-extended', 'deadline-fired']);
});

test('a time limit stands still while it is held, and stays stopped once it is', () => {
  const limit = timeLimit(1000, 'Too late.');
  limit.hold(true);
  vi.advanceTimersByTime(60_000);
  expect(limit.signal.aborted).toBe(false);
  limit.hold(false);
  vi.advanceTimersByTime(1000);
  expect(limit.signal.reason).toBeInstanceOf(ExchangeAbort);
  const stopped = timeLimit(1000, 'Too late.');
  stopped.stop();
  stopped.hold(false);
  vi.advanceTimersByTime(60_000);
  expect(stopped.signal.aborted).toBe(false);
});
