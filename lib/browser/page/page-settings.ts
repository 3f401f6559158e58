/**
 * Texts that a page keeps for the browser profile, by name. Where the browser grants pages no storage, as with
 * all of it blocked, nothing is kept.
 */
export const pageSettings = {
  read(name: string): string | undefined {
    try {
      return localStorage.getItem(name) ?? undefined;
    } catch {
      return undefined;
    }
  },
  write(name: string, text: string): void {
    try {
      localStorage.setItem(name, text);
    } catch {
      // The set-up then lasts as long as the page.
    }
  },
};
