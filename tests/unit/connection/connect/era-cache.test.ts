import { expect, test } from 'vitest';
import {
  createEraCache,
  type EraStore,
  type KnownRung,
} from '../../../../lib/connection/connect/era-cache.ts';

const URL_A = 'http://127.0.0.1:3001/a';
const URL_B = 'http://127.0.0.1:3001/b';
const HOUR_MS = 60 * 60_000;

function start() {
  const disk = { known: {} as Record<string, KnownRung>, isBroken: false };
  const clock = { now: 1000 };
  const store: EraStore = {
    load: () =>
      disk.isBroken ? Promise.reject(new Error('no disk')) : Promise.resolve(disk.known),
    async save(known) {
      if (disk.isBroken) throw new Error('no disk');
      disk.known = known;
    },
  };
  return { disk, clock, cache: createEraCache(store, () => clock.now) };
}

test('a legacy verdict is known for an hour, for this endpoint only', async () => {
  const { cache, clock } = start();
  await cache.keep(URL_A, 'streamable-http');
  expect(await cache.recall(URL_A)).toEqual({ rung: 'streamable-http', since: 1000 });
  expect(await cache.recall(URL_B)).toBeUndefined();
  clock.now += HOUR_MS - 1;
  expect(await cache.recall(URL_A)).toBeDefined();
  clock.now += 1;
  expect(await cache.recall(URL_A)).toBeUndefined();
});

test('a legacy verdict from a time that has not come yet is none', async () => {
  const { cache, clock } = start();
  clock.now = 100 * HOUR_MS;
  await cache.keep(URL_A, 'streamable-http');
  // The clock was wrong, and is set right.
  clock.now = HOUR_MS;
  expect(await cache.recall(URL_A)).toBeUndefined();
});

test('a modern verdict does not expire', async () => {
  const { cache, clock } = start();
  await cache.keep(URL_A, 'modern');
  clock.now += 1000 * HOUR_MS;
  expect(await cache.recall(URL_A)).toMatchObject({ rung: 'modern' });
});

test('what is found later replaces it, and can be dropped', async () => {
  const { cache } = start();
  await cache.keep(URL_A, 'http-sse');
  await cache.keep(URL_A, 'modern');
  expect(await cache.recall(URL_A)).toMatchObject({ rung: 'modern' });
  await cache.drop(URL_A);
  expect(await cache.recall(URL_A)).toBeUndefined();
});

test('two verdicts at once are both kept', async () => {
  const { cache } = start();
  await Promise.all([cache.keep(URL_A, 'modern'), cache.keep(URL_B, 'http-sse')]);
  expect(await cache.recall(URL_A)).toMatchObject({ rung: 'modern' });
  expect(await cache.recall(URL_B)).toMatchObject({ rung: 'http-sse' });
});

test('secrets in a URL are no part of what is kept', async () => {
  const { cache, disk } = start();
  await cache.keep(`${URL_A}?token=hush&x=1`, 'modern');
  expect(JSON.stringify(disk.known)).not.toContain('hush');
  expect(await cache.recall(`${URL_A}?token=other&x=1`)).toMatchObject({ rung: 'modern' });
});

test('a store that fails knows nothing, and breaks nothing', async () => {
  const { cache, disk } = start();
  disk.isBroken = true;
  await cache.keep(URL_A, 'modern');
  expect(await cache.recall(URL_A)).toBeUndefined();
  disk.isBroken = false;
  await cache.keep(URL_A, 'http-sse');
  expect(await cache.recall(URL_A)).toMatchObject({ rung: 'http-sse' });
});

test('the oldest verdicts make room for new ones', async () => {
  const { cache, clock, disk } = start();
  for (let count = 0; count <= 200; count += 1) {
    clock.now += 1;
    await cache.keep(`${URL_A}/${count}`, 'modern');
  }
  expect(Object.keys(disk.known)).toHaveLength(200);
  expect(await cache.recall(`${URL_A}/0`)).toBeUndefined();
  expect(await cache.recall(`${URL_A}/1`)).toBeDefined();
});
