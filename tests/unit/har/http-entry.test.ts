import { describe, expect, test } from 'vitest';
import type { WireEvent, WireFact } from '../../../lib/capture/wire-event.ts';
import { toHttpEntry } from '../../../lib/har/write/http-entry.ts';
import { wireEvent } from '../../support/builders.ts';

const REQUEST: WireFact = {
  kind: 'http-request',
  httpId: 'h',
  purpose: 'message',
  method: 'POST',
  url: { text: 'https://mcp.example/mcp' },
  headers: [],
  links: {},
};
const QUEUED: WireFact = { kind: 'http-queued', httpId: 'h', reason: 'All are in use.' };
const RELEASED: WireFact = { kind: 'http-released', httpId: 'h' };
const RESPONSE: WireFact = {
  kind: 'http-response',
  httpId: 'h',
  status: 200,
  statusText: 'OK',
  headers: [],
};
const END: WireFact = { kind: 'http-end', httpId: 'h', end: { outcome: 'complete', sizeBytes: 0 } };
const FAILED: WireFact = {
  kind: 'http-end',
  httpId: 'h',
  end: { outcome: 'failed', problem: { code: 'network-refused', message: 'No.' } },
};

/** Events at moments of one clock, in milliseconds; those of another life have a clock of their own. */
function at(
  ...moments: readonly (readonly [ms: number, fact: WireFact, boot?: string])[]
): WireEvent[] {
  return moments.map(([ms, fact, bootId = 'boot'], index) => ({
    ...wireEvent(index + 1, fact),
    bootId,
    wallTime: 1_700_000_000_000 + ms,
    monotonicTime: bootId === 'boot' ? ms : ms - 5000,
  }));
}

describe('timings', () => {
  test('tell waiting for a connection, for the answer, and for its body apart', () => {
    const events = at([0, REQUEST], [10, QUEUED], [40, RELEASED], [100, RESPONSE], [150, END]);
    const { timings, time } = toHttpEntry(events);
    expect(timings).toMatchObject({ blocked: 30, wait: 60, receive: 50 });
    expect(time).toBe(140);
  });

  test('go by wall time over a restart of the worker, whose clock begins anew', () => {
    const { timings } = toHttpEntry(
      at([0, REQUEST], [6000, RESPONSE, 'next'], [6010, END, 'next']),
    );
    expect(timings).toMatchObject({ wait: 6000, receive: 10 });
  });

  test('without an answer, all of it was waiting to be sent', () => {
    const { timings, _mcp } = toHttpEntry(at([0, REQUEST], [70, FAILED]));
    expect(timings).toMatchObject({ blocked: 70, wait: 0, receive: 0 });
    expect(_mcp.unknownTimings).toEqual(['send', 'receive']);
  });

  test('of what is still open are not known', () => {
    const entry = toHttpEntry(at([0, REQUEST]));
    expect(entry._mcp.unknownTimings).toEqual(['send', 'wait', 'receive']);
    expect(entry.comment).toBe('No answer had come yet.');
  });
});

test('the size of a body that never came is unknown, that of an empty one is 0', () => {
  expect(toHttpEntry(at([0, REQUEST], [1, FAILED])).response.bodySize).toBe(-1);
  expect(toHttpEntry(at([0, REQUEST], [1, RESPONSE], [2, END])).response.bodySize).toBe(0);
});
