import { describe, expect, test } from 'vitest';
import { gzipSync } from 'node:zlib';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import { bodyBytes } from '../../../lib/capture/correlate/http-record.ts';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import { openHarFile } from '../../../lib/har/read/open-har-file.ts';
import { readHar } from '../../../lib/har/read/read-har.ts';
import { writeHar } from '../../../lib/har/write/write-har.ts';

import { fillMarks } from '../../../lib/state/replay/replay-marks.ts';
import { planToTheLetter } from '../../../lib/state/replay/replay-plan.ts';
import { toRow } from '../../../lib/state/view/rows.ts';
import { LogBuilder } from '../../support/builders.ts';
import { summary } from '../state/fakes.ts';

const START = '2026-11-30T09:00:00.000Z';
const utf8 = new TextDecoder();

async function read(content: string | Uint8Array<ArrayBuffer>) {
  const file = await openHarFile(new Blob([content]));
  const { events, repairs, name } = await readHar(file, { captureId: 'imported' });
  const correlation = createCorrelation();
  correlation.apply(events);
  return { events, name, correlation, repairs: repairs.map(({ what }) => what) };
}

/** A file of another tool with these entries. */
function har(...entries: object[]): string {
  const creator = { name: 'WebInspector', version: '537.36' };
  return JSON.stringify({ log: { version: '1.2', creator, pages: [], entries } });
}

function entry(request: object, response: object = {}, more: object = {}): object {
  return {
    startedDateTime: START,
    time: 10,
    request: { method: 'POST', url: 'http://127.0.0.1:1/mcp', headers: [], ...request },
    response: { status: 200, headers: [], content: {}, ...response },
    cache: {},
    timings: { send: 0, wait: 5, receive: 5 },
    ...more,
  };
}

async function written(events: readonly WireEvent[]) {
  let text = '';
  const log = { name: 'x', events, load: (some: readonly WireEvent[]) => Promise.resolve(some) };
  for await (const piece of writeHar(log, { creator: { name: 'Wirescope', version: '0' } })) {
    text += piece;
  }
  return { text, ...(JSON.parse(text) as { log: { entries: HarEntryLike[] } }) };
}

interface HarEntryLike extends Record<string, unknown> {
  request: { postData?: { text: string } };
  response: { content: Record<string, unknown> };
}

describe('C202: WebSocket messages', () => {
  const frames = [
    {
      type: 'send',
      time: 1_796_029_200.1,
      opcode: 1,
      data: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    },
    {
      type: 'receive',
      time: 1_796_029_200.2,
      opcode: 1,
      data: '{"jsonrpc":"2.0","id":1,"result":{}}',
    },
    { type: 'receive', time: 1_796_029_200.3, opcode: 2, data: 'AP+A' },
  ];
  const socket = (more: object) =>
    entry({ method: 'GET', url: 'ws://127.0.0.1:1/ws' }, { status: 101 }, more);

  test('are read and written in Chrome’s form, binary ones in base64, times in seconds', async () => {
    const { events, correlation } = await read(har(socket({ _webSocketMessages: frames })));
    const found = events.filter((event) => event.kind === 'socket-frame');
    expect(found.map(({ opcode, data }) => [opcode, [...data.bytes].length])).toEqual([
      ['text', 40],
      ['text', 36],
      ['binary', 3],
    ]);
    expect(found[0]?.wallTime).toBe(Date.parse(START) + 100);
    expect(
      correlation.items.some((item) => item.kind === 'request' && item.outcome === 'result'),
    ).toBe(true);
    const { log } = await written(events);
    expect(log.entries[0]?.['_webSocketMessages']).toEqual(frames);
  });

  test.each([[{}], [{ _webSocketMessages: [] }], [{ _webSocketMessages: null }]])(
    'that are not there cost nothing: %j',
    async (more) => {
      const { events } = await read(har(socket(more)));
      expect(events.map(({ kind }) => kind)).toEqual(['socket-opening', 'socket-open']);
    },
  );
});

describe('files that are nearly HAR', () => {
  const log = { version: '1.2', creator: { name: 'X', version: '1' }, entries: [entry({})] };
  const one = JSON.stringify({ log });

  test.each<[string, string, number]>([
    ['a log without what is around it', JSON.stringify(log), 1],
    ['a list of files', `[${one},${one}]`, 2],
    ['several logs in one', JSON.stringify({ log: [log, log] }), 2],
    ['one file behind the other', `${one}\n${one}`, 2],
    [
      'entries, one in each line',
      `${JSON.stringify(entry({}))}\n${JSON.stringify(entry({}))}\n`,
      2,
    ],
    [
      'numbers that JSON does not have',
      one.replaceAll('"time":10', '"time":NaN,"_x":-Infinity'),
      1,
    ],
    ['comments and a comma too many', `// by hand\n${one.replace(']}}', ',/* end */]}}')}`, 1],
    ['an empty version', one.replace('"1.2"', '""'), 1],
  ])('%s: every entry is read', async (_name, text, count) => {
    const { events } = await read(text);
    expect(events.filter(({ kind }) => kind === 'http-request')).toHaveLength(count);
  });

  test.each<[string, string]>([
    ['', 'This file is empty.'],
    [' \n', 'This file is empty.'],
    ['{"mcpServers":{}}', 'no HAR file'],
    ['<!doctype html>', 'cannot be read as JSON'],
    ['[]', 'no HAR file'],
  ])('%j is refused: %s', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });
});

describe('C204: entries with odd values', () => {
  test.each([
    ['2026-11-30T09:00:00,250Z', 250],
    ['2026-11-30T09:00:00.250+00:00[UTC]', 250],
    ['1796029200250', 250],
    [1_796_029_200_250_000, 250],
    [1_796_029_200.25, 250],
  ])('the date %s is understood', async (startedDateTime, ms) => {
    const { events, repairs } = await read(har(entry({}, {}, { startedDateTime })));
    expect(events[0]?.wallTime).toBe(Date.parse(START) + ms);
    expect(repairs).toEqual([]);
  });

  test.each([
    ['200 OK', 200],
    [200.5, 200],
    [1e20, undefined],
    [-999, undefined],
  ])('the status %s is %s', async (status, read200) => {
    const { events } = await read(har(entry({}, { status })));
    expect(events.find((event) => event.kind === 'http-response')?.status).toBe(read200);
  });

  test.each([
    ['an empty method', entry({ method: '' })],
    ['status 0', entry({}, { status: 0 })],
    ['a negative time', entry({}, {}, { time: -1, timings: { send: -1, wait: -1, receive: -1 } })],
    ['no content', entry({}, { content: undefined })],
    ['no timings', entry({}, {}, { timings: undefined })],
    ['a date that is nearly one', entry({}, {}, { startedDateTime: '2026-11-30 12:00' })],
    ['no date', entry({}, {}, { startedDateTime: undefined })],
    ['no httpVersion', entry({ httpVersion: '' }, { httpVersion: '' })],
    ['a ws URL', entry({ url: 'ws://localhost:2992/x' }, { status: 101 })],
    ['a date in milliseconds', entry({}, {}, { startedDateTime: 1_796_029_200_123 })],
    ['a date that no clock has', entry({}, {}, { startedDateTime: '+275760-09-13T00:00:00.000Z' })],
    ['times without end', entry({}, {}, { time: 1e300, timings: { wait: 1e300, receive: 1e18 } })],
    ['header lists of pairs', entry({ headers: [['accept', 'a']] }, { headers: { b: 'c' } })],
  ])('%s is read, and can be written', async (_name, odd) => {
    const { events, repairs } = await read(har(odd));
    expect(
      events.filter(({ kind }) => /^(?:http-request|socket-opening)$/.test(kind)),
    ).toHaveLength(1);
    expect(repairs.filter((what) => what.startsWith('left out'))).toEqual([]);
    const { log } = await written(events);
    expect(log.entries).toHaveLength(1);
  });

  test('moments that no date can hold are unknown ones, and every row has its time', async () => {
    const data = '{"jsonrpc":"2.0","id":1,"result":{}}';
    const stream = {
      content: { mimeType: 'text/event-stream', text: `data: ${data}\n\n` },
    };
    const times = { _eventSourceMessages: [{ time: 1e300, data }], time: 1e300 };
    const frames = { _webSocketMessages: [{ type: 'send', opcode: 1, time: 1e300, data }] };
    const { correlation, events } = await read(
      har(entry({}, stream, times), entry({ url: 'ws://a/' }, { status: 101 }, frames)),
    );
    expect(events.every(({ wallTime }) => wallTime < Date.parse(START) + 60_000)).toBe(true);
    for (const item of correlation.items) {
      expect(toRow(item, correlation).isoTime).toMatch(/^2026-/);
    }
  });

  test('what is no entry is left out and named, and costs nobody else', async () => {
    const { events, repairs } = await read(
      JSON.stringify({ log: { version: '1.2', entries: [null, 7, [], entry({})] } }),
    );
    expect(events.filter(({ kind }) => kind === 'http-request')).toHaveLength(1);
    expect(repairs).toEqual(Array(3).fill('left out: it is no object'));
  });

  test('a member that is nested too deep to be written again costs itself only', async () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const text = har(entry({}, {}, { _kept: 1 })).replace('"_kept"', `"_deep":${deep},"_kept"`);
    const { events } = await read(text);
    const { log } = await written(events);
    expect(log.entries[0]).toMatchObject({ _kept: 1 });
    expect(log.entries[0]).not.toHaveProperty('_deep');
  });

  test('what a tool adds for itself is there when it is written again', async () => {
    const vendor = { _charlesStatus: 'COMPLETE', _initiator: { type: 'script' }, _priority: null };
    const { events } = await read(har(entry({}, {}, vendor)));
    const { log, text } = await written(events);
    expect(log.entries[0]).toMatchObject({
      _charlesStatus: 'COMPLETE',
      _initiator: { type: 'script' },
    });
    // Chrome refuses a whole file for it.
    expect(text).not.toContain('"_priority":null');
    const again = await read(text);
    expect((await written(again.events)).text).toBe(text);
  });
});

describe('C205: streams and the times of their events', () => {
  const stream =
    '\uFEFF: a comment\r\nretry: 300\r\n\r\nid: 1\r\nevent: odd\r\ndata: one\r\ndata: two\r\n\r\ndata: cut';

  test('of ours come back as they were, also where the stream is still open', async () => {
    const log = new LogBuilder();
    const call = log.stream();
    log.sse(call, stream);
    const { log: file, text } = await written(log.events);
    const [first] = file.entries;
    expect(first).toMatchObject({
      response: { content: { text: stream } },
      _eventSourceMessages: [{ eventName: 'odd', eventId: '1', data: 'one\ntwo' }],
      _mcp: { isComplete: false },
    });
    const { events } = await read(text);
    expect(events).toEqual(log.events.map((event) => ({ ...event, captureId: 'imported' })));
  });

  test('of other tools have the times of their list, and none where there is none', async () => {
    const content = { mimeType: 'text/event-stream', text: 'data: a\n\ndata: b\n\n' };
    const messages = ['a', 'b'].map((data, index) => ({
      time: Date.parse(START) / 1000 + 1 + index,
      eventName: 'message',
      eventId: '',
      data,
    }));
    const timed = await read(
      har(entry({ method: 'GET' }, { content }, { _eventSourceMessages: messages })),
    );
    const at = ({ events }: typeof timed) =>
      events.flatMap((event) =>
        event.kind === 'sse-event'
          ? [
              event.origin?.kind === 'imported' && event.origin.isTimeUnknown
                ? 'unknown'
                : event.wallTime,
            ]
          : [],
      );
    expect(at(timed)).toEqual([Date.parse(START) + 1000, Date.parse(START) + 2000]);
    const untimed = await read(har(entry({ method: 'GET' }, { content })));
    expect(at(untimed)).toEqual(['unknown', 'unknown']);
  });
});

describe('C206: bodies and files that are not as they should be', () => {
  async function bodyOf(content: object) {
    const { correlation, repairs } = await read(har(entry({}, { content })));
    const [http] = correlation.https.values();
    return { text: http && utf8.decode(bodyBytes(http)), chunks: http?.chunks.length, repairs };
  }

  test('a body that was not recorded is none, and not an empty one', async () => {
    const missing = await bodyOf({ size: 1000, mimeType: 'application/json' });
    expect(missing.chunks).toBe(0);
    const { log } = await written((await read(har(entry({}, { content: { size: 1000 } })))).events);
    expect(log.entries[0]?.response.content).not.toHaveProperty('text');
  });

  test('base64 is decoded, and kept as text where it is none', async () => {
    expect(
      await bodyOf({ mimeType: 'text/plain', encoding: 'BASE64', text: 'aGk=' }),
    ).toMatchObject({
      text: 'hi',
      repairs: [],
    });
    expect(await bodyOf({ mimeType: 'text/plain', encoding: 'base64', text: '%%%' })).toMatchObject(
      {
        text: '%%%',
        repairs: ['base64 that is none is kept as text'],
      },
    );
  });

  test('base64 of URLs, and base64 in lines, are base64', async () => {
    const json = '{"jsonrpc":"2.0","id":1,"result":{"x":"ÿþ?>"}}';
    for (const text of [
      Buffer.from(json).toString('base64url'),
      Buffer.from(json).toString('base64').replaceAll(/.{10}/g, '$&\r\n '),
    ]) {
      const content = { mimeType: 'application/json', encoding: 'base64', text };
      const { text: found, repairs } = await bodyOf(content);
      expect(found).toBe(json);
      expect(repairs).not.toContain('base64 that is none is kept as text');
    }
  });

  test('a body that is kept as the JSON that it holds, or without what is around it, is a body', async () => {
    const json = { jsonrpc: '2.0', id: 1, result: { a: [1] } };
    const mimeType = 'application/json';
    for (const content of [{ mimeType, text: json }, JSON.stringify(json)]) {
      expect((await bodyOf(content as object)).text).toBe(JSON.stringify(json));
    }
    for (const postData of [{ mimeType, text: json }, JSON.stringify(json)]) {
      const { events } = await read(har(entry({ postData })));
      const [request] = events.filter((event) => event.kind === 'http-request');
      expect(utf8.decode(request!.body!.bytes)).toBe(JSON.stringify(json));
    }
  });

  test('a misread stream with a long list of its events is put right in no time', async () => {
    const data = (at: number) =>
      `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"世界 ${at} ${'x'.repeat(200)}"}}`;
    const list = Array.from({ length: 4000 }, (_, at) => data(at));
    const right = list.map((each) => `data: ${each}\n\n`).join('');
    const content = { mimeType: 'text/event-stream', text: Buffer.from(right).toString('latin1') };
    const started = performance.now();
    const { correlation } = await read(
      har(entry({}, { content }, { _eventSourceMessages: list.map((each) => ({ data: each })) })),
    );
    // It took as long as the list times the stream.
    expect(performance.now() - started).toBeLessThan(1500);
    const [http] = correlation.https.values();
    expect(utf8.decode(bodyBytes(http!))).toBe(right);
  });

  test('more lines in one stream than a call takes arguments are read, and read again', async () => {
    const count = 130_000;
    const content = { mimeType: 'text/event-stream', text: ':\n'.repeat(count) };
    const { events, repairs } = await read(har(entry({}, { content })));
    expect(events.filter(({ kind }) => kind === 'sse-comment')).toHaveLength(count);
    expect(repairs.filter((what) => what.startsWith('left out'))).toEqual([]);
    const again = await read((await written(events)).text);
    expect(again.events).toHaveLength(events.length);
  }, 30_000);

  test('bytes that a tool wrote as characters, or as base64 without saying so, are bytes again', async () => {
    const mimeType = 'application/octet-stream';
    const characters = await read(
      har(entry({}, { content: { mimeType, text: '\0\u{ff}\u{80}' } })),
    );
    const [http] = characters.correlation.https.values();
    expect([...bodyBytes(http!)]).toEqual([0, 255, 128]);
    expect(await bodyOf({ mimeType, text: 'aGVsbG8gd29ybGQh' })).toMatchObject({
      text: 'hello world!',
      repairs: ['a binary body is read as base64, which nothing says'],
    });
  });

  test.each<[string, object, string]>([
    ['text of no known type', { mimeType: 'x-unknown', text: '{"a":"é"}' }, '{"a":"é"}'],
    ['text that is called binary', { mimeType: 'application/octet-stream', text: 'né' }, 'né'],
    [
      'a word that looks like base64',
      { mimeType: 'application/octet-stream', text: 'Accepted', size: 8 },
      'Accepted',
    ],
    [
      'base64 behind what says so',
      { mimeType: 'text/plain', text: 'data:text/plain;base64,b2s=', encoding: 'base64' },
      'ok',
    ],
  ])('%s is what it says', async (_name, content, text) => {
    const { events } = await read(har(entry({}, { content })));
    const chunk = events.find((event) => event.kind === 'http-chunk');
    expect(utf8.decode(chunk?.data.bytes)).toBe(text);
  });

  test('messages that are kept as the JSON that they hold, with times as dates, are messages', async () => {
    const data = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const _webSocketMessages = [
      { type: 'SEND', time: '2026-11-30T09:00:01.500Z', opcode: 1, data },
    ];
    const { events } = await read(
      har(entry({ method: 'GET', url: 'ws://h/ws' }, { status: 101 }, { _webSocketMessages })),
    );
    const frame = events.find((event) => event.kind === 'socket-frame');
    expect(utf8.decode(frame?.data.bytes)).toBe(JSON.stringify(data));
    expect(frame?.wallTime).toBe(Date.parse(START) + 1500);
  });

  test('a header with several values is several headers', async () => {
    const { events } = await read(har(entry({}, { headers: { 'set-cookie': ['a=1', 'b=2'] } })));
    const head = events.find((event) => event.kind === 'http-response');
    expect(head?.headers.map(({ name }) => name)).toEqual(['set-cookie', 'set-cookie']);
  });

  test('a request body that is kept as a form only, JSON of any tool included', async () => {
    const post = async (postData: unknown) => {
      const { events, repairs } = await read(har(entry({ postData, bodySize: 200 })));
      const [request] = events.filter((event) => event.kind === 'http-request');
      return { text: request?.body && utf8.decode(request.body.bytes), repairs };
    };
    expect(await post(undefined)).toEqual({ text: undefined, repairs: [] });
    expect(await post(null)).toEqual({ text: undefined, repairs: [] });
    const charles = {
      mimeType: 'application/x-www-form-urlencoded',
      params: [{ name: '{"a":1}', value: '' }],
    };
    expect((await post(charles)).text).toBe('{"a":1}');
    const nested = {
      mimeType: 'application/json',
      params: [
        { name: 'id', value: 1 },
        { name: 'params', value: { a: [1] } },
      ],
    };
    expect((await post(nested)).text).toBe('{"id":1,"params":{"a":[1]}}');
    const form = {
      mimeType: 'application/x-www-form-urlencoded',
      params: [{ name: 'a', value: 'b c' }],
    };
    expect((await post(form)).text).toBe('a=b+c');
  });

  test('lone surrogates, a byte order mark, and a file that is packed', async () => {
    expect((await bodyOf({ mimeType: 'text/plain', text: 'a\ud800b' })).text).toBe('a\uFFFDb');
    const text = `\uFEFF${har(entry({}))}`;
    expect((await read(text)).events.length).toBeGreaterThan(0);
    const packed = gzipSync(har(entry({})));
    expect((await read(new Uint8Array(packed))).events.length).toBeGreaterThan(0);
  });

  test.each(['{"a":1}', '[]', 'null', '"log"', '7'])(
    '%s is JSON, but no HAR file',
    async (text) => {
      await expect(read(text)).rejects.toThrow('This is no HAR file');
    },
  );

  test('one frame that cannot be read costs itself only', async () => {
    const { events, repairs } = await read(
      har(
        entry(
          { url: 'ws://a/' },
          {
            status: 101,
            content: { text: '{"type":"send","opcode":1,"data":"x","time":1}\nbroken' },
          },
        ),
      ),
    );
    expect(events.filter(({ kind }) => kind === 'socket-frame')).toHaveLength(1);
    expect(repairs).toEqual(['a frame that is no JSON is left out: broken']);
  });
});

const live = [summary({ connectionId: 'live', url: 'http://127.0.0.1:1/mcp', state: 'connected' })];

async function planFor(body: string) {
  const json = (text: string) => ({ mimeType: 'application/json', text });
  const init =
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}';
  const answer =
    '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{}}}';
  const { correlation } = await read(
    har(
      entry({ postData: json(init) }, { content: json(answer) }),
      entry(
        {
          postData: json(body),
          headers: [
            { name: 'Authorization', value: 'Bearer redacted~tok~0123456789' },
            { name: 'Mcp-Session-Id', value: 'old' },
            { name: 'Content-Length', value: '10' },
          ],
        },
        {},
        { startedDateTime: '2026-11-30T09:00:01.000Z' },
      ),
    ),
  );
  const item = correlation.items.findLast(({ kind }) => kind !== 'lifecycle');
  return planToTheLetter(item, correlation, live);
}

describe('C208: a request of a file that was made safe to share', () => {
  test.each(['redacted~tok~0123456789', '[REDACTED]'])('never sends %s', async (standIn) => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"token":"${standIn}"}}`;
    const plan = await planFor(body);
    expect(plan).toMatchObject({ kind: 'ready', connectionId: 'live' });
    const text = plan.kind === 'ready' ? (plan.paramsText ?? '') : '';
    expect(text).not.toContain(standIn);
    // What it stands for is held nowhere, so nothing can be sent.
    expect(fillMarks(text, {})).toBeUndefined();
  });

  test('takes no header along: those of the live connection are used', async () => {
    const plan = await planFor('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
    expect(plan).toEqual({
      kind: 'ready',
      connectionId: 'live',
      method: 'tools/list',
      paramsText: undefined,
      replayOf: expect.any(Number),
    });
  });
});

describe('C209: what is sent again', () => {
  test('a call of a tool asks first, naming it', async () => {
    const plan = await planFor(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_all","arguments":{"a":1}}}',
    );
    expect(plan).toMatchObject({ asksFor: { tool: 'delete_all', argumentsText: '{"a":1}' } });
  });

  test.each([
    '{"jsonrpc":"2.0","id":"s1","result":{"roots":[]}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
  ])('%s is no request, and refused with a reason', async (body) => {
    expect(await planFor(body)).toMatchObject({
      kind: 'refused',
      reason: 'Only outgoing requests can be replayed.',
    });
  });
});

test('C210: what is not edited is sent as it was spelt', async () => {
  const params = String.raw`{ "n": 9007199254740993, "x": 1.0, "a":1, "a":2, "s": "\u2028\ud800é" }`;
  const plan = await planFor(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${params}}`);
  expect(plan).toMatchObject({ paramsText: params });
});
