import * as fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../../lib/errors.ts';
import type { EventOf, WireEvent } from '../../../../lib/capture/wire-event.ts';
import { note, startScripted } from './websocket-scripted.ts';

afterEach(() => {
  vi.useRealTimers();
});

const frames = (events: readonly WireEvent[], direction: 'outgoing' | 'incoming') =>
  events
    .filter((event): event is EventOf<'socket-frame'> => event.kind === 'socket-frame')
    .filter((event) => event.direction === direction)
    .map(({ data }) => new TextDecoder().decode(data.bytes));

const kinds = (events: readonly WireEvent[]) => events.map(({ kind }) => kind);

const valueOf = (text: string): unknown =>
  (JSON.parse(text) as { params: { value: unknown } }).params.value;

async function problemOf(work: Promise<unknown>) {
  try {
    await work;
  } catch (error) {
    if (error instanceof AppError) return error.problem;
    throw error;
  }
  throw new Error('it did not fail');
}

describe('opening', () => {
  test('asks for the subprotocol, with the headers and the Origin of the profile, and records both moments', async () => {
    const headers = [{ name: 'X-A', value: '1' }];
    const scripted = await startScripted({ headers: () => headers });
    const socket = await scripted.open();
    expect(socket.call).toEqual({
      socketId: 's1',
      url: 'ws://h/mcp',
      subprotocols: ['mcp'],
      headers,
      originPolicy: { kind: 'none' },
    });
    expect(scripted.events).toMatchObject([
      { kind: 'socket-opening', url: { text: 'ws://h/mcp' }, subprotocols: ['mcp'] },
      { kind: 'socket-open', socketId: 's1', subprotocol: 'mcp' },
    ]);
  });

  test('what the handshake could not be given is in the log', async () => {
    const scripted = await startScripted();
    const socket = await scripted.open();
    socket.observer.limited('No headers here.');
    expect(scripted.events.at(-1)).toMatchObject({
      kind: 'override-chosen',
      what: 'No headers here.',
    });
  });

  test('a socket that closes first rejects, after a GET that is recorded as a probe', async () => {
    const scripted = await startScripted();
    const opening = scripted.transport.open(new AbortController().signal);
    scripted.sockets[0]?.observer.close({ code: 1006, reason: '', clean: false });
    expect(await problemOf(opening)).toMatchObject({ code: 'socket-refused' });
    expect(kinds(scripted.events)).toEqual([
      'socket-opening',
      'socket-close',
      'http-request',
      'http-end',
    ]);
    expect(scripted.events[2]).toMatchObject({ purpose: 'probe', url: { text: 'http://h/mcp' } });
    expect(scripted.lost).toEqual([]);
  });

  test('an attempt that is given up closes its socket, and asks nothing', async () => {
    const scripted = await startScripted();
    const controller = new AbortController();
    const opening = scripted.transport.open(controller.signal);
    const reason = new AppError({ code: 'deadline', message: 'too late' });
    controller.abort(reason);
    await expect(opening).rejects.toBe(reason);
    expect(scripted.sockets[0]?.closes).toEqual([[1000, '']]);
    scripted.sockets[0]?.observer.close({ code: 1006, reason: '', clean: false });
    expect(kinds(scripted.events)).toEqual(['socket-opening', 'socket-close']);
    expect(scripted.events[1]).toMatchObject({ by: 'us' });
  });
});

describe('frames', () => {
  test('any texts, in any mixture of opcodes, are recorded and delivered in the order in which they came', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ value: fc.jsonValue(), isBinary: fc.boolean() }), { maxLength: 40 }),
        async (messages) => {
          const scripted = await startScripted({ limitBytes: 1e6 });
          const { observer } = await scripted.open();
          const texts = messages.map(({ value }) => note(value));
          for (const [index, { isBinary }] of messages.entries()) {
            const bytes = new TextEncoder().encode(texts[index]);
            observer.frame(isBinary ? 'binary' : 'text', bytes);
          }
          expect(frames(scripted.events, 'incoming')).toEqual(texts);
          const delivered = scripted.received.map(
            (payload) =>
              payload.kind === 'message' &&
              payload.message.kind === 'notification' &&
              payload.message.params,
          );
          expect(delivered).toEqual(texts.map((text) => ({ value: valueOf(text) })));
        },
      ),
    );
  });

  test('whatever the network takes and when, what is sent leaves in order, and only below the mark', async () => {
    vi.useFakeTimers();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 3 * 1024 * 1024 }), { minLength: 1, maxLength: 12 }),
        async (buffered) => {
          const scripted = await startScripted();
          const socket = await scripted.open();
          const sending = buffered.map((bytes, index) => {
            socket.bufferedBytes = bytes;
            return scripted.send(note(index));
          });
          await vi.advanceTimersByTimeAsync(100);
          const early = socket.sent.length;
          const firstWait = buffered.findIndex((bytes) => bytes > 1024 * 1024);
          const isStillFull = (buffered.at(-1) ?? 0) > 1024 * 1024;
          const isHeld = firstWait >= 0 && isStillFull;
          expect(early).toBe(isHeld ? firstWait : buffered.length);
          socket.bufferedBytes = 0;
          await vi.advanceTimersByTimeAsync(100);
          await Promise.all(sending);
          expect(socket.sent.map(valueOf)).toEqual(buffered.map((_, index) => index));
          expect(frames(scripted.events, 'outgoing')).toEqual(socket.sent);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('a wait is recorded when it begins and when it ends; one that is given up sends nothing', async () => {
    vi.useFakeTimers();
    const scripted = await startScripted();
    const socket = await scripted.open();
    socket.bufferedBytes = 2_000_000;
    const controller = new AbortController();
    const dropped = problemOf(scripted.send(note('dropped'), controller.signal));
    const kept = scripted.send(note('kept'));
    await vi.advanceTimersByTimeAsync(50);
    controller.abort(new AppError({ code: 'aborted', message: 'not needed' }));
    expect(await dropped).toMatchObject({ code: 'aborted' });
    socket.bufferedBytes = 10;
    await vi.advanceTimersByTimeAsync(50);
    await kept;
    expect(socket.sent.map(valueOf)).toEqual(['kept']);
    const waits = scripted.events.filter(({ kind }) => kind === 'socket-buffered');
    expect(waits).toMatchObject([
      { sizeBytes: 2_000_000 },
      { sizeBytes: 2_000_000 },
      { sizeBytes: 10 },
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a socket that ends takes what still waits with it', async () => {
    const scripted = await startScripted();
    const socket = await scripted.open();
    socket.bufferedBytes = 2_000_000;
    const waiting = problemOf(scripted.send(note(1)));
    socket.observer.close({ code: 1011, reason: 'oops', clean: true });
    expect((await waiting).message).toContain('1011 (internal error): “oops”');
    expect(await problemOf(scripted.send(note(2)))).toMatchObject({ code: 'not-connected' });
    expect(socket.sent).toEqual([]);
  });

  test('a secret in a frame is cut out of the log, and delivered whole', async () => {
    const scripted = await startScripted();
    scripted.secrets.register('s3cr3t-value');
    const socket = await scripted.open();
    socket.text(note('s3cr3t-value'));
    await scripted.send(note('s3cr3t-value'));
    expect(JSON.stringify(frames(scripted.events, 'incoming'))).not.toContain('s3cr3t');
    expect(JSON.stringify(frames(scripted.events, 'outgoing'))).not.toContain('s3cr3t');
    expect(JSON.stringify(scripted.received)).toContain('s3cr3t-value');
    expect(socket.sent[0]).toContain('s3cr3t-value');
  });
});

describe('bounds', () => {
  test('a frame of exactly the limit passes; one byte more closes the socket, and nothing after it is delivered', async () => {
    const bare = note('').length;
    const scripted = await startScripted({ limitBytes: 1000 });
    const socket = await scripted.open();
    socket.text(note('x'.repeat(1000 - bare)));
    expect(socket.closes).toEqual([]);
    socket.text(note('x'.repeat(1001 - bare)));
    expect(socket.closes).toEqual([[4009, 'body-limit']]);
    socket.text(note('late'));
    expect(scripted.received).toHaveLength(1);
    // What came is kept all the same.
    expect(frames(scripted.events, 'incoming')).toHaveLength(3);
    socket.observer.close({ code: 4009, reason: 'body-limit', clean: true });
    expect(scripted.lost).toMatchObject([{ problem: { code: 'body-limit' }, mayReconnect: false }]);
    expect(scripted.events.at(-1)).toMatchObject({ kind: 'socket-close', code: 4009, by: 'us' });
  });

  test('a server that is faster than the disk is stopped, and the log says so', async () => {
    const { promise: disk, resolve: store } = Promise.withResolvers<void>();
    const scripted = await startScripted({ limitBytes: 1e9 }, { store: { append: () => disk } });
    const socket = await scripted.open();
    const frame = new Uint8Array(4 * 1024 * 1024);
    for (let index = 0; index < 10; index += 1) socket.observer.frame('binary', frame);
    expect(socket.closes).toEqual([[4000, 'stream-too-fast']]);
    const paused = scripted.events.filter(({ kind }) => kind === 'reading-paused');
    expect(paused).toMatchObject([{ carrierId: 's1' }]);
    socket.observer.close({ code: 4000, reason: 'stream-too-fast', clean: true });
    expect(scripted.lost).toMatchObject([
      { problem: { code: 'stream-too-fast' }, mayReconnect: false },
    ]);
    store();
    await scripted.recorder.flushed();
  });
});

describe('the end', () => {
  test('our close is graceful: 1000, and it waits for the confirmation', async () => {
    const scripted = await startScripted();
    const socket = await scripted.open();
    let isOver = false;
    const closing = scripted.transport.close().then(() => (isOver = true));
    expect(socket.closes).toEqual([[1000, '']]);
    await Promise.resolve();
    expect(isOver).toBe(false);
    socket.observer.close({ code: 1000, reason: '', clean: true });
    await closing;
    expect(scripted.events.at(-1)).toMatchObject({ code: 1000, clean: true, by: 'us' });
    // What was asked for is no loss.
    expect(scripted.lost).toEqual([]);
  });

  test('without a confirmation it is over after 2 s, and a late one changes nothing', async () => {
    vi.useFakeTimers();
    const scripted = await startScripted();
    const socket = await scripted.open();
    const closing = scripted.transport.close();
    await vi.advanceTimersByTimeAsync(1999);
    expect(kinds(scripted.events)).not.toContain('socket-close');
    await vi.advanceTimersByTimeAsync(1);
    await closing;
    expect(socket.isDropped).toBe(true);
    socket.text(note('late'));
    socket.observer.close({ code: 1000, reason: '', clean: true });
    const ends = scripted.events.filter(({ kind }) => kind === 'socket-close');
    expect(ends).toMatchObject([{ code: 1006, clean: false, by: 'us' }]);
    expect(scripted.received).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    [1000, false, 'server', 'socket-ended'],
    [1001, true, 'server', 'socket-closed'],
    [1005, false, 'server', 'socket-ended'],
    [1006, true, 'network', 'socket-closed'],
    [1008, false, 'server', 'socket-closed'],
    [1011, true, 'server', 'socket-closed'],
    [1012, true, 'server', 'socket-closed'],
    [1013, true, 'server', 'socket-closed'],
    [4401, false, 'server', 'socket-closed'],
    [4999, false, 'server', 'socket-closed'],
  ])('a close with %d: opening again by itself is %s', async (code, mayReconnect, by, problem) => {
    const scripted = await startScripted();
    const { observer } = await scripted.open();
    observer.close({ code, reason: '', clean: code !== 1006 });
    expect(scripted.lost).toMatchObject([{ problem: { code: problem }, mayReconnect }]);
    expect(scripted.events.at(-1)).toMatchObject({ kind: 'socket-close', code, by });
  });

  test('after a loss a new socket can be opened, and the old one is not heard any more', async () => {
    const scripted = await startScripted();
    const first = await scripted.open();
    first.observer.close({ code: 1012, reason: '', clean: true });
    const second = await scripted.open();
    first.text(note('from the grave'));
    second.text(note('alive'));
    expect(scripted.received).toHaveLength(1);
    await scripted.send(note(1));
    expect(second.sent).toHaveLength(1);
    expect(second.call.socketId).not.toBe(first.call.socketId);
  });
});
