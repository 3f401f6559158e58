import { browser } from 'wxt/browser';
import { httpForm } from '../transport/websocket/socket-door.ts';

/**
 * The match pattern that covers a URL, as this browser grants hosts: Chrome by scheme, host and port, Firefox
 * by scheme and host. `undefined` for a scheme other than http, https, ws and wss.
 */
export function hostPattern(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  // In Firefox a grant for http covers WebSockets; in Chrome it does not, so they are asked for by name.
  const { protocol, hostname, host } = new URL(import.meta.env.FIREFOX ? httpForm(url) : url);
  if (!/^(https?|wss?):$/.test(protocol)) return undefined;
  return `${protocol}//${import.meta.env.FIREFOX ? hostname : host}/*`;
}

/** A WebSocket needs its http form besides: for the request that says why a handshake was refused. */
function originsOf(pattern: string): string[] {
  return [...new Set([pattern, httpForm(pattern)])];
}

/** Whether the user has granted a host pattern. */
export function hasHost(pattern: string): Promise<boolean> {
  return browser.permissions.contains({ origins: originsOf(pattern) });
}

/** False in Firefox's DevTools panel, which has no permissions API: a page in a tab has to ask there. */
export function canRequestPermission(): boolean {
  return (browser as Partial<typeof browser>).permissions?.request !== undefined;
}

/** Asks the user. Call it in the very turn of a click: browsers refuse it later. */
export function requestHost(pattern: string): Promise<boolean> {
  return browser.permissions.request({ origins: originsOf(pattern) });
}

/** Listens for grants and revocations, wherever they are made. */
export function watchPermissions(added: () => void, removed: () => void): void {
  browser.permissions.onAdded.addListener(added);
  browser.permissions.onRemoved.addListener(removed);
}
