import { browser } from 'wxt/browser';
import { httpForm } from '../transport/socket-door.ts';

/**
 * The match pattern that covers a URL, as this browser grants hosts: Chrome by scheme, host and port, Firefox
 * by scheme and host. A WebSocket has the pattern of its http form. `undefined` for any other scheme.
 */
export function hostPattern(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, host } = new URL(httpForm(url));
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  return `${protocol}//${import.meta.env.FIREFOX ? hostname : host}/*`;
}

/** Whether the user has granted a host pattern. */
export function hasHost(pattern: string): Promise<boolean> {
  return browser.permissions.contains({ origins: [pattern] });
}

/** False in Firefox's DevTools panel, which has no permissions API: a page in a tab has to ask there. */
export function canRequestPermission(): boolean {
  return (browser as Partial<typeof browser>).permissions?.request !== undefined;
}

/** Asks the user. Call it in the very turn of a click: browsers refuse it later. */
export function requestHost(pattern: string): Promise<boolean> {
  return browser.permissions.request({ origins: [pattern] });
}

/** Listens for grants and revocations, wherever they are made. */
export function watchPermissions(added: () => void, removed: () => void): void {
  browser.permissions.onAdded.addListener(added);
  browser.permissions.onRemoved.addListener(removed);
}
