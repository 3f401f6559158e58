import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shiftEvent } from '../../../lib/har/event-json.ts';
import type { HarFile } from '../../../lib/har/read/open-har-file.ts';
import { readHar } from '../../../lib/har/read/read-har.ts';
import { writeHar } from '../../../lib/har/write/write-har.ts';
import type { WireEvent, WireFact } from '../../../lib/capture/wire-event.ts';
import type { Header } from '../../../lib/capture/store/stored-text.ts';
import { LogBuilder, wireEvent } from '../../support/builders.ts';

const utf8 = new TextEncoder();
const creator = { name: 'Wirescope', version: '0.1.0' };

async function write(events: readonly WireEvent[], selected?: ReadonlySet<string>) {
  const log = {
    name: 'A capture',
    events,
    load: (some: readonly WireEvent[]) => Promise.resolve(some),
  };
  let text = '';
  const options = { creator, ...(selected === undefined ? {} : { selected }) };
  for await (const piece of writeHar(log, options)) text += piece;
  return text;
}

function inChunks(text: string): HarFile {
  return { bytes: chunksOf(utf8.encode(text)), attached: new Map() };
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

async function expectRoundTrip(events: readonly WireEvent[]): Promise<void> {
  const text = await write(events);
  const read = await readHar(inChunks(text), { captureId: 'imported' });
  expect(read.repairs).toEqual([]);
  const first = events[0]?.sequence ?? 1;
  expect(read.events).toEqual(
    events.map((event) => ({ ...shiftEvent(event, 1 - first), captureId: 'imported' })),
  );
  expect(await write(read.events)).toBe(text);
}

/** All three transports in one log, interleaved as they would be. */
function aLog(): WireEvent[] {
  const log = new LogBuilder();
  log.opened();
  const call = log.call('1', 'tools/call', { name: 'echo', arguments: { text: 'é\u2028' } });
  const stream = log.stream();
  log.head(call, 200, 'text/event-stream');
  log.sse(
    call,
    '\uFEFF: hello\n\nid: 1\r\ndata: {"jsonrpc":"2.0",\r\ndata: "id":1,"result":{}}\r\n\r\n',
  );
  log.sse(stream, 'retry: 300\nevent: odd\ndata\n\ndata: cut off');
  log.end(call);
  log.end(stream, { outcome: 'cut', errorName: 'net::ERR_FAILED' });
  const binary = log.request(undefined, { purpose: 'probe', method: 'GET' });
  log.head(binary, 200, 'application/octet-stream');
  log.chunk(binary, new Uint8Array([0, 255, 128, 10]));
  log.chunk(binary, new Uint8Array([0xc3]));
  log.chunk(binary, new Uint8Array([0xa9]));
  log.end(binary);
  log.add({
    kind: 'socket-opening',
    socketId: 's1',
    url: { text: 'ws://127.0.0.1:1/' },
    subprotocols: ['mcp'],
  });
  log.add({ kind: 'socket-open', socketId: 's1', subprotocol: 'mcp' });
  for (const data of [
    utf8.encode('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}'),
    new Uint8Array(),
    utf8.encode('\uFEFF\0'),
    new Uint8Array([0xff]),
  ]) {
    log.add({
      kind: 'socket-frame',
      socketId: 's1',
      direction: 'outgoing',
      opcode: 'text',
      data: { bytes: data },
    });
  }
  const cuts = [{ offset: 0, length: 4, secret: 'a91c', from: 0 }];
  log.add({ kind: 'session-assigned', session: '****', cuts, by: 'header' });
  log.add({ kind: 'reading-paused', carrierId: call, uncommittedBytes: 9 });
  log.restart('another life');
  log.connectionId = 'c2';
  log.call('"1"', 'ping');
  return log.events;
}

const someText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\uFEFF', '\0', '\ud800', '\r', '\r\n', '__proto__', '"', '\\', ']}'),
);
const someBytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  someText.map((text) => utf8.encode(text)),
);
const someCuts = fc.option(
  fc.array(
    fc.record({
      offset: fc.nat(9),
      length: fc.nat(9),
      secret: fc.constant('a91c'),
      from: fc.nat(3),
    }),
  ),
  { nil: undefined },
);
const someData = fc.record({ bytes: someBytes, cuts: someCuts }).map(({ bytes, cuts }) => ({
  bytes: Uint8Array.from(bytes),
  ...(cuts === undefined ? {} : { cuts }),
}));
const someId = fc.constantFrom('h1', 'h2', '__proto__', 'toString');

const someFact: fc.Arbitrary<WireFact> = fc.oneof(
  fc.record({
    kind: fc.constant('http-request' as const),
    httpId: fc.uuid(),
    purpose: fc.constantFrom('message' as const, 'stream' as const),
    method: fc.constantFrom('POST', 'GET'),
    url: fc.record({ text: fc.webUrl({ withFragments: true, withQueryParameters: true }) }),
    headers: fc.array(fc.record({ name: someText, value: someText })),
    body: someData,
    links: fc.constantFrom({}, { replayOf: 3 }, { retryOf: 'h1', attempt: 2, reason: '__proto__' }),
  }),
  fc.record({
    kind: fc.constant('http-chunk' as const),
    httpId: someId,
    offset: fc.nat(100),
    data: someData,
  }),
  fc.record({
    kind: fc.constant('sse-event' as const),
    httpId: someId,
    block: fc.record({ offset: fc.nat(50), length: fc.nat(50) }),
    data: fc.array(fc.record({ offset: fc.nat(50), length: fc.nat(50) })),
    id: someText,
  }),
  fc.record({
    kind: fc.constant('http-response' as const),
    httpId: someId,
    status: fc.nat(999),
    statusText: someText,
    headers: fc.constant<Header[]>([]),
  }),
  fc.record({
    kind: fc.constant('socket-opening' as const),
    socketId: someId,
    url: fc.record({ text: fc.webUrl() }),
    subprotocols: fc.array(someText),
  }),
  fc.record({
    kind: fc.constant('socket-frame' as const),
    socketId: someId,
    direction: fc.constantFrom('outgoing' as const, 'incoming' as const),
    opcode: fc.constantFrom('text' as const, 'binary' as const),
    data: someData,
  }),
  fc.record({
    kind: fc.constant('gap' as const),
    what: someText,
    why: someText,
    fromSequence: fc.nat(),
    toSequence: fc.nat(),
  }),
  fc.record({ kind: fc.constant('replay-started' as const), of: fc.nat() }),
);
const someEvents = fc
  .array(
    fc.tuple(
      someFact,
      fc.constantFrom('boot', 'another'),
      fc.option(fc.constantFrom('c1', 'c2')),
      someId,
    ),
  )
  .map((facts) => {
    const opened = {
      kind: 'http-request',
      purpose: 'message',
      method: 'POST',
      url: { text: 'http://a/' },
      headers: [],
      links: {},
    } satisfies Partial<WireFact>;
    const all: [WireFact, string, string | null][] = [
      [{ ...opened, httpId: 'h1' }, 'boot', 'c1'],
      [{ ...opened, httpId: '__proto__' }, 'boot', null],
      ...facts.map(([fact, bootId, connectionId]): [WireFact, string, string | null] => [
        fact,
        bootId,
        connectionId,
      ]),
    ];
    return all.map(([fact, bootId, connectionId], index) =>
      wireEvent(index + 7, fact, { bootId, ...(connectionId === null ? {} : { connectionId }) }),
    );
  });

describe('a HAR of our own', () => {
  test('gives the same log when it is read, and the same file when that is written', async () => {
    await expectRoundTrip(aLog());
  });

  test('does so for any log', async () => {
    await fc.assert(fc.asyncProperty(someEvents, expectRoundTrip));
  });

  test('holds exchanges in the words of HAR and of Chrome', async () => {
    const { log } = JSON.parse(await write(aLog()));
    expect(Object.keys(log)).toEqual(['version', 'creator', 'pages', '_mcp', 'entries']);
    expect(log._mcp.connections).toMatchObject([{ id: 'c1', url: 'http://127.0.0.1:3001/mcp' }]);
    expect(log.entries).toHaveLength(5);
    expect(log.entries[0]).toMatchObject({
      request: { method: 'POST', postData: { text: expect.stringContaining('"echo"') } },
      response: { status: 200, content: { mimeType: 'text/event-stream' } },
      _eventSourceMessages: [
        { eventName: 'message', eventId: '1', data: '{"jsonrpc":"2.0",\n"id":1,"result":{}}' },
      ],
    });
    expect(log.entries[1]._error).toBe('net::ERR_FAILED');
    expect(log.entries[2].response.content).toEqual({
      size: 6,
      mimeType: 'application/octet-stream',
      text: 'AP+ACsOp',
      encoding: 'base64',
    });
    expect(log.entries[3]._webSocketMessages[0]).toMatchObject({
      type: 'send',
      opcode: 1,
      data: expect.stringContaining('9007199254740993'),
    });
  });

  test('of a selection names how much it leaves out, and holds what belongs to it', async () => {
    const text = await write(aLog(), new Set(['c1-h1']));
    const { log } = JSON.parse(text);
    expect(log._mcp.selection).toEqual({ entries: 1, of: 5 });
    const { events } = await readHar(inChunks(text), { captureId: 'imported' });
    expect(new Set(events.flatMap((event) => ('httpId' in event ? [event.httpId] : [])))).toEqual(
      new Set(['c1-h1']),
    );
    expect(events[0]?.kind).toBe('connection-opened');
  });
});
