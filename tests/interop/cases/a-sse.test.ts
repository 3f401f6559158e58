import { describe, expect, test, vi } from 'vitest';
import { spanBytes } from '../../../lib/capture/correlate/http-record.ts';
import {
  event,
  json,
  log,
  plain,
  progress,
  result,
  stream,
} from '../../server/scripted-behaviour.ts';
import type { Part, Reply } from '../../server/scripted.ts';
import { header } from '../../server/scripted-http.ts';
import { reportsOf } from '../../support/sse-facts.ts';
import { inSteps, play, type Scene } from './play.ts';

const utf8 = new TextEncoder();
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** The bytes that the log holds of the exchange of a call. */
function bodyOf(scene: Scene, httpId: string): string {
  const record = scene.worker.correlation.https.get(httpId)!;
  return Buffer.from(spanBytes(record, { offset: 0, length: record.sizeBytes })).toString('latin1');
}

/** A call that is answered by exactly this stream. */
async function callStream(parts: Part[], ending?: Reply['ending']) {
  const scene = await play({ 'tools/list': stream(parts, ending) });
  return { scene, item: await scene.call() };
}

/** The same, with every part a chunk of its own. */
async function callInSteps(parts: Part[], ending?: Reply['ending']) {
  const scene = await play({ 'tools/list': stream(inSteps(parts), ending) });
  const item = await scene.begin();
  await scene.follow(parts.length);
  return { scene, item: await scene.settled(item) };
}

describe('C001 A CRLF that straddles two chunks is one line end', () => {
  test('C001 three data lines over three chunks are one event, kept with its chunks', async () => {
    const parts = [
      'data: {"id":$id,\r\n',
      'data: "jsonrpc":"2.0",\r',
      '\ndata: "result":{}}\r\n\r\n',
    ];
    const { scene, item } = await callInSteps(parts);
    await using _ = scene;
    expect(item.outcome).toBe('result');
    expect(scene.facts('sse-event')).toHaveLength(1);
    expect(scene.text(item.response)).toBe('{"id":1,\n"jsonrpc":"2.0",\n"result":{}}');
    expect(bodyOf(scene, item.httpId!)).toBe(parts.join('').replace('$id', '1'));
    const chunks = scene.facts('http-chunk').filter(({ httpId }) => httpId === item.httpId);
    expect(chunks.map(({ offset }) => offset)).toEqual([0, 16, 39]);
    expect(await scene.issues()).toEqual([]);
  });

  const bodies = {
    'CRLF inside': ['data: {"a":1,\r\ndata: "b":2}\r\n\r\n', ['{"a":1,\n"b":2}']],
    'LF behind a chunk that ends in CRLF is a blank line': [
      'data: {A}\r\n\ndata: {B}\n\n',
      ['{A}', '{B}'],
    ],
  } as const;
  test.each(Object.entries(bodies))('C001 %s: the same for every split', (_name, [body, texts]) => {
    const bytes = utf8.encode(body);
    const read = (sizes: number[]) =>
      reportsOf(bytes, sizes).reports.map((report) => report.kind === 'event' && report.event.text);
    expect(read([1])).toEqual(texts);
    for (let at = 1; at < bytes.length; at += 1) {
      expect(read([at, bytes.length])).toEqual(texts);
    }
  });
});

describe('C002 Events that end in lone CR', () => {
  test.each([
    ['at once, on a stream that stays open', 'hang'],
    ['before the end of the body', 'complete'],
  ] as const)('C002 are delivered %s', async (_name, ending) => {
    const { scene, item } = await callStream([`data: ${result()}\r\r`], ending);
    await using _ = scene;
    expect(item.outcome).toBe('result');
    expect(bodyOf(scene, item.httpId!)).toMatch(/\r\r$/);
    expect(await scene.issues()).toEqual(['SSE-20']);
  });

  test('C002 LF and then CR end an event without one byte more', async () => {
    const { scene, item } = await callStream([`data: ${result()}\n\r`], 'hang');
    await using _ = scene;
    expect(item.outcome).toBe('result');
  });

  test('C002 an LF behind the CR that ended an event begins nothing', async () => {
    const { scene, item } = await callInSteps([`data: ${log('a')}\r\r`, `\ndata: ${result()}\r\r`]);
    await using _ = scene;
    expect(item.outcome).toBe('result');
    expect(scene.facts('sse-event')).toHaveLength(2);
  });
});

test.each([
  ['CRLF and LF', `id: 7\r\ndata: ${result()}\n\n`, 1],
  ['CRLF, CR and LF', `data: {"id":$id,\r\ndata: "jsonrpc":"2.0",\rdata: "result":{}}\n\n`, 3],
])('C004 %s in one event make one event', async (_name, body, lines) => {
  const { scene, item } = await callStream([body]);
  await using _ = scene;
  expect(item.outcome).toBe('result');
  expect(scene.facts('sse-event').map(({ data }) => data?.length)).toEqual([lines]);
});

test('C005 U+2028, U+2029, U+0085, VT and FF are data and no line ends', async () => {
  const text = 'a\u2028b\u2029c\u0085d';
  const { scene, item } = await callStream([event(result(`{"tools":[],"text":"${text}"}`))]);
  await using _ = scene;
  expect(item.outcome).toBe('result');
  expect(scene.text(item.response)).toContain(text);
  expect(scene.facts('sse-event')).toHaveLength(1);
  expect(await scene.issues()).toEqual([]);
  // JSON does not allow these raw, but the line goes on all the same.
  const [report] = reportsOf(utf8.encode('data: a\u000bb\u000cc\n\n')).reports;
  expect(report).toMatchObject({ kind: 'event', event: { text: 'a\u000bb\u000cc' } });
});

describe('C006 UTF-8 over chunks and invalid UTF-8', () => {
  test('C006 a character cut by chunks is whole again', async () => {
    const [head = '', tail = ''] = `data: ${result('{"t":"@"}')}\n\n`.split('@');
    const bytes = [0xe4, 0xb8, 0x96].map((byte) => Uint8Array.of(byte));
    const { scene, item } = await callInSteps([head, ...bytes, tail]);
    await using _ = scene;
    expect(item.outcome).toBe('result');
    expect(scene.text(item.response)).toContain('"t":"世"');
  });

  test('C006 a byte that is no UTF-8 becomes U+FFFD, ends nothing, and stays in the record', async () => {
    const parts = [
      latin1('data: {"jsonrpc":"2.0","method":"x","params":["\xff"]}\n\n'),
      event(result()),
    ];
    const { scene, item } = await callStream(parts);
    await using _ = scene;
    expect(item.outcome).toBe('result');
    const [notification] = scene
      .items('notification')
      .filter(({ direction }) => direction === 'incoming');
    expect(scene.text(notification!.message)).toContain('["\ufffd"]');
    expect(bodyOf(scene, item.httpId!)).toContain('["\xff"]');
    expect((await scene.finding('RPC-20'))!.message).toMatch(/byte \d+/);
  });
});

describe('C008 The last event has no blank line', () => {
  test.each([
    ['one line end', `data: ${result()}\n`],
    ['no line end', `data: ${result()}`],
    ['an id that must not count', `id: 9\ndata: ${result()}\n`],
  ])('C008 with %s it is discarded, and the call fails at once', async (_name, body) => {
    const { scene, item } = await callStream([body]);
    await using _ = scene;
    expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'stream-no-response' } });
    const [{ tail } = { tail: undefined }] = scene.facts('sse-discarded');
    expect(tail).toEqual({ offset: 0, length: body.replace('$id', '1').length });
    expect(item.problem!.message).toContain(`${tail!.length} bytes without the blank line`);
    expect(scene.server.of('GET')).toEqual([]);
    expect(await scene.issues()).toEqual(['HTT-06', 'HTT-10']);
  });

  test('C008 behind an event with an id the stream is resumed from that id', async () => {
    await using scene = await play({
      'tools/list': stream([`id: 4\ndata: ${log('a')}\n\nid: 5\ndata: ${result()}\n`]),
      GET: stream([`id: 5\n${event(`{"jsonrpc":"2.0","id":1,"result":{}}`)}`]),
    });
    const item = await scene.call();
    expect(scene.server.of('GET').map((request) => header(request, 'last-event-id'))).toEqual([
      '4',
    ]);
    expect(item.outcome).toBe('result');
    expect(scene.facts('sse-discarded')).toHaveLength(1);
  });
});

test('C009 A complete message without its blank line is no message; the deadline still fires', async () => {
  await using scene = await play(
    { 'tools/list': stream([`data: ${result()}`], 'hang') },
    { idleTimeoutMs: 250 },
  );
  const item = await scene.call();
  expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'deadline' } });
  expect(item.problem!.message).toContain('The server sent 42 bytes, but no response');
  expect(scene.facts('sse-event')).toEqual([]);
  expect(scene.facts('sse-discarded')).toHaveLength(1);
  expect(await scene.issues()).toEqual(['HTT-10']);
});

test.each([
  ['no event field', 'data: $\n\n'],
  ['an empty event field', 'event:\ndata: $\n\n'],
  ['event: message', 'event: message\ndata: $\n\n'],
])('C010 An event with %s is a message', async (_name, template) => {
  const initialize = result(
    '{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}',
  );
  await using scene = await play({ initialize: stream([template.replace('$', () => initialize)]) });
  expect(scene.worker.summary(scene.id)).toMatchObject({ state: 'connected', serverName: 's' });
});

test('C012 Heartbeats that are no JSON-RPC are rows of one kind, and the stream goes on', async () => {
  const beat = event('{"type":"heartbeat","timestamp":"2026-11-30T10:00:00Z"}');
  const { scene, item } = await callStream([beat.repeat(41), event(result())]);
  await using _ = scene;
  expect(item.outcome).toBe('result');
  const strays = scene.items('stray');
  expect(strays).toHaveLength(41);
  expect(new Set(strays.map(({ what, problem }) => `${what} ${problem.message}`)).size).toBe(1);
  expect(strays[0]).toMatchObject({ what: 'not-rpc', problem: { code: 'body-not-rpc' } });
  expect(scene.worker.summary(scene.id).state).toBe('connected');
  expect(await scene.finding('RPC-01')).toMatchObject({ count: 41 });
  expect(await scene.issues()).toEqual(['RPC-01']);
});

describe('C013 Priming events', () => {
  test.each([
    ['with a space', 'id: s1-0\ndata: \n\n'],
    ['without a space', 'id: s1-0\ndata:\n\n'],
    ['without data', 'id: s1-0\n\n'],
    ['and one whose data is a line feed', 'id: s1-0\n\ndata:\ndata:\n\n'],
  ])('C013 %s are no message, and set the cursor', async (_name, priming) => {
    await using scene = await play({
      'tools/list': stream([priming]),
      GET: stream([event('{"jsonrpc":"2.0","id":1,"result":{}}', 's1-1')]),
    });
    const item = await scene.call();
    expect(item.outcome).toBe('result');
    expect(header(scene.server.of('GET')[0]!, 'last-event-id')).toBe('s1-0');
    expect(scene.items('stray')).toEqual([]);
    expect(scene.facts('sse-event')[0]).toMatchObject({ id: 's1-0' });
  });

  test('C013 and the response follows on the same stream', async () => {
    const { scene, item } = await callStream(['id: s1-0\ndata: \n\n', event(result(), 's1-1')]);
    await using _ = scene;
    expect(item.outcome).toBe('result');
    expect(scene.items('stray')).toEqual([]);
  });
});

describe('C014 Comments', () => {
  test('C014 of every form are recorded and never dispatched', async () => {
    const body = `: keepalive\n\n:\r\n:data: {"x":1}\n\nid: 3\n: between\ndata: ${result()}\n\n`;
    const { scene, item } = await callStream([body]);
    await using _ = scene;
    expect(item.outcome).toBe('result');
    expect(scene.facts('sse-comment')).toHaveLength(4);
    expect(scene.facts('sse-event')).toMatchObject([{ id: '3' }]);
    expect(scene.items('stray')).toEqual([]);
    expect(await scene.issues()).toEqual([]);
  });

  test('C014 do not put off the deadline of a request, progress does', async () => {
    await using scene = await play(
      { 'tools/call': stream([event(progress(1)), { wait: 'never' }]) },
      { idleTimeoutMs: 150 },
    );
    const item = await scene.begin('tools/call', '{"name":"x","_meta":{"progressToken":"p"}}');
    await scene.fact('deadline-extended');
    const keepAlive = setInterval(() => scene.server.push(': keepalive\n\n'), 20);
    await scene.settled(item);
    clearInterval(keepAlive);
    expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'deadline' } });
  });
});

test('C016 At most one space is stripped, names are exact, unknown lines are listed', async () => {
  const body = `data:${log('a')}\n\ndata:  x\n\ndata\n\n data: x\n\nDATA: x\n\ndata: ${result()}\n\n`;
  const { scene, item } = await callStream([body]);
  await using _ = scene;
  expect(item.outcome).toBe('result');
  const notifications = scene
    .items('notification')
    .filter(({ direction }) => direction === 'incoming');
  expect(notifications).toHaveLength(1);
  expect(scene.items('stray').map(({ message }) => scene.text(message))).toEqual([' x']);
  expect(scene.facts('sse-ignored').map(({ reason }) => reason)).toEqual([
    'No field has the name " data"',
    'No field has the name "DATA"',
  ]);
});

test('C017 An id with NUL does not count: the stream is resumed from the id before', async () => {
  await using scene = await play({
    'tools/list': stream([`id: 123\nid: ba\0d\ndata: ${log('a')}\n\n`]),
    GET: stream([event('{"jsonrpc":"2.0","id":1,"result":{}}')]),
  });
  expect((await scene.call()).outcome).toBe('result');
  expect(header(scene.server.of('GET')[0]!, 'last-event-id')).toBe('123');
  expect(scene.facts('sse-ignored')).toMatchObject([{ reason: expect.stringContaining('NUL') }]);
  expect(await scene.issues()).toContain('SSE-21');
});

describe('C018 An id without a value clears the cursor', () => {
  const events = [`id: a\n${event(log('1'))}`, event(log('2')), `id:\n${event(log('3'))}`];

  test('C018 and one without an id leaves it', async () => {
    await using scene = await play(
      { GET: [stream(events.slice(0, 2)), plain(405)] },
      { openStream: true },
    );
    await scene.server.until(() => scene.server.of('GET').length === 2);
    expect(scene.server.of('GET').map((get) => header(get, 'last-event-id'))).toEqual([
      undefined,
      'a',
    ]);
  });

  test('C018 so that the GET stream is opened again without Last-Event-ID', async () => {
    await using scene = await play({ GET: [stream(events), plain(405)] }, { openStream: true });
    await scene.server.until(() => scene.server.of('GET').length === 2);
    expect(scene.server.of('GET').map((get) => header(get, 'last-event-id'))).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('C018 and the stream of a call cannot be resumed any more', async () => {
    const { scene, item } = await callStream(events);
    await using _ = scene;
    expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'stream-no-response' } });
    expect(scene.server.of('GET')).toEqual([]);
  });
});

describe('C020 Retry values', () => {
  test('C020 that are no digits are ignored, the event counts, and the last good value holds', async () => {
    const bad = ['50x', '-1', '1e3', ''].map((value) => `retry: ${value}\n`);
    const body = `id: 1\nretry: 50\n\n${bad[0]}${event(log('kept'))}${bad.slice(1).join('\n')}\n`;
    await using scene = await play({ GET: [stream([body]), plain(405)] }, { openStream: true });
    const retry = await scene.fact('retry-scheduled');
    expect(retry).toMatchObject({ delayMs: 50, askedBy: 'server' });
    expect(scene.facts('sse-ignored')).toHaveLength(4);
    await scene.item('notification', ({ summary }) => summary === 'info: kept');
    expect(await scene.finding('SSE-21')).toMatchObject({ count: 4 });
  });

  test('C020 beyond what a timer takes are cut down to that', async () => {
    await using scene = await play(
      { GET: [stream(['retry: 99999999999999\n\n']), plain(405)] },
      { openStream: true },
    );
    const { delayMs } = await scene.fact('retry-scheduled');
    expect(delayMs).toBe(2 ** 31 - 1);
  });
});

describe('C021 A retry that stands alone', () => {
  test('C021 in the last bytes counts, and the stream is opened no earlier than asked', async () => {
    await using scene = await play({
      'tools/list': stream(['id: e1\ndata:\n\n', 'retry: 120\n']),
      GET: stream([event('{"jsonrpc":"2.0","id":1,"result":{}}')]),
    });
    const item = await scene.call();
    expect(item.outcome).toBe('result');
    const end = scene.facts('http-end').find(({ httpId }) => httpId === item.httpId)!;
    const [again] = scene.facts('http-request').filter(({ purpose }) => purpose === 'stream');
    const waitedMs = again!.monotonicTime - end.monotonicTime;
    expect(waitedMs).toBeGreaterThanOrEqual(119.5);
    expect(waitedMs).toBeLessThan(320);
    expect(scene.facts('retry-scheduled')).toMatchObject([{ delayMs: 120, askedBy: 'server' }]);
    expect(scene.rows()).toContain('Retry in 120 ms');
  });

  test('C021 is waited for to the millisecond', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      await using scene = await play({
        'tools/list': stream(['id: e1\ndata:\n\n', 'retry: 2500\n']),
        GET: stream([event('{"jsonrpc":"2.0","id":1,"result":{}}')]),
      });
      const item = await scene.begin();
      await scene.fact('retry-scheduled');
      await vi.advanceTimersByTimeAsync(2499);
      expect(scene.facts('http-request').filter(({ purpose }) => purpose === 'stream')).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect((await scene.settled(item)).outcome).toBe('result');
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('C022 Large events', () => {
  const KB16 = 16 * 1024;
  const chunksOf = (text: string): string[] =>
    Array.from({ length: Math.ceil(text.length / KB16) }, (_, index) =>
      text.slice(index * KB16, (index + 1) * KB16),
    );
  const padded = (size: number): string => {
    const [head = '', tail = ''] = `data: ${result('{"tools":[],"x":"@"}')}\n\n`.split('@');
    return head + 'x'.repeat(size - head.length - tail.length) + tail;
  };

  test('C022 of 2.1 MB are taken whole', async () => {
    const { scene, item } = await callStream(chunksOf(padded(2_140_787)));
    await using _ = scene;
    expect(item.outcome).toBe('result');
    expect(scene.text(item.response)!.length).toBeGreaterThan(2_140_000);
    expect(scene.facts('sse-event')).toHaveLength(1);
  });

  test.each([
    ['an event stream', (text: string) => stream(chunksOf(text))],
    ['a JSON body', (text: string) => json(text.slice(6, -2))],
  ])('C022 over the limit in %s fail the call and name the limit', async (_name, reply) => {
    await using scene = await play(
      { 'tools/list': [reply(padded(300_000)), json(result())] },
      { messageLimitBytes: 200_000 },
    );
    const item = await scene.call();
    expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'body-limit' } });
    expect(item.problem!.message).toMatch(/larger than the size limit.*after \d+ bytes/);
    expect(item.problem!.advice).toMatch(/^Raise .*size limit/i);
    expect(scene.facts('http-end').at(-1)).toMatchObject({ end: { cause: 'limit' } });
    expect(await scene.issues()).toEqual(['HTT-10']);
    expect((await scene.call()).outcome).toBe('result');
  });

  test('C022 of 20 MB stop at 16 MiB, and are taken under a higher limit', async () => {
    const body = chunksOf(padded(20_000_000));
    for (const [messageLimitBytes, outcome] of [
      [16 * 1024 * 1024, 'failed'],
      [32 * 1024 * 1024, 'result'],
    ] as const) {
      await using scene = await play({ 'tools/list': stream(body) }, { messageLimitBytes });
      expect((await scene.call()).outcome).toBe(outcome);
    }
  });
});

describe('C024 An event of 5 MB takes linear time', () => {
  const [head = '', tail = ''] = 'data: {"x":"@"}\n\n'.split('@');
  const body = utf8.encode(head + 'x'.repeat(5_000_000) + tail);

  test.each([1000, 1])('C024 in chunks of %s bytes', (size) => {
    const before = process.cpuUsage();
    const { reports } = reportsOf(body, [size]);
    const { user, system } = process.cpuUsage(before);
    expect(reports).toHaveLength(1);
    expect((user + system) / 1e6).toBeLessThan(2);
  });

  test('C024 with everything recorded, and the size known while it comes', async () => {
    const parts = Array.from({ length: 50 }, () => 'x'.repeat(100_000));
    const [first = '', last = ''] = event(result('{"x":"@"}')).split('@');
    await using scene = await play({
      'tools/list': stream([first, ...parts, { wait: 'rest' }, last]),
    });
    const before = process.cpuUsage();
    const item = await scene.begin();
    const record = scene.worker.correlation.https.get(item.httpId!)!;
    await scene.worker.until(() => record.sizeBytes > 5_000_000);
    expect(item.outcome).toBe('pending');
    scene.server.open('rest');
    expect((await scene.settled(item)).outcome).toBe('result');
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(2);
  });
});
