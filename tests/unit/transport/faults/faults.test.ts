import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createArmedFaults } from '../../../../lib/transport/faults/faults-armed.ts';
import { createFaultyBody, type FaultyBody } from '../../../../lib/transport/faults/faults-body.ts';
import {
  createEventScan,
  endsBetweenEvents,
} from '../../../../lib/transport/faults/faults-scan.ts';
import type { HttpCall } from '../../../../lib/transport/exchange/http-door.ts';
import { InjectedCut } from '../../../../lib/transport/injected.ts';

const utf8 = new TextEncoder();
const text = new TextDecoder();

describe('The end of the next event', () => {
  const EVENTS = [
    'data: a\n\n',
    'id: 1\r\ndata: b\r\n\r\n',
    'event: x\rdata: c\r\r',
    ': note\n\nretry: 5\n\ndata: d\n\n',
  ];

  test.each(EVENTS)('is found in %j however the bytes are cut', (event) => {
    const bytes = utf8.encode(`${event}data: next\n\n`);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 })), (sizes) => {
        // The LF of a last CRLF may come with the next piece, where it is an empty line.
        expect([event, event.slice(0, -1)]).toContain(upToEnd(bytes, sizes));
      }),
    );
  });

  /** What is let through of bytes that come in pieces of these sizes. */
  function upToEnd(bytes: Uint8Array, sizes: number[]): string {
    const scan = createEventScan(false);
    let at = 0;
    for (const size of [...sizes, bytes.length]) {
      const end = scan.endIn(bytes.subarray(at, at + size));
      if (end !== undefined) return text.decode(bytes.subarray(0, at + end));
      at += size;
    }
    return 'no end';
  }

  test('is the end of the one that has begun already', () => {
    expect(createEventScan(true).endIn(utf8.encode('\ndata: b\n\n'))).toBe(1);
    expect(createEventScan(false).endIn(utf8.encode('\ndata: b\n\n'))).toBe(10);
  });

  test.each<[string, boolean]>([
    ['', true],
    ['data: a\n\n', true],
    ['data: a\r\n\r\n', true],
    ['data: a\r\r', true],
    ['data: a\n', false],
    ['data: a\r\n', false],
    ['data: a', false],
  ])('%j leaves a stream between two events: %s', (bytes, expected) => {
    expect(endsBetweenEvents(utf8.encode(bytes))).toBe(expected);
  });
});

describe('A body with faults', () => {
  function bodyOf(...chunks: string[]) {
    const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(utf8.encode(chunk));
        controller.close();
      },
    });
    return stream.getReader();
  }

  interface Read {
    pieces: string[];
    struck: string[];
    overs: number;
    cut?: string;
  }

  async function readAll(
    chunks: string[],
    faults: { pieceBytes?: number; cutAfterBytes?: number },
    act?: (body: FaultyBody) => void,
  ): Promise<Read> {
    const read: Read = { pieces: [], struck: [], overs: 0 };
    const body = createFaultyBody(bodyOf(...chunks), {
      ...faults,
      struck: (kind) => void read.struck.push(kind),
      over: () => void (read.overs += 1),
      cut: (words) => new InjectedCut(words),
    });
    act?.(body);
    try {
      for (;;) {
        const { done, value } = await body.read();
        if (done) return read;
        read.pieces.push(text.decode(value));
      }
    } catch (error) {
      if (!(error instanceof InjectedCut)) throw error;
      return { ...read, cut: error.message };
    }
  }

  test('that has none is read as it comes', async () => {
    const read = await readAll(['ab', 'cd'], {});
    expect(read).toEqual({ pieces: ['ab', 'cd'], struck: [], overs: 1 });
  });

  test('is the same whatever the pieces, up to where it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.stringMatching(/^[a-z]{1,6}$/), { maxLength: 6 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 20 }),
        async (chunks, pieceBytes, cutAfterBytes) => {
          const whole = chunks.join('');
          const { pieces, cut, struck } = await readAll(chunks, { pieceBytes, cutAfterBytes });
          expect(pieces.join('')).toBe(whole.slice(0, cutAfterBytes));
          expect(pieces.every((piece) => piece.length <= pieceBytes)).toBe(true);
          expect(cut !== undefined).toBe(whole.length >= cutAfterBytes);
          expect(struck.includes('cut')).toBe(cut !== undefined);
        },
      ),
    );
  });

  test('is dropped behind the next event, and not where that was taken back', async () => {
    const chunks = ['data: a\n\ndata: b\n\n', 'data: c\n\n'];
    const read = await readAll(chunks, {}, (body) => body.dropAfterEvent(true));
    expect(read).toMatchObject({ pieces: ['data: a\n\n'], struck: ['drop'] });
    const kept = await readAll(chunks, {}, (body) => {
      body.dropAfterEvent(true);
      body.dropAfterEvent(false);
    });
    expect(kept).toMatchObject({ pieces: chunks, struck: [] });
  });
});

describe('What is armed', () => {
  const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const call = (method: HttpCall['method'], httpId = 'h1', body = PING): HttpCall => ({
    httpId,
    method,
    url: 'http://127.0.0.1:1/mcp',
    headers: [],
    ...(method === 'POST' ? { body: utf8.encode(body) } : {}),
    signal: new AbortController().signal,
  });

  test('is taken by the exchange that it is for, one of a kind, the oldest first', () => {
    const armed = createArmedFaults(() => undefined);
    armed.add({ kind: 'delay', delayMs: 1 }, 'exchange');
    armed.add({ kind: 'delay', delayMs: 2 }, 'exchange');
    armed.add({ kind: 'cut', afterBytes: 3 }, 'stream');
    expect(armed.take(call('DELETE'))).toEqual({});
    const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
    expect(armed.take(call('POST', 'h0', answer))).toEqual({});
    expect(armed.take(call('POST'))).toEqual({ delayMs: 1 });
    expect(armed.take(call('POST', 'h2'))).toEqual({ delayMs: 2 });
    expect(armed.take(call('GET', 'h3'))).toEqual({ cutAfterBytes: 3 });
  });

  test('waits for another exchange where it has not struck, and is gone where it has', () => {
    let changes = 0;
    const armed = createArmedFaults(() => (changes += 1));
    armed.add({ kind: 'cut', afterBytes: 3 }, 'exchange');
    armed.take(call('POST'));
    expect(armed.take(call('POST', 'h2'))).toEqual({});
    armed.release('h1');
    expect(armed.take(call('POST', 'h3'))).toEqual({ cutAfterBytes: 3 });
    expect(armed.strike('h3', 'delay')).toBeUndefined();
    expect(armed.strike('h3', 'cut')).toEqual({ kind: 'cut', afterBytes: 3 });
    expect(armed.list).toEqual([]);
    expect(changes).toBe(2);
  });

  test('on a carrier goes with it', () => {
    const armed = createArmedFaults(() => undefined);
    armed.add({ kind: 'drop', resume: 'last', afterEvent: true }, { carrierId: 'h1' });
    armed.release('h2');
    expect(armed.list).toHaveLength(1);
    armed.release('h1');
    expect(armed.list).toEqual([]);
  });
});
