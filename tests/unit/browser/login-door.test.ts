import { beforeEach, expect, test, vi } from 'vitest';

/** An event of the browser's API. */
function createEvent<Listener extends (...given: never[]) => unknown>() {
  const listeners = new Set<Listener>();
  return {
    addListener: (listener: Listener) => void listeners.add(listener),
    removeListener: (listener: Listener) => void listeners.delete(listener),
    fire: (...given: Parameters<Listener>) => {
      for (const listener of [...listeners]) listener(...given);
    },
    get size() {
      return listeners.size;
    },
  };
}

/** As much of a browser as a login needs; one flow at a time, as Chrome has it. */
const fake = vi.hoisted(() => ({ browser: {} as Record<string, unknown> }));
vi.mock('wxt/browser', () => fake);

const { createLoginDoor } = await import('../../../lib/browser/worker/login-door.ts');

const PAGE = 'https://as.example/authorize?state=s';
const OWN = 'https://id.chromiumapp.org/';
const LOOPBACK = 'http://127.0.0.1:38917/callback';

let memory: Record<string, unknown>;
let flows: { url: string; end: PromiseWithResolvers<string> }[];
let removed: string[];
const created = createEvent<(window: { id: number; type: string }) => void>();
const tabRemoved = createEvent<(id: number) => void>();
const requested = createEvent<(details: { url: string }) => void>();

beforeEach(() => {
  memory = {};
  flows = [];
  removed = [];
  Object.assign(fake.browser, {
    identity: {
      getRedirectURL: () => OWN,
      launchWebAuthFlow({ url }: { url: string }) {
        if (flows.length > 0) {
          return Promise.reject(new Error('Only one web auth flow is allowed at a time.'));
        }
        const flow = { url, end: Promise.withResolvers<string>() };
        flows.push(flow);
        created.fire({ id: 7, type: 'popup' });
        return flow.end.promise.finally(() => flows.pop());
      },
    },
    windows: {
      onCreated: created,
      remove(id: number) {
        removed.push(`window ${id}`);
        flows[0]?.end.reject(new Error('The user did not approve access.'));
        return Promise.resolve();
      },
    },
    tabs: {
      onRemoved: tabRemoved,
      create: () => Promise.resolve({ id: 3 }),
      remove(id: number) {
        removed.push(`tab ${id}`);
        return Promise.resolve();
      },
    },
    webRequest: { onBeforeRequest: requested },
    storage: {
      session: {
        get: (key: string) => Promise.resolve(key in memory ? { [key]: memory[key] } : {}),
        set: (values: object) => Promise.resolve(void Object.assign(memory, values)),
        remove: (key: string) => Promise.resolve(void delete memory[key]),
      },
    },
  });
});

const opened = () => vi.waitFor(() => expect(flows).toHaveLength(1));
const stay = () => new AbortController().signal;

test('a window that the browser watches resolves with the redirect, and leaves nothing behind', async () => {
  const answer = createLoginDoor().open(PAGE, OWN, stay());
  await opened();
  expect(memory).toEqual({ loginPlace: { windowId: 7 } });
  flows[0]?.end.resolve(`${OWN}?code=c`);
  expect(await answer).toBe(`${OWN}?code=c`);
  expect([memory, removed, created.size]).toEqual([{}, [], 0]);
});

test.each(['The user did not approve access.', 'User cancelled or denied access.'])(
  'a window that the user closes is no error: %s',
  async (words) => {
    const answer = createLoginDoor().open(PAGE, OWN, stay());
    await opened();
    flows[0]?.end.reject(new Error(words));
    expect(await answer).toBeUndefined();
  },
);

test('a page that cannot be shown is one, in the words of the browser', async () => {
  const answer = createLoginDoor().open(PAGE, OWN, stay());
  await opened();
  flows[0]?.end.reject(new Error('Authorization page could not be loaded.'));
  await expect(answer).rejects.toMatchObject({
    problem: { code: 'network-failed', detail: 'Authorization page could not be loaded.' },
  });
});

test('a second login waits for the first one', async () => {
  const door = createLoginDoor();
  const first = door.open(PAGE, OWN, stay());
  const second = door.open(`${PAGE}2`, OWN, stay());
  await opened();
  expect(flows[0]?.url).toBe(PAGE);
  flows[0]?.end.resolve(`${OWN}?first`);
  expect(await first).toBe(`${OWN}?first`);
  await opened();
  expect(flows[0]?.url).toBe(`${PAGE}2`);
  flows[0]?.end.resolve(`${OWN}?second`);
  expect(await second).toBe(`${OWN}?second`);
});

test('one that is given up closes its window; one that waits never opens any', async () => {
  const door = createLoginDoor();
  const [first, second] = [new AbortController(), new AbortController()];
  const answers = [door.open(PAGE, OWN, first.signal), door.open(PAGE, OWN, second.signal)];
  await opened();
  second.abort();
  first.abort();
  expect(await Promise.all(answers)).toEqual([undefined, undefined]);
  expect([removed, flows]).toEqual([['window 7'], []]);
});

test('the window of an earlier life of the worker is closed first', async () => {
  memory = { loginPlace: { windowId: 7 } };
  const earlier = createLoginDoor().open(PAGE, OWN, stay());
  await opened();
  expect(removed).toEqual(['window 7']);
  flows[0]?.end.resolve(OWN);
  await earlier;
});

test('a tab resolves with the request to ourselves, which is never answered, and is closed', async () => {
  const door = createLoginDoor();
  expect([door.isWatched(LOOPBACK), door.isWatched(OWN)]).toEqual([true, false]);
  const answer = door.open(PAGE, LOOPBACK, stay());
  await vi.waitFor(() => expect(requested.size).toBe(1));
  requested.fire({ url: `${LOOPBACK}?code=c` });
  expect(await answer).toBe(`${LOOPBACK}?code=c`);
  expect([removed, requested.size, tabRemoved.size, memory]).toEqual([['tab 3'], 0, 0, {}]);
});

test('a tab that the user closes, or that is given up, resolves with nothing', async () => {
  const closed = createLoginDoor().open(PAGE, LOOPBACK, stay());
  await vi.waitFor(() => expect(tabRemoved.size).toBe(1));
  tabRemoved.fire(4);
  tabRemoved.fire(3);
  expect(await closed).toBeUndefined();
  const { signal, abort } = (() => {
    const controller = new AbortController();
    return { signal: controller.signal, abort: () => controller.abort() };
  })();
  const givenUp = createLoginDoor().open(PAGE, LOOPBACK, signal);
  await vi.waitFor(() => expect(tabRemoved.size).toBe(1));
  abort();
  expect(await givenUp).toBeUndefined();
});

test('redirects are told for clients that are registered by hand', async () => {
  const door = createLoginDoor();
  expect(await door.redirectUri(undefined)).toBe(OWN);
  expect(await door.redirectUri('loopback')).toBe(LOOPBACK);
});
