import { browser } from 'wxt/browser';
import { AppError } from '../errors.ts';
import type { OpenAuthorizing } from './open-authorizing.ts';

/** A script of its own, which most lives of the worker never need. */
const SCRIPT = '/authorization.js';
/** Where it leaves what it is for. */
export const OPEN_AUTHORIZING = 'wirescopeOpenAuthorizing';

/**
 * Has to be called in the first tick of the worker: Chrome's may load later what it has loaded once while it was
 * installed, and nothing else.
 */
export function announceAuthorization(): void {
  if (import.meta.env.CHROME) globalThis.addEventListener('install', importScript);
}

/** Loads it. Rejects with an `AppError` where the browser does not. */
export async function loadAuthorization(): Promise<OpenAuthorizing> {
  try {
    if (import.meta.env.FIREFOX) await insertScript();
    else importScript();
  } catch (error) {
    throw new AppError(NOT_LOADED, { cause: error });
  }
  return Reflect.get(globalThis, OPEN_AUTHORIZING) as OpenAuthorizing;
}

function importScript(): void {
  const { importScripts } = globalThis as { importScripts?(path: string): void };
  importScripts?.(SCRIPT);
}

/** The background of Firefox is a page. */
function insertScript(): Promise<unknown> {
  const script = document.createElement('script');
  script.src = SCRIPT;
  const loaded = new Promise((resolve, reject) => {
    script.addEventListener('load', resolve);
    script.addEventListener('error', reject);
  });
  document.head.append(script);
  return loaded;
}

/** Whether it is needed at once: there are credentials, clients, or logins that wait. */
export async function hasCredentials(): Promise<boolean> {
  const { session, local } = browser.storage;
  const found = await Promise.all([session.get('credentials'), local.get('credentials')]);
  return found.some((each) => 'credentials' in each);
}

const NOT_LOADED = {
  code: 'internal',
  message: 'The part of Wirescope that gets tokens could not be loaded.',
  advice: 'Reload Wirescope on the page of extensions of the browser, then connect again.',
} as const;
