import { describe, expect, test } from 'vitest';
import { createReportingReader, reportsOf } from '../../../support/sse-facts.ts';

function bytes(...parts: (string | number[])[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? [...new TextEncoder().encode(part)] : part,
    ),
  );
}

/** What was reported, each report as one short text. */
function summary(body: Uint8Array | string, sizes?: number[], limitBytes?: number): string[] {
  const raw = typeof body === 'string' ? bytes(body) : body;
  return reportsOf(raw, sizes, limitBytes).reports.map((report) => {
    switch (report.kind) {
      case 'event': {
        const { event, id, text } = report.event;
        const fields = [event !== undefined && `event=${event}`, id !== undefined && `id=${id}`];
        return ['event', ...fields.filter(Boolean), text ?? 'no data'].join(' ');
      }
      case 'comment':
        return `comment ${report.line.offset}+${report.line.length}`;
      case 'retry':
        return `retry ${report.retryMs}`;
      case 'ignored':
        return `ignored ${report.line.offset}+${report.line.length}: ${report.reason}`;
      case 'discarded':
        return `discarded ${report.tail.offset}+${report.tail.length}`;
      default:
        return `limit ${report.block.offset}+${report.block.length}`;
    }
  });
}

describe('line ends', () => {
  test('takes a CRLF that straddles two chunks for one line end', () => {
    const reader = createReportingReader();
    reader.push(bytes('data: {"jsonrpc":"2.0",\r\n'));
    reader.push(bytes('data: "id":1,\r'));
    reader.push(bytes('\ndata: "result":{}}\r\n\r\n'));
    expect(reader.reports).toMatchObject([
      { kind: 'event', event: { text: '{"jsonrpc":"2.0",\n"id":1,\n"result":{}}' } },
    ]);
    expect(summary('data: A\r\n\ndata: B\n\n')).toEqual(['event A', 'event B']);
  });

  test('dispatches at the second lone CR, without waiting for another byte', () => {
    const reader = createReportingReader();
    reader.push(bytes('data: x\r\r'));
    expect(reader.reports).toMatchObject([
      { event: { text: 'x', block: { offset: 0, length: 9 } } },
    ]);
    reader.push(bytes('\ndata: y\n\r'));
    expect(reader.reports).toMatchObject([{}, { event: { block: { offset: 10, length: 9 } } }]);
    expect(reader.pendingBytes()).toBe(0);
    reader.end();
    expect(reader.reports).toHaveLength(2);
  });

  test('takes any mix of line ends', () => {
    expect(summary('id: 7\r\ndata: a\n\n')).toEqual(['event id=7 a']);
    expect(summary('data: a\r\ndata: b\rdata: c\n\n')).toEqual(['event a\nb\nc']);
  });

  test('cuts no line at a separator that only Unicode knows', () => {
    expect(summary('data: a\u2028b\u2029c\u0085d\v\f\n\n')).toEqual([
      'event a\u2028b\u2029c\u0085d\v\f',
    ]);
  });
});

describe('bytes', () => {
  test('puts a character together that chunks cut apart, and replaces invalid bytes', () => {
    expect(summary('data: {"t":"世"}\n\n', [12, 1, 1, 1, 99])).toEqual(['event {"t":"世"}']);
    expect(summary(bytes('data: a', [0xff], 'b\n\n'))).toEqual(['event a\ufffdb']);
  });

  test('strips one byte order mark and counts it in the offsets', () => {
    const { reports } = reportsOf(bytes([0xef, 0xbb, 0xbf], 'data: x\n\n'), [1]);
    expect(reports).toEqual([
      {
        kind: 'event',
        event: { block: { offset: 3, length: 9 }, data: [{ offset: 9, length: 1 }], text: 'x' },
      },
    ]);
    expect(summary('\ufeff\ufeffdata: x\n\n')).toEqual([
      'ignored 3+10: No field has the name "\ufeffdata"',
    ]);
    expect(summary(bytes('data: ', [0xef, 0xbb, 0xbf], '\n\n'))).toEqual(['event \ufeff']);
  });

  test('takes no text for a byte order mark', () => {
    expect(summary('ï»¿data: x\n\n')).toEqual(['ignored 0+13: No field has the name "ï»¿data"']);
  });
});

describe('fields', () => {
  test('gives each event its own name and id only', () => {
    expect(summary('event: a\nid: 1\ndata: x\n\ndata: y\n\nevent:\nid:\ndata: z\n\n')).toEqual([
      'event event=a id=1 x',
      'event y',
      'event id= z',
    ]);
  });

  test('strips at most one space, and takes a name without colon for an empty value', () => {
    expect(summary('data:x\n\ndata:  x\n\ndata\n\ndata:\ndata:\n\n')).toEqual([
      'event x',
      'event  x',
      'event ',
      'event \n',
    ]);
  });

  test.each(['id: s1-0\ndata: \n\n', 'id: s1-0\ndata:\n\n', 'id: s1-0\ndata\n\n'])(
    'reads a priming event with empty data: %j',
    (body) => {
      expect(summary(body)).toEqual(['event id=s1-0 ']);
    },
  );

  test('reads a block without data for its id and its name', () => {
    expect(summary('id: s1-0\n\nevent: x\nid: 2\n\nevent: y\n\n')).toEqual([
      'event id=s1-0 no data',
      'event event=x id=2 no data',
      'event event=y no data',
    ]);
  });

  test('lets a NUL in an id spoil that line only', () => {
    expect(summary('id: 123\nid: ba\0d\ndata: x\n\n')).toEqual([
      'ignored 8+8: An id with a NUL character does not count',
      'event id=123 x',
    ]);
    expect(summary('id: \0\n\n')).toHaveLength(1);
  });

  test('names lines that mean nothing', () => {
    expect(summary(' data: x\nDATA: x\nfoo\n\n')).toEqual([
      'ignored 0+8: No field has the name " data"',
      'ignored 9+7: No field has the name "DATA"',
      'ignored 17+3: No field has the name "foo"',
    ]);
    expect(summary(`${'<'.repeat(99)}\n`)).toEqual([
      `ignored 0+99: No field has the name "${'<'.repeat(40)}…"`,
    ]);
  });
});

describe('comments and retry', () => {
  test('reports comments wherever they stand, as soon as their line is complete', () => {
    const reader = createReportingReader();
    reader.push(bytes(': keepalive\n'));
    expect(reader.reports).toEqual([{ kind: 'comment', line: { offset: 0, length: 11 } }]);
    expect(reader.pendingBytes()).toBe(0);
    expect(summary(':\r\n\r\n:data: x\n\nid: 1\n: in between\ndata: y\n\n')).toEqual([
      'comment 0+1',
      'comment 5+8',
      'comment 21+12',
      'event id=1 y',
    ]);
  });

  test('obeys a retry before its blank line, and even when none ever comes', () => {
    const reader = createReportingReader();
    reader.push(bytes('id: e1\ndata:\n\nretry: 2500\n'));
    expect(reader.reports).toMatchObject([{}, { kind: 'retry', retryMs: 2500 }]);
    reader.end();
    expect(reader.reports).toHaveLength(2);
  });

  test.each(['50x', '-1', '1e3', '', ' 5', '5 ', '1.5', '٣'])('ignores retry %j', (value) => {
    const report = expect.stringMatching(/^ignored 0\+\d+: A retry value must be digits only$/);
    expect(summary(`retry: ${value}\ndata: x\n\n`)).toEqual([report, 'event x']);
  });

  test('limits a retry to what a timer takes', () => {
    expect(summary('retry: 99999999999999\nretry: 007\n')).toEqual(['retry 2147483647', 'retry 7']);
  });
});

describe('the end', () => {
  test.each([
    ['data: {"id":1}\n', 'discarded 0+15'],
    ['data: {"id":1}', 'discarded 0+14'],
    ['id: 9\ndata: x\n', 'discarded 0+14'],
    ['data: x\n: c', 'discarded 0+11'],
    ['dat', 'discarded 0+3'],
    [': c', 'discarded 0+3'],
  ])('discards the unfinished block %j', (body, report) => {
    expect(summary(body).at(-1)).toBe(report);
    expect(summary(body).filter((entry) => entry.startsWith('event'))).toEqual([]);
  });

  test.each(['', '\n', '\ufeff', ': c\r', 'data: x\n\n', 'foo\n'])(
    'has no tail after %j',
    (body) => {
      expect(summary(body).join()).not.toContain('discarded');
    },
  );

  test('says how much of a block is waiting for its blank line', () => {
    const reader = createReportingReader();
    reader.push(bytes('data: a\n\n: c\ndata: {"id":1}'));
    expect(reader.pendingBytes()).toBe(14);
    reader.push(bytes('\n'));
    expect(reader.pendingBytes()).toBe(15);
    reader.push(bytes('\n'));
    expect(reader.pendingBytes()).toBe(0);
  });
});

describe('the limit', () => {
  test.each([[[99]], [[1]], [[3, 4]]])(
    'stops at the byte that breaks it, in chunks of %j',
    (sizes) => {
      expect(summary('data: 1\n\ndata: 23456\n\ndata: 7\n\n', sizes, 12)).toEqual([
        'event 1',
        'event 23456',
        'event 7',
      ]);
      expect(summary('data: 1\n\ndata: 23456\n\ndata: 7\n\n', sizes, 11)).toEqual([
        'event 1',
        'limit 9+12',
      ]);
      expect(summary('data: 1\n\ndata: 2345678', sizes, 11)).toEqual(['event 1', 'limit 9+12']);
    },
  );

  test('counts a block of many short lines', () => {
    expect(summary('data: 1\n'.repeat(9), undefined, 20)).toEqual(['limit 0+21']);
  });

  test('counts no comments, however many follow one another', () => {
    expect(summary(': ping\n'.repeat(9), undefined, 20)).toHaveLength(9);
  });

  test('does nothing more afterwards', () => {
    const reader = createReportingReader(4);
    reader.push(bytes('data: x'));
    reader.push(bytes('data: y'));
    reader.end();
    expect(reader.reports).toEqual([{ kind: 'limit', block: { offset: 0, length: 5 } }]);
  });
});

describe('time', { timeout: 30_000 }, () => {
  const limitBytes = 16 * 1024 * 1024;

  test.each([
    ['one event of 5 MB in chunks of 1 byte', `data: ${'x'.repeat(5e6)}\n\n`, 1, 1],
    ['one event of 5 MB in chunks of 1 kB', `data: ${'x'.repeat(5e6)}\n\n`, 1000, 1],
    ['one event of 200,000 lines', `${'data: x\n'.repeat(2e5)}\n`, 16384, 1],
    ['300,000 events with CR line ends in one chunk', 'data: x\r\r'.repeat(3e5), 3e6, 3e5],
    [
      '300,000 events with mixed line ends in one chunk',
      'id: y\ndata: x\r\r'.repeat(3e5),
      6e6,
      3e5,
    ],
    ['300,000 plain events in chunks of 16 kB', 'data: {"a":1}\n\n'.repeat(3e5), 16384, 3e5],
  ])('is linear: %s', (_, text, size, count) => {
    const body = new TextEncoder().encode(text);
    // Time of this thread alone: other programs may keep the cores busy.
    const before = process.threadCpuUsage();
    const { reports } = reportsOf(body, [size], limitBytes);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(2000);
    expect(reports).toHaveLength(count);
  });
});
