import { browser } from 'wxt/browser';
import { AppError } from '../../errors.ts';
import { EXTENSION_REPLACED } from '../../port/channel.ts';
import { PORT_NAME } from '../../port/contract.ts';
import { openFeed, type Feed, type FeedHandlers } from '../../port/feed.ts';

export { canRequestPermission, hostPattern, requestHost } from '../permissions.ts';

/** Opens the feed of a page that shows connections only. */
export function openPageFeed(handlers: FeedHandlers): Feed {
  return openFeed({
    ...handlers,
    wantsEvents: false,
    connect: connectToBackground,
    async *readBlocks() {},
  });
}

/**
 * Throws an `AppError` `extension-replaced` in a page of an extension that was updated, reloaded or removed since.
 * Such a page never gets a background again; the words in which each browser says so change.
 */
export function connectToBackground() {
  const { runtime } = browser as Partial<typeof browser>;
  if ((runtime as Partial<typeof runtime> | undefined)?.id === undefined) {
    throw new AppError(EXTENSION_REPLACED);
  }
  return browser.runtime.connect({ name: PORT_NAME });
}

/** Opens the page that asks for a host, where the panel itself cannot. */
export function openGrantPage(
  connectionId: string,
  pattern: string,
  url: string,
  isForLogin = false,
): void {
  const query = new URLSearchParams({ connection: connectionId, pattern, url });
  if (isForLogin) query.set('for', 'login');
  window.open(`${browser.runtime.getURL('/grant.html')}?${query}`);
}

/** Opens the panel page as a tab, on the server screen of a connection if one is named. */
export async function openPanelTab(connectionId?: string): Promise<void> {
  const query =
    connectionId === undefined ? '' : `?${new URLSearchParams({ server: connectionId })}`;
  await browser.tabs.create({ url: `${browser.runtime.getURL('/panel.html')}${query}` });
}

/** The theme of DevTools; `undefined` outside of it. */
export function devtoolsTheme(): 'dark' | 'light' | undefined {
  const theme = panels()?.themeName;
  if (theme === undefined) return undefined;
  return theme === 'dark' ? 'dark' : 'light';
}

/** Tells when the user switches the theme of DevTools. */
export function onThemeChange(listener: (theme: 'dark' | 'light') => void): void {
  const named = (theme: string) => listener(theme === 'dark' ? 'dark' : 'light');
  const api = panels() as ThemedPanels | undefined;
  if (api?.onThemeChanged !== undefined) api.onThemeChanged.addListener(named);
  else api?.setThemeChangeHandler?.(named);
}

interface ThemedPanels {
  /** Firefox. */
  onThemeChanged?: { addListener(listener: (theme: string) => void): void };
  /** Chrome. */
  setThemeChangeHandler?: (listener: (theme: string) => void) => void;
}

function panels(): typeof browser.devtools.panels | undefined {
  return (browser as Partial<typeof browser>).devtools?.panels;
}
