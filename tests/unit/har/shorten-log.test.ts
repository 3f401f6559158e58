import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import { readHar } from '../../../lib/har/read/read-har.ts';
import { shortenLog } from '../../../lib/har/write/shorten-log.ts';
import { createShortening, tooLong } from '../../../lib/har/write/shortening.ts';
import { writeHar, type HarLog } from '../../../lib/har/write/write-har.ts';
import { LogBuilder } from '../../support/builders.ts';

const utf8 = new TextEncoder();
const LIMIT = 10_000;

async function shortened(events: readonly WireEvent[]) {
  const log: HarLog = { name: 'x', events, load: (some) => Promise.resolve(some) };
  const pieces: string[] = [];
  const short = shortenLog(log, LIMIT);
  for await (const piece of writeHar(short, { creator: { name: 'Wirescope', version: '0' } })) {
    pieces.push(piece);
  }
  const text = pieces.join('');
  const bytes = (async function* () {
    yield utf8.encode(text);
  })();
  const read = await readHar({ bytes, attached: new Map() }, { captureId: 'x' });
  expect(read.repairs).toEqual([]);
  const correlation = createCorrelation();
  correlation.apply(read.events);
  return { text, events: read.events, correlation };
}

test('long texts are cut, and every message stays one', async () => {
  const long = 'é'.repeat(20_000);
  const log = new LogBuilder();
  const call = log.call('1', 'tools/call', { name: 'echo', arguments: { text: long } });
  log.head(call, 200, 'text/event-stream');
  log.message(
    call,
    { jsonrpc: '2.0', method: 'notifications/progress', params: { message: long } },
    'e1',
  );
  log.message(call, { jsonrpc: '2.0', id: 1, result: { before: long, after: 'stays' } });
  log.end(call);
  const page = log.request(undefined, { method: 'GET', purpose: 'probe' });
  log.answer(page, 'p'.repeat(30_000), 200, 'text/plain');
  const small = log.call('2', 'tools/list');
  log.answer(small, { jsonrpc: '2.0', id: 2, result: { text: 's'.repeat(5000) } });
  const { text, events, correlation } = await shortened(log.events);
  expect(text.length).toBeLessThan(40_000);
  const { entries, comment, _mcp: mcp } = JSON.parse(text).log;
  expect(mcp.truncation).toEqual({ limitBytes: LIMIT, bodies: 3 });
  expect(comment).toBe('Long texts are cut in 3 bodies of more than 10.0 kB.');
  expect(JSON.parse(entries[0].request.postData.text).params.arguments.text).toMatch(/^é+$/);
  const [progress, result] = entries[0]._eventSourceMessages;
  expect(JSON.parse(progress.data).params.message.length).toBeLessThan(1100);
  expect(JSON.parse(result.data)).toMatchObject({ id: 1, result: { after: 'stays' } });
  expect(entries[1].response.content.text).toBe('p'.repeat(LIMIT));
  expect(entries[2].response.content.text).toContain('s'.repeat(5000));
  const outcomes = correlation.items.map((item) => ('outcome' in item ? item.outcome : item.kind));
  expect(outcomes).toEqual([
    'result',
    'notification',
    'done',
    'result',
    ...Array(3).fill('lifecycle'),
  ]);
  expect(events.flatMap((event) => (event.kind === 'gap' ? [event.what] : []))).toEqual([
    'Parts of a request (40.1 kB)',
    'Parts of the answer to a POST (80.2 kB)',
    'Parts of the answer to a GET (30.0 kB)',
  ]);
});

test('JSON stays JSON wherever it is cut', () => {
  const long = fc
    .array(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\\', '"', '\u0001', 'é', '😀')),
      {
        minLength: 1,
        maxLength: 30,
      },
    )
    .map((parts) => parts.join('').toWellFormed().repeat(400));
  fc.assert(
    fc.property(long, (text) => {
      const bytes = utf8.encode(JSON.stringify({ text, other: { list: [text, 1] } }));
      const removed = tooLong(new TextDecoder('latin1').decode(bytes), 100);
      const { bytes: left } = createShortening(removed).take({ bytes }, 0);
      const decoded = new TextDecoder('utf-8', { fatal: true }).decode(left);
      const parsed = JSON.parse(decoded);
      expect(text.startsWith(parsed.text)).toBe(true);
      expect(parsed.other.list[1]).toBe(1);
      expect(left.length).toBeLessThan(10_000);
    }),
    { numRuns: 100 },
  );
});
