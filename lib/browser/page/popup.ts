import { browser } from 'wxt/browser';

/** Opens the toolbar popup in the window in front; where the browser refuses, nothing happens. */
export function showPopup(): void {
  browser.action.openPopup().catch(() => undefined);
}
