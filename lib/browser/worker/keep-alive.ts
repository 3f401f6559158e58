import { browser } from 'wxt/browser';

/** Both browsers stop the worker after 30 s without extension activity; streams do not count as such. */
const PERIOD_MS = 20_000;
/** The shortest period that both browsers allow. */
const REVIVE_MINUTES = 0.5;
const REVIVER = 'reviver';

/**
 * Keeps the worker running while it is on. Should it be stopped all the same, an alarm starts it again within
 * half a minute; no page has to be open for that.
 */
export function createKeepAlive(): (isOn: boolean) => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  let wasOn: boolean | undefined;
  return (isOn) => {
    // The first call counts in any case: alarms outlive the worker, and the browser too.
    if (isOn === wasOn) return;
    wasOn = isOn;
    clearInterval(timer);
    timer = isOn ? setInterval(touch, PERIOD_MS) : undefined;
    if (isOn) touch();
    // Without alarms the next page that is opened starts it.
    const changed = isOn
      ? browser.alarms.create(REVIVER, { periodInMinutes: REVIVE_MINUTES })
      : browser.alarms.clear(REVIVER);
    Promise.resolve(changed).catch(() => undefined);
  };
}

/** Has to be called in the first tick of the worker: an event without a listener does not start it. */
export function listenForReviver(): void {
  // Starting the worker is all that it is for: whatever was open is taken up as with every start.
  browser.alarms.onAlarm.addListener(() => undefined);
}

/** How long there was no worker, as far as the last sign of life tells; in milliseconds. */
export async function awayMs(): Promise<number> {
  const { aliveAt } = await browser.storage.session.get('aliveAt');
  return typeof aliveAt === 'number' ? Math.max(0, Date.now() - aliveAt) : 0;
}

/** A call that both browsers count as activity, and that leaves a sign of life. */
function touch(): void {
  browser.storage.session.set({ aliveAt: Date.now() }).catch(() => undefined);
  browser.runtime.getPlatformInfo().catch(() => undefined);
}
