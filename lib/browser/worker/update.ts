import { browser } from 'wxt/browser';

/** Puts an update in place by itself. */
export interface Updates {
  /** Whether something goes on that an update would end. Until this is known, something may. */
  setBusy(isBusy: boolean): void;
  /** Puts an update in place if there is one, and nothing is open. */
  apply(): void;
}

/**
 * Has to be called in the first tick of the worker: where somebody listens, both browsers put an update off until they
 * are restarted or `runtime.reload` is called. It is remembered for pages, and for later lives of the worker.
 *
 * The result is for Firefox. Chrome puts it in place by itself once no page is open and the worker has been stopped;
 * there, `runtime.reload` closes DevTools, whoever uses them.
 */
export function putUpdatesOff(isAlone: () => boolean): Updates | undefined {
  const updates = import.meta.env.FIREFOX ? createUpdates(isAlone) : undefined;
  browser.runtime.onUpdateAvailable.addListener(({ version }) => {
    void browser.storage.session.set({ update: version }).then(updates?.apply);
  });
  return updates;
}

function createUpdates(isAlone: () => boolean): Updates {
  let isBusy = true;
  const mayApply = () => !isBusy && isAlone();
  async function applyIfFree(): Promise<void> {
    if (!mayApply()) return;
    const { update } = await browser.storage.session.get('update');
    if (update !== undefined && mayApply()) browser.runtime.reload();
  }
  const apply = () => void applyIfFree();
  return {
    setBusy(isNow) {
      isBusy = isNow;
      apply();
    },
    apply,
  };
}
