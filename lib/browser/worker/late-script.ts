import { browser } from 'wxt/browser';
import { AppError } from '../../errors.ts';
import type { tellCutOff } from '../../connection/survival/cut-off.ts';
import type { createRawSender } from '../../connection/raw/raw-send.ts';
import type { createAccess } from '../../connection/wishes/access.ts';
import type { createReports } from '../../connection/report/report.ts';
import type { createFaultBench } from '../../transport/faults/faults.ts';
import type { networkProblem } from '../../transport/network-problem.ts';
import type { openAuthorizing } from './open-authorizing.ts';

/** Scripts of their own, which most lives of the worker never need, by what each of them is for. */
interface LateScripts {
  authorization: typeof openAuthorizing;
  faults: typeof createFaultBench;
  raw: typeof createRawSender;
  report: {
    createReports: typeof createReports;
    createAccess: typeof createAccess;
    networkProblem: typeof networkProblem;
    tellCutOff: typeof tellCutOff;
  };
}

type Name = keyof LateScripts;

const NAMES: Name[] = ['authorization', 'faults', 'raw', 'report'];

/**
 * Has to be called in the first tick of the worker: Chrome's may load later what it has loaded once while it was
 * installed, and nothing else.
 */
export function announceLateScripts(): void {
  if (!import.meta.env.CHROME) return;
  globalThis.addEventListener('install', () => {
    for (const name of NAMES) importScript(name);
  });
}

/** Loads a script, once. Rejects with an `AppError` where the browser does not. */
export async function loadLate<Wanted extends Name>(name: Wanted): Promise<LateScripts[Wanted]> {
  const held = found(name);
  if (held !== undefined) return held;
  try {
    if (import.meta.env.FIREFOX) await insertScript(name);
    else importScript(name);
  } catch (error) {
    throw new AppError(NOT_LOADED, { cause: error });
  }
  const loaded = found(name);
  if (loaded === undefined) throw new AppError(NOT_LOADED);
  return loaded;
}

/** For the scripts themselves: what they are for. */
export function publish<Own extends Name>(name: Own, value: LateScripts[Own]): void {
  Reflect.set(globalThis, placeOf(name), value);
}

function found<Wanted extends Name>(name: Wanted): LateScripts[Wanted] | undefined {
  return Reflect.get(globalThis, placeOf(name)) as LateScripts[Wanted] | undefined;
}

function placeOf(name: Name): string {
  return `wirescope-${name}`;
}

function importScript(name: Name): void {
  const { importScripts } = globalThis as { importScripts?(path: string): void };
  importScripts?.(`/${name}.js`);
}

/** The background of Firefox is a page. */
function insertScript(name: Name): Promise<unknown> {
  const script = document.createElement('script');
  script.src = `/${name}.js`;
  const loaded = new Promise((resolve, reject) => {
    script.addEventListener('load', resolve);
    script.addEventListener('error', reject);
  });
  document.head.append(script);
  return loaded;
}

/** Whether authorization is needed at once: there are credentials, clients, or logins that wait. */
export async function hasCredentials(): Promise<boolean> {
  const { session, local } = browser.storage;
  const found = await Promise.all([session.get('credentials'), local.get('credentials')]);
  return found.some((each) => 'credentials' in each);
}

const NOT_LOADED = {
  code: 'internal',
  message: 'A part of Wirescope that is loaded when it is needed could not be loaded.',
  advice: 'Reload Wirescope on the page of extensions of the browser, then try again.',
} as const;
