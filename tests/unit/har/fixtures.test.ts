import { openAsBlob, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import { openHarFile } from '../../../lib/har/read/open-har-file.ts';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import { readHar } from '../../../lib/har/read/read-har.ts';
import { writeHar } from '../../../lib/har/write/write-har.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/har');

async function read(name: string) {
  const file = await openHarFile(await openAsBlob(join(FOLDER, name)));
  const { events, repairs } = await readHar(file, { captureId: 'imported' });
  const correlation = createCorrelation();
  correlation.apply(events);
  const count = (...kinds: string[]) => events.filter(({ kind }) => kinds.includes(kind)).length;
  return {
    entries: count('http-request', 'socket-opening'),
    events: count('sse-event'),
    frames: count('socket-frame'),
    connections: [...correlation.connections.values()].map(({ transport, revision }) =>
      `${transport ?? 'unknown'} ${revision ?? ''}`.trim(),
    ),
    answered: correlation.items.filter(
      (item) => item.kind === 'request' && item.response !== undefined,
    ).length,
    repairs,
    log: events,
    correlation,
  };
}

const ALL = [
  'streamable-http 2025-06-18',
  'http-sse 2024-11-05',
  'websocket 2025-06-18',
  // A stream of messages, without any handshake.
  'unknown',
  'streamable-http 2025-06-18',
];

describe('files of other tools', () => {
  test.each([
    ['chrome-devtools.har', 49, 56, 11, ALL, 19],
    // It keeps the streams as text only, and those that were cut off not at all.
    [
      'chrome-devtools-sanitized.har',
      49,
      20,
      11,
      ALL.filter((name) => !/sse|unknown/.test(name)).toSpliced(1, 0, 'unknown'),
      17,
    ],
    ['firefox-netmonitor.har', 49, 56, 0, ALL.filter((name) => !name.startsWith('websocket')), 16],
    ['playwright-embed-full.har', 48, 20, 11, undefined, 17],
    ['playwright-embed-minimal.har', 48, 20, 11, undefined, 17],
    ['playwright-attach.zip', 48, 20, 11, undefined, 17],
    ['playwright-omit.har', 48, 0, 0, undefined, 0],
    ['mitmproxy-buffered.har', 11, 10, 0, ['streamable-http 2025-06-18'], 6],
    ['mcp-devtool-v1.har', 32, 24, 10, undefined, 9],
    ['mcp-devtool-v1-redacted.har', 32, 24, 10, undefined, 9],
  ])('%s', async (name, entries, events, frames, connections, answered) => {
    const found = await read(name);
    expect(found).toMatchObject({ entries, events, frames, answered });
    expect(found.connections).toEqual(connections ?? found.connections);
  });

  test('the authorization of a call is one chain that ends with its repeat', async () => {
    const { log, correlation } = await read('chrome-devtools.har');
    const chain = log.flatMap((event) =>
      event.kind === 'http-request' && event.links.authChain !== undefined ? [event] : [],
    );
    expect(chain.map(({ purpose }) => purpose)).toEqual([
      'message',
      'discovery',
      'discovery',
      'discovery',
      'token',
      'token',
      'token',
      'message',
    ]);
    expect(chain.map(({ links }) => links.authStep)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(chain.at(-1)?.links.retryOf).toBe(chain[0]?.httpId);
    const rows = correlation.items.flatMap((item) => (item.kind === 'auth' ? [item.outcome] : []));
    expect(rows).toEqual(['authorized']);
  });

  test('UTF-8 that a browser had misread is put right, and nothing else is touched', async () => {
    const chrome = await read('chrome-devtools.har');
    const misread = chrome.repairs.filter(({ what }) => what.includes('windows-1252'));
    expect(misread).toHaveLength(4);
    const firefox = await read('firefox-netmonitor.har');
    expect(firefox.repairs).toEqual([]);
  });

  test('what a file does not say about times stays unknown', async () => {
    const { log } = await read('firefox-netmonitor.har');
    const streamed = log.filter(({ kind }) => kind === 'sse-event');
    expect(streamed.every(({ origin }) => origin?.kind === 'imported')).toBe(true);
    expect(
      streamed.every(({ origin }) => origin?.kind === 'imported' && origin.isTimeUnknown === true),
    ).toBe(true);
  });
});

test('a file of version 1.0 of our format is read and written as ever', async () => {
  const path = join(FOLDER, 'wirescope-1.0.mcp.har');
  const { log, repairs, connections, answered } = await read('wirescope-1.0.mcp.har');
  expect(repairs).toEqual([]);
  expect(log).toHaveLength(30);
  expect(connections).toEqual(['streamable-http 2025-06-18']);
  expect(answered).toBe(3);
  const { head, name } = await readHar(await openHarFile(await openAsBlob(path)), {
    captureId: 'imported',
  });
  const options = { creator: { name: 'another', version: '9' } };
  const pieces: string[] = [];
  const whole = { name, events: log, load: (some: readonly WireEvent[]) => Promise.resolve(some) };
  for await (const piece of writeHar({ ...whole, ...(head && { head }) }, options))
    pieces.push(piece);
  expect(pieces.join('')).toBe(readFileSync(path, 'utf8'));
});

describe('files with one deviation each', () => {
  const files = readdirSync(join(FOLDER, 'edge'));

  test.each(files.filter((name) => name !== 'truncated.har'))('%s is read', async (name) => {
    const { entries, repairs } = await read(`edge/${name}`);
    expect(entries).toBe(1);
    expect(repairs.filter(({ what }) => what.startsWith('left out'))).toEqual([]);
  });

  test.each([
    ['bad-date.har', 'its time is not known, so its place in the file decides'],
    ['relative-url.har', 'its URL is not absolute: /mcp'],
    ['no-response.har', 'it has no answer'],
    ['mojibake-sse.har', 'UTF-8 that had been read as windows-1252 is put right'],
    ['ws-full.har', 'a receive frame of opcode 8 is left out: bye'],
  ])('%s names what is odd', async (name, what) => {
    const { repairs } = await read(`edge/${name}`);
    expect(repairs).toContainEqual({ where: 'entry 1', what });
  });

  test('a file that is cut off says how far it goes', async () => {
    const { repairs } = await read('edge/truncated.har');
    expect(repairs).toEqual([
      { where: 'the end', what: 'The file is cut off: 0 entries were read.' },
    ]);
  });

  test('frames have the same times in seconds and in milliseconds', async () => {
    const times = await Promise.all(
      ['edge/ws-full.har', 'edge/ws-time-ms.har'].map(async (name) => {
        const { log } = await read(name);
        return log.find(({ kind }) => kind === 'socket-frame')?.wallTime ?? 0;
      }),
    );
    for (const time of times) expect(new Date(time).getUTCFullYear()).toBe(2026);
  });
});

describe('what is no HAR', () => {
  test.each([
    ['', 'This file is empty.'],
    ['hello', 'This file cannot be read as JSON.'],
    ['{"entries":[]}', 'This is no HAR file: it has no `log`.'],
    ['{"log":{"version":"2.0","entries":[]}}', 'This is HAR 2.0. Wirescope reads HAR 1.x.'],
    ['PK\u{3}\u{4}', 'The archive cannot be read. It has no list of files'],
    ['\u{1f}\u{8b}nothing', 'The archive cannot be read. What is packed in it'],
  ])('%j is refused with a reason', async (text, message) => {
    const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
    const reading = openHarFile(new Blob([bytes])).then((file) =>
      readHar(file, { captureId: 'imported' }),
    );
    await expect(reading).rejects.toThrow(message);
  });

  test('an entry of brackets alone costs itself, and a file of them is refused', async () => {
    const deep = '['.repeat(200_000);
    const entry = '{"request":{"method":"GET","url":"http://a/"},"response":{"status":200}}';
    const around = `{"log":{"entries":[${deep}${']'.repeat(200_000)},${entry}]}}`;
    const found = await readHar(await openHarFile(new Blob([around])), { captureId: 'x' });
    expect(found.events.filter(({ kind }) => kind === 'http-request')).not.toHaveLength(0);
    const reading = openHarFile(new Blob([`{"log":{"pages":${deep}`])).then((file) =>
      readHar(file, { captureId: 'x' }),
    );
    await expect(reading).rejects.toThrow('nested more than 1000 levels deep');
  });

  test('hostile keys and values are data', async () => {
    const text =
      '{"log":{"version":"1.2","__proto__":{"a":1},"entries":[{"__proto__":{"request":{}},"request":{"method":"<script>","url":"javascript:alert(1)","headers":{"a":"b"}},"response":{"status":1e999,"content":{"size":-1,"text":7}}},7,null]}}';
    const { events } = await readHar(await openHarFile(new Blob([text])), { captureId: 'x' });
    expect(events[0]).toMatchObject({ method: '<SCRIPT>', url: { text: 'javascript:alert(1)' } });
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
  });
});
