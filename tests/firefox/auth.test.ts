import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_CONNECT } from '../../lib/port/contract.ts';
import { walks } from '../journeys.ts';
import { DOCUMENT_URL, startOidc, type Oidc } from '../server/oidc.ts';
import { findTexts } from '../support/profile-scan.ts';
import { ConsentWindow } from './consent-window.ts';
import type { Firefox } from './firefox.ts';
import type { Page } from './page.ts';
import { startPanelTab } from './panel-tab.ts';
import { answerPrompt, readErrors, stopBackground } from './privileged.ts';

let oidc: Oidc;
let firefox: Firefox;
let page: Page;

// One login after the other: the browser keeps what it was allowed, and the servers who is logged in.
beforeAll(async () => {
  oidc = await startOidc({ takesDocuments: true });
  ({ firefox, page } = await startPanelTab());
});

afterAll(async () => {
  await firefox?.quit();
  await oidc?.[Symbol.asyncDispose]();
});

const openedBy = (act: () => Promise<unknown>) => ConsentWindow.openedBy(firefox, act);

const count = (request: string) => oidc.requests.filter((other) => other === request).length;

/** Forgets the token, and connects once more. */
async function connectAnew(end: 'Disconnect' | 'Dismiss'): Promise<ConsentWindow> {
  await page.press(end);
  if (end === 'Disconnect') await page.press('Dismiss');
  await page.press('Clear');
  await askBackground('forgetCredential', oidc.mcp.url());
  return openedBy(() => page.connect(oidc.mcp.url()));
}

test('the host of the authorization server is asked for: denied, nothing is sent to it', async () => {
  walks('Allow or deny an authorization server');
  await page.connect(oidc.mcp.url());
  expect(await answerPrompt(firefox, 'allow')).toContain('127.0.0.1');
  await page.expectConnections(/Authorization needs access to localhost/);
  const before = oidc.requests.length;
  await page.press('Allow');
  expect(await answerPrompt(firefox, 'deny')).toContain('localhost');
  await page.expectConnections(/needs access to localhost:\d+, which was not given/);
  expect(oidc.requests).toHaveLength(before);
  await page.press('Dismiss');
});

test('allowed: login with dynamic registration', async () => {
  walks('Log in');
  await page.connect(oidc.mcp.url());
  await page.expectConnections(/Authorization needs access to localhost/);
  const window = await openedBy(async () => {
    await page.press('Allow');
    await answerPrompt(firefox, 'allow');
  });
  await page.expectConnections(/Finish the login in the window of localhost/);
  await window.agree();
  await page.expectConnections(/connected/);
  await page.expectRow(/Authorization logged in/);
  expect(count('POST /reg')).toBe(1);
});

test('an expired token is refreshed, and the request repeated, with nobody asked', async () => {
  walks('Go on with a token that has expired');
  oidc.expire();
  await page.press('Send a request');
  await page.send('tools/list', {});
  await page.expectRow(/tools\/list .*200/);
  await page.expectRow(/Authorization refreshed/);
  expect(count('POST /token')).toBe(2);
});

test('a scope that is missing is asked for besides those that are held', async () => {
  walks('Grant a scope that is missing');
  const window = await openedBy(() => page.send('tools/call', { name: 'write' }));
  await window.agree();
  await page.expectRow(/tools\/call write .*200/);
  await page.expectRow(/Authorization stepped up/);
  expect(oidc.asked.at(-1)?.get('scope')).toMatch(/mcp:read.*mcp:write/);
  await page.press('Send a request');
});

test('a window that the user closes ends the attempt', async () => {
  walks('Close or deny a login');
  await (await connectAnew('Disconnect')).close();
  await page.expectConnections(/was closed before the login was complete/);
  await page.expectRow(/Authorization closed/);
});

test('a user who denies is taken at their word', async () => {
  walks('Close or deny a login');
  await (await connectAnew('Dismiss')).refuse();
  await page.expectConnections(/Access was denied at http:\/\/localhost/);
  await page.expectRow(/Authorization denied/);
});

test('an authorization server that goes down on the way costs this attempt only', async () => {
  walks('Log in while the authorization server goes down');
  const window = await connectAnew('Dismiss');
  oidc.dieOf('/token');
  await window.agree();
  await page.expectRow(/Authorization failed/);
  await oidc.start();
  await (await connectAnew('Dismiss')).agree();
  await page.expectConnections(/connected/);
});

test('a background that is stopped on the way says so; one click goes on with the same login', async () => {
  walks('Go on with a login that was interrupted');
  await connectAnew('Disconnect');
  // Firefox asks twice for each page: behind a curtain first.
  const states = () => new Set(oidc.asked.map((asked) => asked.get('state'))).size;
  const before = states();
  await stopBackground(firefox);
  await page.expectConnections(/The login was interrupted/);
  const window = await openedBy(() => page.press('Continue login'));
  await window.agree();
  await page.expectConnections(/connected/);
  await page.expectRow(/Authorization logged in/);
  expect(states()).toBe(before);
});

test('a window that a background was stopped too soon to remember is not in the way', async () => {
  walks('Go on with a login that was interrupted');
  await connectAnew('Disconnect');
  await expect.poll(forgetWindow, { timeout: 15_000, message: 'it was remembered' }).toBe(true);
  await stopBackground(firefox);
  await page.expectConnections(/The login was interrupted/);
  const window = await openedBy(() => page.press('Continue login'));
  await window.agree();
  await page.expectConnections(/connected/);
});

test('where its document is hosted, it is a client without being registered', async () => {
  walks('Log in without being registered');
  await page.press('Disconnect');
  await page.press('Dismiss');
  await askBackground('forgetCredential', oidc.mcp.url());
  oidc.document = String(await askBackground('clientMetadata', DOCUMENT_URL));
  const registrations = count('POST /reg');
  const auth = { grant: 'authorization-code', clientMetadataUrl: DOCUMENT_URL };
  const request = { ...DEFAULT_CONNECT, url: oidc.mcp.url(), auth };
  const window = await openedBy(() => askBackground('connect', request));
  await window.agree();
  await page.expectConnections(/connected/);
  expect(oidc.asked.at(-1)?.get('client_id')).toBe(DOCUMENT_URL);
  expect(count('POST /reg')).toBe(registrations);
});

test('nothing of it that is worth stealing is on the disk', async () => {
  walks('Keep secrets off the disk');
  await page.press('Disconnect');
  expect(await readErrors(firefox)).toEqual([]);
  const secrets = [...oidc.secrets];
  expect(secrets.length).toBeGreaterThan(10);
  expect(findTexts(firefox.profile, secrets)).toEqual([]);
  // The same scan finds what is no secret, so it would have found one.
  expect(findTexts(firefox.profile, [oidc.issuer])).not.toEqual([]);
});

/** Calls the background as a page does. */
async function askBackground(call: string, ...given: unknown[]): Promise<unknown> {
  return firefox.marionette.run(
    async (name: string, values: unknown[]) => {
      const { runtime }: RuntimeBrowser = Reflect.get(globalThis, 'browser');
      const port = runtime.connect({ name: 'wirescope' });
      const answered = new Promise((resolve, reject) => {
        port.onMessage.addListener((message) => {
          // What it tells by itself has a name, and no id.
          if (message.id !== 1) return;
          if (message.problem === undefined) resolve(message.result);
          else reject(new Error(message.problem.message));
        });
      });
      port.postMessage({ name, args: values, id: 1 });
      const answer = await answered;
      port.disconnect();
      return answer;
    },
    call,
    given,
  );
}

interface RuntimeBrowser {
  runtime: {
    connect(options: { name: string }): {
      postMessage(message: object): void;
      disconnect(): void;
      onMessage: {
        addListener(
          listener: (message: {
            id?: number;
            result?: unknown;
            problem?: { message: string };
          }) => void,
        ): void;
      };
    };
  };
}

/** Leaves what a background does that is stopped before it has seen its window; false while this one has not. */
async function forgetWindow(): Promise<boolean> {
  return firefox.marionette.run(async (url) => {
    const { session }: SessionStorage = Reflect.get(globalThis, 'browser').storage;
    const { loginPlace } = await session.get('loginPlace');
    if (loginPlace?.windowId === undefined) return false;
    await session.set({ loginPlace: { url } });
    return true;
  }, oidc.issuer);
}

interface SessionStorage {
  session: {
    get(key: string): Promise<{ loginPlace?: { windowId?: number } }>;
    set(values: object): Promise<void>;
  };
}
