import { browser } from 'wxt/browser';
import { AppError } from '../errors.ts';
import type { LoginDoor } from '../connection/auth-asks.ts';

/** Nobody listens there: the request is seen before it is sent. Fixed, since clients are registered with it. */
const LOOPBACK = 'http://127.0.0.1:38917/callback';

/** Pages of authorization servers, in windows or tabs of this browser. */
export function createLoginDoor(): LoginDoor {
  return {
    async redirectUri(wanted) {
      const own = browser.identity.getRedirectURL();
      if (wanted !== 'loopback') return own;
      // Firefox has a loopback form of its own, by the same name.
      const [name = ''] = new URL(own).hostname.split('.');
      return import.meta.env.FIREFOX ? `http://127.0.0.1/mozoauth2/${name}` : LOOPBACK;
    },
    isWatched: (redirectUri) => redirectUri === LOOPBACK,
    open: (url, redirectUri, signal) =>
      redirectUri === LOOPBACK ? openTab(url, signal) : openWindow(url),
  };
}

/** A window that the browser itself watches, and closes. */
async function openWindow(url: string): Promise<string | undefined> {
  try {
    return await browser.identity.launchWebAuthFlow({ url, interactive: true });
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    // The words of Chrome and of Firefox for a window that was closed.
    if (/not approve|cancelled/i.test(detail)) return undefined;
    const message = `The page of ${new URL(url).host} could not be shown.`;
    const advice = 'Is the authorization server there? Connect again to be asked once more.';
    throw new AppError({ code: 'network-failed', message, advice, detail }, { cause: error });
  }
}

/** A tab that is watched for the redirect to ourselves. */
async function openTab(url: string, signal: AbortSignal): Promise<string | undefined> {
  const { id: tabId = -1 } = await browser.tabs.create({ url });
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
    browser.tabs.remove(tabId).catch(() => undefined);
  }
}
