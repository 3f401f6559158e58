import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBlock } from '../../../lib/capture/store/decode-block.ts';
import { encodeBlock } from '../../../lib/capture/store/encode-block.ts';
import { packBlocks } from '../../../lib/capture/store/blocks.ts';
import type { WireEvent, WireFact } from '../../../lib/capture/wire-event.ts';

const text = fc.string({ unit: 'binary', maxLength: 12 });
const span = fc.record({ offset: fc.nat(), length: fc.nat() });
const bytes = fc.uint8Array({ maxLength: 40 });

const fact: fc.Arbitrary<WireFact> = fc.oneof(
  fc.record(
    {
      kind: fc.constant('sse-event' as const),
      httpId: text,
      block: span,
      event: text,
      id: text,
      data: fc.array(span, { maxLength: 3 }),
    },
    { requiredKeys: ['kind', 'httpId', 'block'] },
  ),
  fc.record({
    kind: fc.constant('http-chunk' as const),
    httpId: text,
    offset: fc.nat(),
    data: fc.record({ bytes }),
  }),
  fc.record(
    {
      kind: fc.constant('http-request' as const),
      httpId: text,
      purpose: fc.constant('message' as const),
      method: text,
      url: fc.record({ text }),
      headers: fc.array(fc.record({ name: text, value: text }), { maxLength: 2 }),
      body: fc.record({ bytes }),
      links: fc.constant({}),
    },
    { requiredKeys: ['kind', 'httpId', 'purpose', 'method', 'url', 'headers', 'links'] },
  ),
);

const stamp = fc.record(
  {
    captureId: fc.constant('capture'),
    bootId: text,
    wallTime: fc.nat(),
    monotonicTime: fc.double({ min: 0, max: 1e9, noNaN: true }),
    connectionId: text,
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
    { numRuns: 300 },
  );
});

/** Puts the bytes back that JSON turns into objects. */
function revive(events: WireEvent[]): (key: string, value: unknown) => unknown {
  const parts = events.flatMap((event) => {
    if (event.kind === 'http-chunk') return [event.data.bytes];
    return event.kind === 'http-request' && event.body !== undefined ? [event.body.bytes] : [];
  });
  return (key, value) => (key === 'bytes' ? parts.shift() : value);
}
