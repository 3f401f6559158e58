import { beforeEach, expect, test, vi } from 'vitest';

const fake = vi.hoisted(() => ({ browser: {} as Record<string, unknown> }));
vi.mock('wxt/browser', () => fake);

const { putUpdatesOff } = await import('../../../lib/browser/worker/update.ts');

let memory: Record<string, unknown>;
let offer: (details: { version: string }) => void;
const reload = vi.fn<() => void>();

beforeEach(() => {
  memory = {};
  reload.mockClear();
  vi.stubEnv('FIREFOX', 'true');
  Object.assign(fake.browser, {
    storage: {
      session: {
        get: async () => ({ ...memory }),
        set: async (values: object) => void Object.assign(memory, values),
      },
    },
    runtime: {
      onUpdateAvailable: { addListener: (listener: typeof offer) => (offer = listener) },
      reload,
    },
  });
  return () => vi.unstubAllEnvs();
});

/** A life of the worker in which pages are open or not. */
function live(isAlone: boolean) {
  const state = { isAlone };
  return { state, updates: putUpdatesOff(() => state.isAlone) };
}

/** Lets all that was begun come to its end. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

test('where nothing goes on, an update is put in place when it comes', async () => {
  live(true).updates?.setBusy(false);
  offer({ version: '0.2.0' });
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test('while a connection is open it waits, and is put in place after the last one', async () => {
  const { updates } = live(true);
  updates?.setBusy(true);
  offer({ version: '0.2.0' });
  await settled();
  expect(memory).toEqual({ update: '0.2.0' });
  expect(reload).not.toHaveBeenCalled();
  updates?.setBusy(false);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test('while a page is open it waits, and is put in place after the last one', async () => {
  const { state, updates } = live(false);
  updates?.setBusy(false);
  offer({ version: '0.2.0' });
  await settled();
  expect(reload).not.toHaveBeenCalled();
  state.isAlone = true;
  updates?.apply();
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test('a later life of the worker knows of it, once it knows what goes on', async () => {
  memory = { update: '0.2.0' };
  const { updates } = live(true);
  updates?.apply();
  await settled();
  expect(reload).not.toHaveBeenCalled();
  updates?.setBusy(false);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test('what begins while it is looked up holds it off', async () => {
  memory = { update: '0.2.0' };
  const { updates } = live(true);
  updates?.setBusy(false);
  updates?.setBusy(true);
  await settled();
  expect(reload).not.toHaveBeenCalled();
});

test('without an update nothing is reloaded', async () => {
  live(true).updates?.setBusy(false);
  await settled();
  expect(reload).not.toHaveBeenCalled();
});

test('in Chrome it is remembered, and left to the browser', async () => {
  vi.stubEnv('FIREFOX', '');
  expect(live(true).updates).toBeUndefined();
  offer({ version: '0.2.0' });
  await settled();
  expect(memory).toEqual({ update: '0.2.0' });
  expect(reload).not.toHaveBeenCalled();
});
