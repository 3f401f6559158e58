import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBlock } from '../../../lib/capture/store/decode-block.ts';
import { encodeBlock } from '../../../lib/capture/store/encode-block.ts';
import { packBlocks } from '../../../lib/capture/store/blocks.ts';
import type { Header } from '../../../lib/capture/store/stored-text.ts';
import type { HttpEnd, WireEvent, WireFact } from '../../../lib/capture/wire-event.ts';

const text = fc.string({ unit: 'binary', maxLength: 12 });
const span = fc.record({ offset: fc.nat(), length: fc.nat() });
const bytes = fc.uint8Array({ maxLength: 40 });

const cut = fc.record({ offset: fc.nat(), length: fc.nat(), secret: text, from: fc.nat() });
const cuts = fc.array(cut, { minLength: 1, maxLength: 2 });
const data = fc.record({ bytes, cuts }, { requiredKeys: ['bytes'] });
const header = fc.record({ name: text, value: text, cuts }, { requiredKeys: ['name', 'value'] });
/** Few lists, so that events share some. */
const headers = fc.oneof(
  fc.constantFrom<Header[]>([], [{ name: 'Accept', value: 'text/event-stream' }]),
  fc.array(header, { maxLength: 2 }),
);
/** Few names, so that events share some. */
const carrier = fc.oneof(fc.constantFrom('first', 'second'), text);
const end: fc.Arbitrary<HttpEnd> = fc.oneof(
  fc.record({ outcome: fc.constant('complete' as const), sizeBytes: fc.nat() }),
  fc.record({ outcome: fc.constant('cut' as const), sizeBytes: fc.nat(), errorName: text }),
);

const fact: fc.Arbitrary<WireFact> = fc.oneof(
  fc.record(
    {
      kind: fc.constant('sse-event' as const),
      httpId: carrier,
      block: span,
      event: text,
      id: text,
      data: fc.array(span, { maxLength: 3 }),
    },
    { requiredKeys: ['kind', 'httpId', 'block'] },
  ),
  fc.record({
    kind: fc.constant('http-chunk' as const),
    httpId: carrier,
    offset: fc.nat(),
    data,
  }),
  fc.record(
    {
      kind: fc.constant('http-request' as const),
      httpId: carrier,
      purpose: fc.constant('message' as const),
      method: text,
      url: fc.record({ text, cuts }, { requiredKeys: ['text'] }),
      headers,
      body: data,
      links: fc.record({ reason: text }, { requiredKeys: [] }),
      foreign: text,
    },
    { requiredKeys: ['kind', 'httpId', 'purpose', 'method', 'url', 'headers', 'links'] },
  ),
  fc.record({
    kind: fc.constant('http-response' as const),
    httpId: carrier,
    status: fc.nat(),
    statusText: text,
    headers,
  }),
  fc.record({ kind: fc.constant('http-end' as const), httpId: carrier, end }),
  fc.record(
    {
      kind: fc.constant('deadline-started' as const),
      carrierId: carrier,
      rpcId: text,
      deadline: fc.constantFrom('idle' as const, 'hard' as const),
      durationMs: fc.nat(),
    },
    { requiredKeys: ['kind', 'carrierId', 'deadline', 'durationMs'] },
  ),
  fc.record({
    kind: fc.constant('socket-frame' as const),
    socketId: carrier,
    direction: fc.constantFrom('incoming' as const, 'outgoing' as const),
    opcode: fc.constantFrom('text' as const, 'binary' as const),
    data,
  }),
  fc.record({ kind: fc.constant('online' as const) }),
);

const stamp = fc.record(
  {
    captureId: fc.constant('capture'),
    bootId: text,
    // What clocks tell, and what files may say.
    wallTime: fc.oneof(fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true })),
    monotonicTime: fc.oneof(
      fc.nat({ max: 2 ** 31 - 1 }).map((micros) => micros / 1000),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    ),
    connectionId: carrier,
    origin: fc.constant({ kind: 'injected' as const }),
  },
  { requiredKeys: ['captureId', 'bootId', 'wallTime', 'monotonicTime'] },
);

const log: fc.Arbitrary<WireEvent[]> = fc
  .array(fc.tuple(stamp, fact), { minLength: 1, maxLength: 20 })
  .map((list) => list.map(([head, body], index) => ({ sequence: index + 1, ...head, ...body })));

test('a block that was stored has the same events, bytes and all', () => {
  fc.assert(
    fc.property(log, (events) => {
      const read = packBlocks(events).flatMap((block) => decodeBlock(encodeBlock(block)).events);
      // JSON has no minus zero, and no clock tells it.
      expect(read).toEqual(JSON.parse(JSON.stringify(events), revive(events)));
    }),
    { numRuns: 500 },
  );
});

/** Puts the bytes back that JSON turns into objects. */
function revive(events: WireEvent[]): (key: string, value: unknown) => unknown {
  const parts = events.flatMap((event) => {
    if (event.kind === 'http-chunk' || event.kind === 'socket-frame') return [event.data.bytes];
    return event.kind === 'http-request' && event.body !== undefined ? [event.body.bytes] : [];
  });
  return (key, value) => (key === 'bytes' ? parts.shift() : value);
}

test('events that every exchange has take a fraction of the room', () => {
  const events = exchangeEvents(15);
  const { json, texts, rows, bytes } = encodeBlock(packBlocks(events)[0]!);
  expect(json).toBe('[]');
  const size = texts!.join('').length + rows!.byteLength;
  const plain = events.map((event) =>
    JSON.stringify(event, (key, value: unknown) => (key === 'bytes' ? [0, 0] : value)),
  );
  expect(size).toBeLessThan(plain.join('').length / 4);
  expect(bytes.length).toBeGreaterThan(0);
});

test('a row whose parts are missing is named, and gives no event that was never recorded', () => {
  const stored = encodeBlock(packBlocks(exchangeEvents(1))[0]!);
  const part = 'A part of the block is missing.';
  expect(() => decodeBlock({ ...stored, texts: [] })).toThrow(part);
  expect(() => decodeBlock({ ...stored, rows: stored.rows!.slice(0, 8) })).toThrow(part);
  expect(() =>
    decodeBlock({ ...stored, rows: stored.rows!.map((number, at) => (at === 0 ? 99 : number)) }),
  ).toThrow('not known (99)');
  expect(() => decodeBlock({ ...stored, rows: stored.rows!.map(() => 0) })).toThrow(
    'Events of the block are missing.',
  );
  const base = { ...stored.base!, sources: [] };
  expect(() => decodeBlock({ ...stored, base })).toThrow(part);
  expect(() => decodeBlock({ ...stored, bytes: new Uint8Array() })).toThrow(RangeError);
});

/** What is recorded of so many calls that are answered at once. */
function exchangeEvents(count: number): WireEvent[] {
  const facts = Array.from({ length: count }, (_, at): WireFact[] => {
    const httpId = `exchange-${at}`;
    const payload = { bytes: new TextEncoder().encode(`{"jsonrpc":"2.0","id":${at}}`) };
    const json = [{ name: 'Content-Type', value: 'application/json' }];
    const url = { text: 'http://127.0.0.1/mcp' };
    const request = { purpose: 'message', method: 'POST', url, links: {} } as const;
    return [
      { kind: 'http-request', httpId, ...request, headers: json, body: payload },
      { kind: 'http-response', httpId, status: 200, statusText: 'OK', headers: json },
      { kind: 'http-chunk', httpId, offset: 0, data: payload },
      { kind: 'http-end', httpId, end: { outcome: 'complete', sizeBytes: payload.bytes.length } },
    ];
  });
  return facts.flat().map((each, at) => ({
    sequence: 1000 + at,
    captureId: 'f2f3c1f0-0f9a-4b8e-9d0c-3c1f3c2a7b11',
    bootId: '5d5b2e55-1a8e-4c3b-bc11-0e2f4c8e2a77',
    wallTime: 1_764_557_000_123 + at,
    monotonicTime: Math.round(123_456_789 + at * 37) / 1000,
    connectionId: 'connection',
    ...each,
  }));
}
