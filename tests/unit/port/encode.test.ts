import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventOf, WireEvent } from '../../../lib/capture/wire-event.ts';
import { decodeEvents, encodeEvents } from '../../../lib/port/encode.ts';
import { wireEvent } from '../../support/builders.ts';

function chunk(bytes: Uint8Array): WireEvent {
  const data = { bytes, cuts: [{ offset: 0, length: 1, secret: 'a91c', from: 2 }] };
  return wireEvent(1, { kind: 'http-chunk', httpId: 'h1', offset: 7, data });
}

function roundTrip(events: WireEvent[]): WireEvent[] {
  // What the port itself does in Chrome.
  return decodeEvents(JSON.parse(JSON.stringify(encodeEvents(events))) as string);
}

const utf8Bytes = fc.string({ unit: 'binary' }).map((text) => new TextEncoder().encode(text));

describe('events over a port', () => {
  test('keep any bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.uint8Array({ maxLength: 300 }), utf8Bytes)), (all) => {
        const events = all.map(chunk);
        const decoded = roundTrip(events);
        expect(decoded).toEqual(events);
        for (const event of decoded) {
          expect((event as EventOf<'http-chunk'>).data.bytes).toBeInstanceOf(Uint8Array);
        }
      }),
    );
  });

  test.each([
    ['a byte order mark', [0xef, 0xbb, 0xbf, 0x7b, 0x7d]],
    ['two byte order marks', [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf]],
    ['the beginning of a character', [0x61, 0xe2, 0x82]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['an overlong form', [0xc0, 0x80]],
    ['bytes that are never UTF-8', [0xff, 0xfe, 0x00]],
    ['NUL and line separators', [0x00, 0xe2, 0x80, 0xa8]],
    ['nothing', []],
  ])('keep %s', (_what, bytes) => {
    expect(roundTrip([chunk(Uint8Array.from(bytes))])).toEqual([chunk(Uint8Array.from(bytes))]);
  });

  test('keep a megabyte that is not text', () => {
    const bytes = Uint8Array.from({ length: 1024 * 1024 }, (_, index) => (index * 7) % 256);
    expect(roundTrip([chunk(bytes)])).toEqual([chunk(bytes)]);
  });

  test('keep a request body and a frame, and events without bytes', () => {
    const bytes = Uint8Array.of(1, 2, 0x80);
    const events = [
      wireEvent(1, {
        kind: 'http-request',
        httpId: 'h1',
        purpose: 'message',
        method: 'POST',
        url: { text: 'http://h/' },
        headers: [{ name: 'bytes', value: 'bytes' }],
        body: { bytes },
        links: {},
      }),
      wireEvent(2, {
        kind: 'socket-frame',
        socketId: 's1',
        direction: 'incoming',
        opcode: 'binary',
        data: { bytes },
      }),
      wireEvent(3, { kind: 'session-ended', cause: 'lone \ud800 surrogate' }),
    ];
    expect(roundTrip(events)).toEqual(events);
  });

  test('travel as readable text where they are text', () => {
    expect(encodeEvents([chunk(new TextEncoder().encode('grüezi'))])).toContain('"grüezi"');
  });
});
