import { expect, test } from 'vitest';
import { createSlots, type Slot } from '../../../../lib/transport/exchange/slots.ts';

const URL_ASKED = 'http://127.0.0.1:3001/mcp';
const { signal } = new AbortController();

/** Takes connections; names those that are had, and those that wait. */
function start() {
  const slots = createSlots();
  const held = new Map<string, Slot>();
  const waiting: string[] = [];
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    slots,
    waiting,
    held,
    async take(names: readonly string[], isStream: boolean, until = signal) {
      for (const name of names) {
        void slots
          .take(URL_ASKED, isStream, until, () => waiting.push(name))
          .then(
            (slot) => held.set(name, slot),
            () => waiting.push(`${name} left`),
          );
      }
      await settled();
    },
    async release(name: string) {
      held.get(name)?.release();
      held.delete(name);
      await settled();
    },
    names: () => [...held.keys()].join(' '),
  };
}

test('streams take four connections, messages all six, and what waits comes in its turn', async () => {
  const { take, release, waiting, names } = start();
  await take(['s1', 's2', 's3', 's4', 's5'], true);
  expect([names(), waiting]).toEqual(['s1 s2 s3 s4', ['s5']]);
  await take(['m1', 'm2', 'm3'], false);
  expect([names(), waiting]).toEqual(['s1 s2 s3 s4 m1 m2', ['s5', 'm3']]);
  // Messages go before streams that have waited for longer.
  await release('s1');
  expect(names()).toBe('s2 s3 s4 m1 m2 m3');
  await release('m1');
  expect(names()).toBe('s2 s3 s4 m2 m3 s5');
});

test('an answer that turns out to be a stream counts as one', async () => {
  const { take, held, waiting } = start();
  await take(['m1'], false);
  held.get('m1')?.becomeStream();
  await take(['s1', 's2', 's3', 's4'], true);
  expect(waiting).toEqual(['s4']);
});

test('a connection is given back once, however often that is said', async () => {
  const { take, held, waiting } = start();
  await take(['m1', 'm2', 'm3', 'm4', 'm5', 'm6'], false);
  held.get('m1')?.release();
  held.get('m1')?.release();
  await take(['m7', 'm8'], false);
  expect(waiting).toEqual(['m8']);
});

test('what gives up waiting leaves the queue', async () => {
  const { take, release, waiting, names } = start();
  await take(['s1', 's2', 's3', 's4'], true);
  const impatient = new AbortController();
  await take(['s5'], true, impatient.signal);
  await take(['s6'], true);
  impatient.abort();
  await release('s1');
  expect(waiting).toEqual(['s5', 's6', 's5 left']);
  expect(names()).toBe('s2 s3 s4 s6');
});

test('what gives up once it has its connection takes nobody else out of the queue', async () => {
  const { take, release, names } = start();
  await take(['s1', 's2', 's3', 's4'], true);
  const late = new AbortController();
  await take(['s5'], true, late.signal);
  await release('s1');
  await take(['s6'], true);
  late.abort();
  await release('s2');
  expect(names()).toBe('s3 s4 s5 s6');
});

test.each(['h2', 'h3'])(
  'over %s there is no limit, and what waits goes at once',
  async (protocol) => {
    const { slots, take, names } = start();
    await take(['s1', 's2', 's3', 's4', 's5', 's6', 's7'], true);
    slots.learn(URL_ASKED, protocol);
    await take([], true);
    expect(names()).toBe('s1 s2 s3 s4 s5 s6 s7');
  },
);
