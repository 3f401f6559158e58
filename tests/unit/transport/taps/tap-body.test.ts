import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BodyReader } from '../../../../lib/transport/exchange/http-door.ts';
import { createFaultyBody, type FaultyBody } from '../../../../lib/transport/faults/faults-body.ts';
import { InjectedCut } from '../../../../lib/transport/injected.ts';
import { tapBody, type BodyTap } from '../../../../lib/transport/taps/tap-body.ts';

const utf8 = new TextEncoder();
const text = new TextDecoder();

/** A body that is open, and what hands bytes to it. */
function openBody() {
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>(
    undefined,
    { highWaterMark: 100 },
    { highWaterMark: 100 },
  );
  let overs = 0;
  const tapped = tapBody(readable.getReader(), () => (overs += 1));
  return { ...tapped, writer: writable.getWriter(), overs: () => overs };
}

function putInto(tap: BodyTap, faults: { pieceBytes?: number } = {}): FaultyBody {
  return tap.interpose((source) =>
    createFaultyBody(
      source,
      {
        ...faults,
        struck: () => undefined,
        over: () => undefined,
        cut: (words) => new InjectedCut(words),
      },
      tap.tail,
    ),
  );
}

async function readOne(reader: BodyReader): Promise<string | undefined> {
  const { done, value } = await reader.read();
  return done ? undefined : text.decode(value);
}

test('A body into which something is put at any time loses no byte', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 6 }),
      fc.nat({ max: 6 }),
      fc.boolean(),
      async (chunks, at, isReading) => {
        const { reader, tap, writer } = openBody();
        const pieces: (string | undefined)[] = [];
        for (const [index, chunk] of chunks.entries()) {
          const early = isReading ? readOne(reader) : undefined;
          if (index === at) putInto(tap, { pieceBytes: 4 });
          await writer.write(utf8.encode(chunk));
          pieces.push(await (early ?? readOne(reader)));
        }
        await writer.close();
        for (let piece = await readOne(reader); piece !== undefined; piece = await readOne(reader))
          pieces.push(piece);
        expect(pieces.join('')).toBe(chunks.join(''));
      },
    ),
  );
});

test('A body that is dropped while a read waits ends that read', async () => {
  const { reader, tap } = openBody();
  const waiting = reader.read();
  putInto(tap).drop();
  await expect(waiting).rejects.toBeInstanceOf(InjectedCut);
  await expect(reader.read()).rejects.toBeInstanceOf(InjectedCut);
});

test('A body that breaks by itself says why, whether something was put into it or not', async () => {
  for (const isFaulty of [false, true]) {
    const { reader, tap, writer } = openBody();
    const waiting = reader.read();
    if (isFaulty) putInto(tap);
    const reason = new Error('reset');
    writer.abort(reason).catch(() => undefined);
    await expect(waiting).rejects.toBe(reason);
  }
});

test.each([
  ['data: a\n\n', 'data: b\n\n'],
  ['data: a\n', '\n'],
])('Behind %j, the next event ends where it ends', async (came, next) => {
  const { reader, tap, writer } = openBody();
  await writer.write(utf8.encode(came));
  expect(await readOne(reader)).toBe(came);
  putInto(tap).dropAfterEvent(true);
  await writer.write(utf8.encode(`${next}data: c\n\n`));
  expect(await readOne(reader)).toBe(next);
  await expect(reader.read()).rejects.toBeInstanceOf(InjectedCut);
});

test('A body is over at its end, when it is given up, and when it breaks', async () => {
  const ended = openBody();
  await ended.writer.close();
  expect(await readOne(ended.reader)).toBeUndefined();
  expect(ended.overs()).toBe(1);
  const givenUp = openBody();
  await givenUp.reader.cancel();
  expect(givenUp.overs()).toBe(1);
  const broken = openBody();
  broken.writer.abort(new Error('reset')).catch(() => undefined);
  await expect(broken.reader.read()).rejects.toThrow('reset');
  expect(broken.overs()).toBe(1);
});
