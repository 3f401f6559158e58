import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Span } from '../../../../lib/capture/store/stored-text.ts';
import { reportsOf } from '../../../support/sse-facts.ts';
import type { SseReport } from '../../../support/sse-facts.ts';
import { readByStandard } from '../../../support/sse-standard.ts';
import type { StandardResult } from '../../../support/sse-standard.ts';

const encoder = new TextEncoder();

const value = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'x',
    ' x',
    '  x',
    'message',
    'a:b',
    '世界',
    '😀',
    '\u2028',
    '\ufeff',
    '\0',
    'a\0b',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll(/[\r\n]/g, '')),
  fc.json().map((text) => text.replaceAll(/[\r\n]/g, '')),
);

const fieldLine = fc
  .tuple(
    fc.constantFrom(
      'data',
      'event',
      'id',
      'retry',
      'Data',
      'dat',
      'datax',
      ' data',
      'data ',
      'foo',
      '',
    ),
    fc.constantFrom('', ':', ': '),
    value,
  )
  .map(([name, colon, text]) => (colon === '' ? name : name + colon + text));

const line = fc.oneof(
  { weight: 4, arbitrary: fieldLine.map((text) => encoder.encode(text)) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        'retry: 10',
        'retry:7',
        'retry: 1e3',
        'retry: -1',
        'retry:',
        'retry: 5x',
        'retry: 99999999999999',
        ': ping',
        ':',
        'ï»¿data: x',
        '\ufeffdata: x',
      )
      .map((text) => encoder.encode(text)),
  },
  { weight: 4, arbitrary: fc.constant(new Uint8Array(0)) },
  {
    weight: 1,
    arbitrary: fc
      .uint8Array({ maxLength: 12 })
      .map((bytes) => bytes.map((byte) => (byte === 10 || byte === 13 ? 0xe4 : byte))),
  },
);

const lineEnd = fc.constantFrom('\n', '\n', '\r\n', '\r').map((text) => encoder.encode(text));

/** Blocks as servers send them, for the short way through the reader. */
const plainBlock = fc
  .tuple(
    fc.constantFrom(
      '',
      'event: message\n',
      'event:x\n',
      'id: 7\n',
      'event:\n',
      'event: e\r',
      'id:\nevent: e\n',
      'id: 1\nevent: e\r\n',
      'event: e\nid: 世\n',
      'id: a\0\n',
    ),
    value,
    fc.constantFrom('\n\n', '\n\n', '\r\n\r\n', '\n\r\n', '\rdata: y\n\n'),
  )
  .map(([head, text, end]) => encoder.encode(`${head}data: ${text}${end}`));

const noise = fc
  .array(fc.constantFrom(0x0a, 0x0d, 0x20, 0x3a, 0x61, 0x64, 0x69, 0x74, 0x00, 0xef, 0xbb, 0xbf), {
    maxLength: 40,
  })
  .map((bytes) => Uint8Array.from(bytes));

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(line, lineEnd).map((parts) => join(parts)) },
  { weight: 3, arbitrary: plainBlock },
  { weight: 1, arbitrary: noise },
);

const mark = fc.constantFrom(
  [],
  [],
  [0xef, 0xbb, 0xbf],
  [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf],
  [0xef, 0xbb],
);

const stream = fc
  .tuple(mark, fc.array(piece, { maxLength: 16 }), fc.oneof(fc.constant(new Uint8Array(0)), line))
  .map(([head, pieces, tail]) => join([Uint8Array.from(head), ...pieces, tail]));

const sizes = fc.oneof(
  fc.constant<number[]>([1]),
  fc.constant<number[]>([100_000]),
  fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }),
  fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 4 }).map((list) => [...list, 1]),
);

function join(parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** What an event source would make of our reports. */
function asEventSource(reports: SseReport[]): StandardResult {
  const result: StandardResult = { events: [], lastEventId: '', retries: [] };
  for (const report of reports) {
    if (report.kind === 'retry') result.retries.push(report.retryMs);
    if (report.kind !== 'event') continue;
    const { event, id, text } = report.event;
    result.lastEventId = id ?? result.lastEventId;
    if (text === undefined) continue;
    const { lastEventId } = result;
    result.events.push({ type: event ?? 'message', data: text, lastEventId });
  }
  return result;
}

function slice(body: Uint8Array, span: Span): Uint8Array {
  return body.slice(span.offset, span.offset + span.length);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Marks the bytes of a span with a letter; a byte must not be marked twice. */
function cover(map: string[], span: Span, letter: string): void {
  for (let index = span.offset; index < span.offset + span.length; index += 1) {
    expect(map[index]).toBe('.');
    map[index] = letter;
  }
}

describe('any stream, however it is cut into chunks', { timeout: 30_000 }, () => {
  test('gives the events of the standard', () => {
    fc.assert(
      fc.property(stream, sizes, (body, chunkSizes) => {
        const standard = readByStandard(body);
        const retries = standard.retries.map((retryMs) => Math.min(retryMs, 2 ** 31 - 1));
        expect(asEventSource(reportsOf(body, chunkSizes).reports)).toEqual({
          ...standard,
          retries,
        });
      }),
      { numRuns: 2000 },
    );
  });

  test('gives the same reports as in one chunk, the limit included', () => {
    fc.assert(
      fc.property(
        stream,
        sizes,
        fc.oneof(fc.nat(60), fc.constant(100_000)),
        (body, chunkSizes, limitBytes) => {
          const whole = reportsOf(body, [body.length], limitBytes).reports;
          expect(reportsOf(body, chunkSizes, limitBytes).reports).toEqual(whole);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('reports everything with the very byte that completes it', () => {
    fc.assert(
      fc.property(stream, (body) => {
        const { reports, received } = reportsOf(body, [1]);
        reports.forEach((report, index) => {
          if (report.kind === 'discarded' || report.kind === 'limit') return;
          const span = report.kind === 'event' ? report.event.block : report.line;
          // The span of a line leaves out the line end whose first byte completes it.
          const behind = span.offset + span.length + (report.kind === 'event' ? 0 : 1);
          expect(received[index]).toBe(behind);
        });
      }),
    );
  });

  test('tiles the stream: blocks, lines between them, line ends, tail', () => {
    fc.assert(
      fc.property(stream, sizes, (body, chunkSizes) => {
        const { reports } = reportsOf(body, chunkSizes);
        const map: string[] = Array.from(body, () => '.');
        for (const report of reports) {
          if (report.kind === 'event') cover(map, report.event.block, 'b');
          if (report.kind === 'discarded') cover(map, report.tail, 't');
        }
        for (const report of reports) {
          if (!('line' in report)) continue;
          expect(decode(slice(body, report.line))).not.toMatch(/[\r\n]|^$/);
          const { offset, length } = report.line;
          const letters = new Set(map.slice(offset, offset + length));
          expect(letters.size).toBe(1);
          if (letters.has('.')) cover(map, report.line, 'l');
        }
        const rest = body.filter((_, index) => map[index] === '.');
        expect(decode(rest)).toMatch(/^\ufeff?[\r\n]*$/);
      }),
      { numRuns: 1000 },
    );
  });

  test('gives spans that slice back to the data and to whole blocks', () => {
    fc.assert(
      fc.property(stream, sizes, (body, chunkSizes) => {
        for (const report of reportsOf(body, chunkSizes).reports) {
          if (report.kind !== 'event') continue;
          const { block, data, text } = report.event;
          expect(data?.map((span) => decode(slice(body, span))).join('\n')).toBe(text);
          const bytes = slice(body, block);
          expect(decode(bytes)).toMatch(/^(data|event|id)(?=[:\r\n])[^]*(\r\n|\n|\r)[\r\n]$/);
          // Alone, the block is the same event.
          const [alone, ...more] = reportsOf(bytes).reports.filter(
            (entry) => entry.kind === 'event',
          );
          expect(more).toEqual([]);
          expect(alone?.event.text).toBe(text);
          expect([alone?.event.id, alone?.event.event]).toEqual([
            report.event.id,
            report.event.event,
          ]);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
