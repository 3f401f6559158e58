import { beforeEach, describe, expect, test } from 'vitest';
import type { Recorder } from '../../../../lib/capture/recorder.ts';
import type { EventOf, WireEvent } from '../../../../lib/capture/wire-event.ts';
import {
  ExchangeAbort,
  type ExchangeContext,
  type ExchangeRequest,
} from '../../../../lib/transport/exchange/exchange.ts';
import type { Authorizer } from '../../../../lib/transport/exchange/authorizer.ts';
import { openExchange } from '../../../../lib/transport/exchange/open-exchange.ts';
import { createSlots } from '../../../../lib/transport/exchange/slots.ts';
import { createSessionSieve } from '../../../../lib/transport/sieve/session-sieve.ts';
import { startRecorder, type TestRecorder } from '../../../support/builders.ts';
import {
  createScriptedDoor,
  EVENT_STREAM,
  type ScriptedDoor,
} from '../../../support/scripted-door.ts';

const URL_ASKED = 'http://127.0.0.1:3001/mcp';
let network: ScriptedDoor;
let log: TestRecorder;
let aborter: AbortController;

beforeEach(async () => {
  network = createScriptedDoor();
  log = await startRecorder();
  aborter = new AbortController();
});

function context(change: Partial<ExchangeContext> = {}): ExchangeContext {
  let count = 0;
  return {
    door: network.door,
    recorder: log.recorder,
    connectionId: 'c1',
    newHttpId: () => `h${(count += 1)}`,
    ...change,
  };
}

function open(change: Partial<ExchangeRequest> = {}, contextChange: Partial<ExchangeContext> = {}) {
  return openExchange(context(contextChange), {
    purpose: 'message',
    method: 'POST',
    url: URL_ASKED,
    headers: [{ name: 'X-A', value: '1' }],
    body: new TextEncoder().encode('{"id":1}'),
    signal: aborter.signal,
    ...change,
  });
}

async function events(): Promise<WireEvent[]> {
  await log.recorder.flushed();
  return log.batches.flatMap((batch) => batch.events);
}

async function kinds(): Promise<string[]> {
  return (await events()).map((event) => event.kind);
}

async function ends(): Promise<EventOf<'http-end'>['end'][]> {
  return (await events()).flatMap((event) => (event.kind === 'http-end' ? [event.end] : []));
}

const keepAll = () => undefined;

describe('an exchange', () => {
  test('is recorded in order: request, head, chunks with their offsets, end', async () => {
    const opening = open();
    const body = (await network.call(1)).head(200, { 'X-B': '2' });
    const exchange = await opening;
    const seen: [string, number][] = [];
    const reading = exchange.read((chunk, offset) => {
      seen.push([new TextDecoder().decode(chunk), offset]);
      return undefined;
    });
    body.write('abc');
    body.write('de');
    body.end();
    expect(await reading).toEqual({ outcome: 'complete', sizeBytes: 5 });
    expect(seen).toEqual([
      ['abc', 0],
      ['de', 3],
    ]);
    const all = await events();
    expect(all.map((event) => event.kind)).toEqual([
      'http-request',
      'http-response',
      'http-chunk',
      'http-chunk',
      'http-end',
    ]);
    expect(all.every((event) => event.connectionId === 'c1')).toBe(true);
    expect(all[0]).toMatchObject({ headers: [{ name: 'X-A', value: '1' }], method: 'POST' });
    expect(all[1]).toMatchObject({ status: 200, headers: [{ name: 'X-B', value: '2' }] });
    expect(all[3]).toMatchObject({ offset: 3 });
  });

  test('records a large piece in parts, each with bytes of its own', async () => {
    const opening = open();
    const body = (await network.call(1)).head(200);
    const exchange = await opening;
    const reading = exchange.read(keepAll);
    body.write('x'.repeat(600_000));
    body.end();
    await reading;
    const chunks = (await events()).filter((event) => event.kind === 'http-chunk');
    expect(chunks.map((chunk) => [chunk.offset, chunk.data.bytes.length])).toEqual([
      [0, 262_144],
      [262_144, 262_144],
      [524_288, 75_712],
    ]);
    for (const { data } of chunks) expect(data.bytes.buffer.byteLength).toBe(data.bytes.length);
  });

  test('ends where the reader says so, and keeps what came', async () => {
    const opening = open();
    const body = (await network.call(1)).head(200);
    const exchange = await opening;
    const reading = exchange.read((_chunk, offset) => (offset >= 3 ? 'limit' : undefined));
    body.write('abc');
    body.write('def');
    expect(await reading).toEqual({ outcome: 'aborted', cause: 'limit', sizeBytes: 6 });
    expect(await ends()).toEqual([{ outcome: 'aborted', cause: 'limit', sizeBytes: 6 }]);
  });

  test('may be ended from outside', async () => {
    const opening = open();
    (await network.call(1)).head(200);
    const exchange = await opening;
    const reading = exchange.read(keepAll);
    exchange.stop('not-needed');
    expect(await reading).toEqual({ outcome: 'aborted', cause: 'not-needed', sizeBytes: 0 });
  });

  test('lets the reader finish before the end is recorded', async () => {
    const opening = open();
    const body = (await network.call(1)).head(200);
    const exchange = await opening;
    const reading = exchange.read(keepAll, () => {
      const tail = { offset: 0, length: 3 };
      log.recorder.record({ kind: 'sse-discarded', httpId: exchange.httpId, tail }, 'c1');
    });
    body.write('abc');
    body.end();
    await reading;
    expect((await kinds()).slice(-2)).toEqual(['sse-discarded', 'http-end']);
  });

  test('that breaks names how', async () => {
    const opening = open();
    const body = (await network.call(1)).head(200);
    const exchange = await opening;
    const reading = exchange.read(keepAll);
    body.write('abc');
    body.break('ECONNRESET');
    // What was queued before the break is lost with it, in browsers too.
    expect(await reading).toMatchObject({ outcome: 'cut', errorName: 'ECONNRESET' });
  });

  test('without an answer rejects with the problem, which is recorded', async () => {
    const opening = open();
    const problem = { code: 'network-refused', message: 'Nothing there.' } as const;
    (await network.call(1)).fail(problem);
    await expect(opening).rejects.toMatchObject({ name: 'AppError', problem });
    expect(await ends()).toEqual([{ outcome: 'failed', problem }]);
  });

  test('without an answer gives its connection back', async () => {
    const slots = createSlots();
    const failing = Array.from({ length: 7 }, () => open({}, { slots }));
    for (let call = 1; call <= 7; call += 1) {
      (await network.call(call)).fail({ code: 'network-refused', message: 'No.' });
    }
    const settled = await Promise.allSettled(failing);
    expect(settled.map(({ status }) => status)).toEqual(Array(7).fill('rejected'));
  });

  test('has the credentials of its user before those of a login', async () => {
    const authorizer = {
      headers: () => [{ name: 'Authorization', value: 'Bearer ours' }],
    } as Partial<Authorizer> as Authorizer;
    const authorized = { authorizer };
    const theirs = [{ name: 'AUTHORIZATION', value: 'Bearer theirs' }];
    void open({}, authorized).catch(() => undefined);
    void open({ headers: theirs }, authorized).catch(() => undefined);
    const sent = [await network.call(1), await network.call(2)];
    const credentials = sent.map(({ call }) =>
      call.headers.flatMap(({ name, value }) => (/^authorization$/i.test(name) ? [value] : [])),
    );
    expect(credentials).toEqual([['Bearer ours'], ['Bearer theirs']]);
  });

  test('whose door throws something else is an internal failure, not a crash', async () => {
    const door = { ...network.door, send: () => Promise.reject(new TypeError('Failed to fetch')) };
    await expect(open({}, { door })).rejects.toMatchObject({
      problem: { code: 'internal', detail: 'TypeError: Failed to fetch' },
    });
    expect(await ends()).toMatchObject([{ outcome: 'failed', problem: { code: 'internal' } }]);
  });
});

describe('a signal', () => {
  const reason = () => new ExchangeAbort('user', { code: 'aborted', message: 'Stopped.' });

  test('that has fired already lets nothing out', async () => {
    aborter.abort(reason());
    await expect(open()).rejects.toMatchObject({ problem: { code: 'aborted' } });
    expect(network.calls).toHaveLength(0);
    expect(await ends()).toEqual([
      { outcome: 'aborted', cause: 'user', sizeBytes: 0, note: 'Stopped.' },
    ]);
  });

  test('ends the wait for the head', async () => {
    const opening = open();
    await network.call(1);
    aborter.abort(reason());
    await expect(opening).rejects.toBeInstanceOf(ExchangeAbort);
    expect(await ends()).toMatchObject([{ outcome: 'aborted', cause: 'user' }]);
  });

  test('ends the reading, and says why', async () => {
    const opening = open();
    const body = (await network.call(1)).head(200);
    const exchange = await opening;
    const read = Promise.withResolvers<void>();
    const reading = exchange.read(() => {
      read.resolve();
      return undefined;
    });
    body.write('abc');
    await read.promise;
    aborter.abort(new ExchangeAbort('deadline', { code: 'deadline', message: 'Late.' }));
    expect(await reading).toEqual({ outcome: 'aborted', cause: 'deadline', sizeBytes: 3 });
  });
});

describe('redirects', () => {
  test.each([307, 308])(
    'of %i to the same origin are followed with all that was sent',
    async (status) => {
      const started: string[] = [];
      const opening = open({ started: (httpId) => started.push(httpId), links: { replayOf: 9 } });
      (await network.call(1)).redirect(status, '/mcp/');
      const second = await network.call(2);
      expect(second.call).toMatchObject({ method: 'POST', url: `${URL_ASKED}/` });
      expect(second.header('x-a')).toBe('1');
      expect(second.message).toEqual({ id: 1 });
      second.answer(200, 'application/json', '{}');
      const exchange = await opening;
      expect(exchange.httpId).toBe('h2');
      expect(started).toEqual(['h1', 'h2']);
      const all = await events();
      expect(all.map((event) => event.kind)).toEqual([
        'http-request',
        'http-redirect',
        'http-response',
        'http-end',
        'http-request',
        'http-response',
      ]);
      expect(all[4]).toMatchObject({ links: { causedBy: 'h1', reason: 'redirect', replayOf: 9 } });
    },
  );

  test.each([
    [301, '/mcp/'],
    [302, '/mcp/'],
    [303, '/mcp/'],
    [307, 'http://127.0.0.1:3002/mcp'],
    [307, 'https://127.0.0.1:3001/mcp'],
    [308, 'http://localhost:3001/mcp'],
  ])('of %i to %s are not followed', async (status, location) => {
    const opening = open();
    (await network.call(1)).redirect(status, location);
    const exchange = await opening;
    expect(exchange.head.status).toBe(status);
    expect(exchange.redirect?.target).toBe(new URL(location, URL_ASKED).href);
    await exchange.read(keepAll);
    expect(network.calls).toHaveLength(1);
  });

  test('end after five hops', async () => {
    const opening = open();
    for (let hop = 1; hop <= 6; hop += 1) {
      (await network.call(hop)).redirect(307, `/hop-${hop}`);
    }
    const exchange = await opening;
    expect(exchange.redirect?.target).toContain('/hop-6');
    expect(network.calls).toHaveLength(6);
  });

  test('to somewhere that is no URL are not followed', async () => {
    const door = {
      ...network.door,
      send: () =>
        Promise.resolve({
          head: { status: 307, statusText: '', headers: [] },
          redirect: { location: 'http://[', target: 'http://[' },
          body: undefined,
        }),
    };
    const exchange = await open({}, { door });
    expect(exchange.redirect?.location).toBe('http://[');
  });
});

describe('more than can be stored', () => {
  /** A recorder with a backlog that is over the budget until it is flushed. */
  function swamped(): Pick<Recorder, 'record' | 'uncommittedBytes' | 'flushed'> {
    let backlog = 40 * 1024 * 1024;
    return {
      record: log.recorder.record,
      uncommittedBytes: () => backlog,
      flushed() {
        backlog = 0;
        return Promise.resolve();
      },
    };
  }

  test('brakes where that slows the server, and goes on', async () => {
    const opening = open({}, { recorder: swamped() });
    const body = (await network.call(1)).head(200);
    const exchange = await opening;
    const reading = exchange.read(keepAll);
    body.write('abc');
    body.end();
    expect(await reading).toEqual({ outcome: 'complete', sizeBytes: 3 });
    const all = await events();
    expect(all.map((event) => event.kind)).toContain('reading-resumed');
    expect(all.find((event) => event.kind === 'reading-paused')).toMatchObject({
      carrierId: 'h1',
      uncommittedBytes: 40 * 1024 * 1024,
    });
  });

  test('stops the stream where it does not', async () => {
    network = createScriptedDoor({ canBrake: false });
    const opening = open({}, { recorder: swamped() });
    const body = (await network.call(1)).head(200, EVENT_STREAM);
    const exchange = await opening;
    const reading = exchange.read(keepAll);
    body.write('abc');
    expect(await reading).toMatchObject({ outcome: 'aborted', cause: 'too-fast' });
    expect(await kinds()).not.toContain('reading-resumed');
  });
});

test('a chunk that holds more than can be stored is taken up to the limit where nothing brakes', async () => {
  network = createScriptedDoor({ canBrake: false });
  // A disk that takes nothing while the chunk is read.
  const busy = await startRecorder({ store: { append: () => new Promise(() => undefined) } });
  const opening = open({}, { recorder: busy.recorder });
  const body = (await network.call(1)).head(200, EVENT_STREAM);
  const exchange = await opening;
  const reading = exchange.read(keepAll);
  body.write('\n'.repeat(64 * 1024 * 1024));
  const end = await reading;
  expect(end).toMatchObject({ outcome: 'aborted', cause: 'too-fast' });
  expect('sizeBytes' in end && end.sizeBytes / (1024 * 1024)).toBeCloseTo(32, 2);
});

describe('a stream whose URLs hold session ids', () => {
  const chunkings = [
    ['event: endpoint\ndata: /messages?sessionId=abc123def456\n\n'],
    ['event: endpoint\ndata: /messages?sessionId=abc1', '23def456\n\n'],
    ['event: endpoint\ndata: /messages?sess', 'ionId=abc', '123def', '456\n', '\n'],
  ];

  test.each(chunkings.map((chunks) => [chunks]))(
    'is recorded once, without them: %j',
    async (chunks) => {
      const opening = open(
        { sieve: createSessionSieve },
        { keepSecret: (value) => void log.secrets.register(value) },
      );
      const body = (await network.call(1)).head(200, EVENT_STREAM);
      const exchange = await opening;
      let taken = '';
      const reading = exchange.read((chunk) => void (taken += new TextDecoder().decode(chunk)));
      for (const chunk of chunks) body.write(chunk);
      body.end();
      const whole = chunks.join('');
      expect(await reading).toEqual({ outcome: 'complete', sizeBytes: whole.length });
      expect(taken).toBe(whole);
      const stored = (await events())
        .filter((event) => event.kind === 'http-chunk')
        .map((event) => new TextDecoder().decode(event.data.bytes))
        .join('');
      expect(stored).toBe(whole.replace('abc123def456', '************'));
    },
  );
});
