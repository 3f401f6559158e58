import { browser } from 'wxt/browser';
import { AppError } from '../../errors.ts';
import type { LoginDoor } from '../../connection/auth/auth-asks.ts';
import { hostPattern } from '../permissions.ts';

/** Nobody listens there: the request is seen before it is sent. Fixed, since clients are registered with it. */
const LOOPBACK = 'http://127.0.0.1:38917/callback';

/** A window that was closed is a flow that is over only a moment later, in milliseconds. */
const RETRY_MS = 100;
const RETRIES = 20;

/**
 * The page that is open for the user, so that a later life of the worker can close it; first of all what was to be
 * opened. Firefox shows every login in the same window: one that is left would take the next one for cancelled.
 */
type Place = { url: string } | { windowId: number } | { tabId: number };

/** Pages of authorization servers, in windows or tabs of this browser: one at a time, as Chrome has it. */
export function createLoginDoor(): LoginDoor {
  let last: Promise<unknown> = Promise.resolve();

  async function open(url: string, redirectUri: string, signal: AbortSignal) {
    if (signal.aborted) return undefined;
    const { loginPlace } = await browser.storage.session.get('loginPlace');
    if (loginPlace !== undefined) await close(loginPlace as Place);
    await remember({ url });
    try {
      return await (redirectUri === LOOPBACK ? openTab(url, signal) : openWindow(url, signal));
    } finally {
      forget();
    }
  }

  return {
    async redirectUri(wanted) {
      const own = browser.identity.getRedirectURL();
      if (wanted !== 'loopback') return own;
      // Firefox has a loopback form of its own, by the same name.
      const [name = ''] = new URL(own).hostname.split('.');
      return import.meta.env.FIREFOX ? `http://127.0.0.1/mozoauth2/${name}` : LOOPBACK;
    },
    isWatched: (redirectUri) => redirectUri === LOOPBACK,
    open(url, redirectUri, signal) {
      const turn = last.then(() => open(url, redirectUri, signal));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

/** A window that the browser itself watches, and closes. */
async function openWindow(url: string, signal: AbortSignal): Promise<string | undefined> {
  let place: Place | undefined;
  const opened = ({ id, type }: { id?: number | undefined; type?: string | undefined }) => {
    if (place !== undefined || id === undefined || type !== 'popup') return;
    place = { windowId: id };
    void remember(place);
  };
  const stop = () => void (place && close(place));
  browser.windows.onCreated.addListener(opened);
  signal.addEventListener('abort', stop);
  try {
    return await launch(url);
  } catch (error) {
    const detail = messageOf(error);
    // The words of Chrome and of Firefox for a window that was closed.
    if (/not approve|cancelled/i.test(detail)) return undefined;
    const message = `The page of ${new URL(url).host} could not be shown.`;
    const advice = 'Is the authorization server there? Connect again to be asked once more.';
    throw new AppError({ code: 'network-failed', message, advice, detail }, { cause: error });
  } finally {
    browser.windows.onCreated.removeListener(opened);
    signal.removeEventListener('abort', stop);
  }
}

async function launch(url: string): Promise<string | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await browser.identity.launchWebAuthFlow({ url, interactive: true });
    } catch (error) {
      if (attempt > RETRIES || !/one web auth flow/i.test(messageOf(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** A tab that is watched for the redirect to ourselves. */
async function openTab(url: string, signal: AbortSignal): Promise<string | undefined> {
  const { id: tabId = -1 } = await browser.tabs.create({ url });
  const place = { tabId };
  void remember(place);
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const seen = (details: { url: string }) => {
    resolve(details.url);
    return undefined;
  };
  const removed = (removedId: number) => {
    if (removedId === tabId) resolve(undefined);
  };
  const stop = () => resolve(undefined);
  const { onBeforeRequest } = browser.webRequest;
  onBeforeRequest.addListener(seen, { urls: [`${LOOPBACK}*`], types: ['main_frame'], tabId });
  browser.tabs.onRemoved.addListener(removed);
  signal.addEventListener('abort', stop);
  try {
    return await promise;
  } finally {
    onBeforeRequest.removeListener(seen);
    browser.tabs.onRemoved.removeListener(removed);
    signal.removeEventListener('abort', stop);
    await close(place);
  }
}

/** Where the user has closed it already, there is nothing to do. */
async function close(place: Place): Promise<void> {
  if ('url' in place) {
    for (const { windowId } of await popupsAt(place.url)) if (windowId) await close({ windowId });
    return;
  }
  const closed =
    'tabId' in place ? browser.tabs.remove(place.tabId) : browser.windows.remove(place.windowId);
  await closed.catch(() => undefined);
}

/** Windows of their own with a page of the host of a URL. */
async function popupsAt(url: string) {
  const pattern = hostPattern(url);
  return pattern === undefined
    ? []
    : await browser.tabs.query({ url: pattern, windowType: 'popup' }).catch(() => []);
}

/** At worst a page stays open whose login is over. */
function remember(loginPlace: Place): Promise<void> {
  return browser.storage.session.set({ loginPlace }).catch(() => undefined);
}

function forget(): void {
  browser.storage.session.remove('loginPlace').catch(() => undefined);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
