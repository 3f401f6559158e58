const KEY = 'view';

/**
 * Keeps a text for as long as the tab, or the DevTools window, is open: a panel is loaded anew when its window
 * is docked elsewhere. Where there is no such storage, nothing is kept.
 */
export const pageViewMemory = {
  load(): string | undefined {
    try {
      return sessionStorage.getItem(KEY) ?? undefined;
    } catch {
      return undefined;
    }
  },
  save(text: string): void {
    try {
      sessionStorage.setItem(KEY, text);
    } catch {
      // At worst the filter is empty after the next reload.
    }
  },
};
