import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createEraCache,
  type EraCache,
  type KnownRung,
} from '../../../../lib/connection/connect/era-cache.ts';
import { climb, DISCOVERED, ENDPOINT, refuse, shakeHands, shakeHandsOnStream } from './climber.ts';

/** What earlier connections have found, as it is on disk. */
let known: Record<string, KnownRung>;
let eras: EraCache;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  known = {};
  eras = createEraCache(
    { load: () => Promise.resolve(known), save: async (all) => void (known = all) },
    Date.now,
  );
});

afterEach(() => {
  vi.useRealTimers();
});

test('what was found is kept by its endpoint', async () => {
  const climber = await climb({}, eras);
  (await climber.network.next('server/discover')).answer(404);
  await shakeHands(climber);
  await climber.opened;
  await vi.waitFor(() => expect(known).toMatchObject({ [ENDPOINT]: { rung: 'streamable-http' } }));
});

test.each([
  ['streamable-http', ['modern skipped', 'streamable-http chosen'], shakeHands],
  [
    'http-sse',
    ['modern skipped', 'streamable-http skipped', 'http-sse chosen'],
    shakeHandsOnStream,
  ],
] as const)('known as %s: nothing above it is tried', async (rung, rungs, answer) => {
  await eras.keep(ENDPOINT, rung);
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  const climber = await climb({}, eras);
  await answer(climber);
  await climber.opened;
  expect(climber.sent()).not.toContain('server/discover');
  expect(await climber.rungs()).toEqual(rungs);
  const [skipped] = await climber.facts('rung-judged');
  expect(skipped).toMatchObject({ reason: expect.stringContaining('5 min'), evidence: [] });
});

test.each([503, 429])(
  'what was found below a probe that proved nothing (%i) is not kept',
  async (status) => {
    const climber = await climb({}, eras);
    (await climber.network.next('server/discover')).answer(status);
    await shakeHands(climber);
    await climber.opened;
    await eras.recall(ENDPOINT);
    expect(known).toEqual({});
  },
);

test('what was found an hour ago is asked again', async () => {
  await eras.keep(ENDPOINT, 'streamable-http');
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  const climber = await climb({}, eras);
  (await climber.network.next('server/discover')).result(DISCOVERED);
  await climber.opened;
  await vi.waitFor(() => expect(known).toMatchObject({ [ENDPOINT]: { rung: 'modern' } }));
});

test('what is known as modern is proven again by the one exchange that it takes', async () => {
  await eras.keep(ENDPOINT, 'modern');
  const climber = await climb({}, eras);
  (await climber.network.next('server/discover')).answer(404);
  await shakeHands(climber);
  await climber.opened;
  await vi.waitFor(() => expect(known).toMatchObject({ [ENDPOINT]: { rung: 'streamable-http' } }));
});

test('what is known does not count where the user wants to know it anew', async () => {
  await eras.keep(ENDPOINT, 'http-sse');
  const climber = await climb({ probeAgain: true }, eras);
  (await climber.network.next('server/discover')).result(DISCOVERED);
  await climber.opened;
  expect(await climber.rungs()).toEqual(['modern chosen']);
  await vi.waitFor(() => expect(known).toMatchObject({ [ENDPOINT]: { rung: 'modern' } }));
});

test('what is no longer so: from the top, and the new verdict replaces it', async () => {
  await eras.keep(ENDPOINT, 'streamable-http');
  const climber = await climb({}, eras);
  refuse(await climber.network.next('initialize'), 400, -32020);
  (await climber.network.next('server/discover')).result(DISCOVERED);
  await climber.opened;
  expect(await climber.rungs()).toEqual([
    'modern skipped',
    'streamable-http failed',
    'modern chosen',
  ]);
  await vi.waitFor(() => expect(known).toMatchObject({ [ENDPOINT]: { rung: 'modern' } }));
});

test('what leads nowhere now is forgotten', async () => {
  await eras.keep(ENDPOINT, 'streamable-http');
  const climber = await climb({}, eras);
  const problem = { code: 'network-refused', message: 'nobody there' } as const;
  (await climber.network.next('initialize')).fail(problem);
  await climber.opened;
  // No answer says nothing of the era, so nothing else is tried.
  expect(climber.sent()).toEqual(['initialize']);
  expect(climber.connection.summary).toMatchObject({ problem });
  await vi.waitFor(() => expect(known).toEqual({}));
});

test.each(['auth-closed', 'permission-denied'] as const)(
  'nobody is asked for access a second time by another rung: %s',
  async (code) => {
    await eras.keep(ENDPOINT, 'streamable-http');
    const climber = await climb({}, eras);
    const problem = { code, message: 'The user has left.', answer: { status: 401 } };
    (await climber.network.next('initialize')).fail(problem);
    await climber.opened;
    expect(climber.sent()).toEqual(['initialize']);
    expect(climber.connection.summary).toMatchObject({ state: 'failed', problem });
  },
);

test('what is known does not matter where a rung is forced, nor is that kept', async () => {
  await eras.keep(ENDPOINT, 'http-sse');
  const before = known;
  const climber = await climb({ transport: 'modern' }, eras);
  (await climber.network.next('server/discover')).result(DISCOVERED);
  await climber.opened;
  expect(climber.connection.summary.era).toBe('modern');
  expect(known).toEqual(before);
});
