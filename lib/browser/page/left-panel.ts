import { browser } from 'wxt/browser';

const KEY = 'left-panel';
/** Only the page that this one takes the place of can have left something so lately. */
const FRESH_MS = 10_000;

interface Left {
  tabId: number;
  at: number;
  what: unknown;
}

/**
 * Takes what the panel of this toolbox has left, once: Firefox loads a panel anew, with a session of its own, when the
 * toolbox is docked elsewhere. Undefined where the page is none in a toolbox, or still in its own session.
 */
export function takeLeft(): unknown {
  const tabId = inspectedTab();
  if (tabId === undefined) return undefined;
  try {
    const isReload = sessionStorage.getItem(KEY) !== null;
    sessionStorage.setItem(KEY, '');
    const left = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Left | null;
    localStorage.removeItem(KEY);
    const isMine = left?.tabId === tabId && Date.now() - (left?.at ?? 0) < FRESH_MS;
    return isMine && !isReload ? left?.what : undefined;
  } catch {
    return undefined;
  }
}

/** Leaves what the page is like when it goes away, where it is one in a toolbox. */
export function leaveOnHide(describe: () => object): void {
  const tabId = inspectedTab();
  if (tabId === undefined) return;
  addEventListener('pagehide', () => {
    try {
      const left: Left = { tabId, at: Date.now(), what: describe() };
      localStorage.setItem(KEY, JSON.stringify(left));
    } catch {
      // At worst the panel begins anew.
    }
  });
}

function inspectedTab(): number | undefined {
  const { devtools } = browser as Partial<typeof browser>;
  return devtools?.inspectedWindow?.tabId;
}
