import { browser } from 'wxt/browser';

/** Both browsers stop the worker after 30 s without extension activity; streams do not count as such. */
const PERIOD_MS = 20_000;

/** Keeps the worker running while it is on. */
export function createKeepAlive(): (isOn: boolean) => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  return (isOn) => {
    if (isOn === (timer !== undefined)) return;
    clearInterval(timer);
    timer = isOn ? setInterval(touch, PERIOD_MS) : undefined;
  };
}

/** The cheapest call that both browsers count. */
function touch(): void {
  browser.runtime.getPlatformInfo().catch(() => undefined);
}
