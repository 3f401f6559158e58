import { describe, expect, test } from 'vitest';
import type { WireFact } from '../../../lib/capture/wire-event.ts';
import type { Exchange } from '../../../lib/transport/exchange/exchange.ts';
import { openExchange } from '../../../lib/transport/exchange/open-exchange.ts';
import { createSlots, type Slot, type Slots } from '../../../lib/transport/exchange/slots.ts';
import { plain, stream } from '../../server/scripted-behaviour.ts';
import { startScripted, type ScriptedServer } from '../../server/scripted.ts';
import { createNodeHttpDoor } from '../../support/node-http.ts';

const URL_A = 'http://127.0.0.1:3001/mcp';
const never = new AbortController().signal;

/** Takes a slot; says at once whether it had to wait for it. */
function take(slots: Slots, isStream: boolean, signal = never, url = URL_A) {
  let hasWaited = false;
  const slot = slots.take(url, isStream, signal, () => {
    hasWaited = true;
  });
  return { slot, hasWaited };
}

/** Whether a promise is settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const marker = Symbol('open');
  return (await Promise.race([promise, Promise.resolve(marker)])) !== marker;
}

async function fill(slots: Slots, count: number, isStream: boolean): Promise<Slot[]> {
  return Promise.all(Array.from({ length: count }, () => take(slots, isStream).slot));
}

describe('connections to one host', () => {
  test('no more than four streams are open, and messages still find a way', async () => {
    const slots = createSlots();
    const [first] = await fill(slots, 4, true);
    const fifth = take(slots, true);
    expect(fifth.hasWaited).toBe(true);
    const messages = [take(slots, false), take(slots, false)];
    expect(messages.map(({ hasWaited }) => hasWaited)).toEqual([false, false]);
    await Promise.all(messages.map(({ slot }) => slot));
    expect(take(slots, false).hasWaited).toBe(true);
    first!.release();
    // The message that waits goes before the stream that came first.
    expect(await isSettled(fifth.slot)).toBe(false);
  });

  test('messages go before streams, and each kind in order', async () => {
    const slots = createSlots();
    const held = await fill(slots, 6, false);
    const order: string[] = [];
    const queue = [
      ['stream 1', true],
      ['message 1', false],
      ['stream 2', true],
      ['message 2', false],
    ] as const;
    for (const [name, isStream] of queue) {
      void take(slots, isStream).slot.then(() => order.push(name));
    }
    for (const slot of held.slice(0, 4)) slot.release();
    await new Promise(setImmediate);
    expect(order).toEqual(['message 1', 'message 2', 'stream 1', 'stream 2']);
  });

  test('an answer that turns out to be a stream counts as one', async () => {
    const slots = createSlots();
    const held = await fill(slots, 4, false);
    for (const slot of held) slot.becomeStream();
    const waiting = take(slots, true);
    expect(waiting.hasWaited).toBe(true);
    held[0]!.release();
    held[0]!.release();
    await waiting.slot;
    expect(take(slots, true).hasWaited).toBe(true);
  });

  test('whoever stops waiting leaves the queue, and nothing is lost with him', async () => {
    const slots = createSlots();
    const held = await fill(slots, 6, false);
    const controller = new AbortController();
    const leaves = take(slots, false, controller.signal);
    const stays = take(slots, false);
    controller.abort(new Error('gone'));
    await expect(leaves.slot).rejects.toThrow('gone');
    held[0]!.release();
    await stays.slot;
    expect(take(slots, false).hasWaited).toBe(true);
  });

  test('whoever left before he came takes no place', async () => {
    const slots = createSlots();
    await fill(slots, 6, false);
    const gone = take(slots, false, AbortSignal.abort(new Error('gone')));
    await expect(gone.slot).rejects.toThrow('gone');
  });

  test('other hosts, and HTTP/2, do not wait', async () => {
    const slots = createSlots();
    await fill(slots, 6, false);
    expect(take(slots, false, never, 'http://127.0.0.1:3002/mcp').hasWaited).toBe(false);
    const waiting = take(slots, true);
    expect(waiting.hasWaited).toBe(true);
    slots.learn(URL_A, 'h2');
    await waiting.slot;
    expect(take(slots, true).hasWaited).toBe(false);
  });
});

describe('waiting is in the log', () => {
  function contextOf(slots: Slots, facts: WireFact[]) {
    let count = 0;
    return {
      door: createNodeHttpDoor(),
      recorder: {
        record(fact: WireFact) {
          facts.push(fact);
          return undefined as never;
        },
        uncommittedBytes: () => 0,
        flushed: () => Promise.resolve(),
      },
      connectionId: 'c1',
      newHttpId: () => `h${(count += 1)}`,
      slots,
    };
  }

  function get(server: ScriptedServer, context: ReturnType<typeof contextOf>, signal: AbortSignal) {
    return openExchange(context, {
      purpose: 'stream',
      method: 'GET',
      url: server.url(),
      headers: [],
      signal,
    });
  }

  function kindsOf(facts: WireFact[], httpId: string): string[] {
    return facts.flatMap((fact) => ('httpId' in fact && fact.httpId === httpId ? [fact.kind] : []));
  }

  test('a fifth stream is queued, and released when one of the four ends', async () => {
    await using server = await startScripted({ GET: stream([': open\n\n'], 'hang') });
    const facts: WireFact[] = [];
    const context = contextOf(createSlots(), facts);
    const stop = new AbortController();
    const four: Exchange[] = [];
    for (let nth = 0; nth < 4; nth += 1) four.push(await get(server, context, stop.signal));
    const readings = four.map((exchange) => exchange.read(() => undefined));
    const fifth = get(server, context, stop.signal);
    expect(kindsOf(facts, 'h5')).toEqual(['http-request', 'http-queued']);
    expect(server.of('GET')).toHaveLength(4);
    four[0]!.stop('user');
    const exchange = await fifth;
    expect(kindsOf(facts, 'h5').slice(0, 3)).toEqual([
      'http-request',
      'http-queued',
      'http-released',
    ]);
    expect(server.of('GET')).toHaveLength(5);
    stop.abort(new Error('over'));
    await Promise.all([...readings, exchange.read(() => undefined)]);
  });

  test('one that is given up while it waits is never sent, and its end is recorded', async () => {
    await using server = await startScripted({ GET: stream([], 'hang') });
    const facts: WireFact[] = [];
    const context = contextOf(createSlots(), facts);
    const stop = new AbortController();
    const four: Exchange[] = [];
    for (let nth = 0; nth < 4; nth += 1) four.push(await get(server, context, stop.signal));
    const readings = four.map((exchange) => exchange.read(() => undefined));
    const gone = new AbortController();
    const fifth = get(server, context, gone.signal);
    gone.abort(new Error('gone'));
    await expect(fifth).rejects.toThrow('Something inside Wirescope failed.');
    expect(kindsOf(facts, 'h5')).toEqual(['http-request', 'http-queued', 'http-end']);
    expect(server.of('GET')).toHaveLength(4);
    stop.abort(new Error('over'));
    await Promise.all(readings);
  });

  test('a refused GET gives its place back', async () => {
    await using server = await startScripted({ GET: plain(405) });
    const facts: WireFact[] = [];
    const context = contextOf(createSlots(), facts);
    for (let nth = 0; nth < 8; nth += 1) {
      const exchange = await get(server, context, never);
      await exchange.read(() => undefined);
    }
    expect(facts.filter(({ kind }) => kind === 'http-queued')).toEqual([]);
  });
});
