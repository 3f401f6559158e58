import { expect } from 'vitest';
import type { Firefox } from './firefox.ts';

const WAIT = { timeout: 15_000, interval: 50 };

/** The window that the browser opens for a page of the authorization server. */
export class ConsentWindow {
  readonly #firefox: Firefox;
  readonly #handle: string;

  private constructor(firefox: Firefox, handle: string) {
    this.#firefox = firefox;
    this.#handle = handle;
  }

  /** The one that opens while something is done in the panel, which stays in front for us. */
  static async openedBy(firefox: Firefox, act: () => Promise<unknown>): Promise<ConsentWindow> {
    const handles = () => firefox.marionette.command<string[]>('WebDriver:GetWindowHandles');
    const before = new Set(await handles());
    await act();
    let opened: string | undefined;
    const find = async () => {
      opened = (await handles()).find((handle) => !before.has(handle));
      return opened;
    };
    await expect.poll(find, { ...WAIT, message: 'a window opens' }).toBeDefined();
    return new ConsentWindow(firefox, opened ?? '');
  }

  /** Logs in where nobody is, and says yes to what is asked. */
  agree(): Promise<void> {
    return this.#within(async (marionette) => {
      if (await this.#shows('input[name="login"]')) {
        await marionette.fill('input[name="login"]', 'somebody');
        await marionette.fill('input[name="password"]', 'anything');
        await marionette.click('button[type="submit"]');
        await expect
          .poll(() => this.#shows('input[name="login"]'), { ...WAIT, message: 'logged in' })
          .toBe(false);
      }
      await marionette.click('button[type="submit"]');
    });
  }

  refuse(): Promise<void> {
    return this.#within((marionette) => marionette.click('a[href$="/abort"]'));
  }

  close(): Promise<void> {
    return this.#within(async (marionette) => {
      await marionette.command('WebDriver:CloseWindow');
    });
  }

  async #shows(selector: string): Promise<boolean> {
    // A click into a page that is still loaded, or into a window that is not in front yet, is lost.
    const there = () =>
      this.#firefox.marionette.run(
        () =>
          document.readyState === 'complete' &&
          document.hasFocus() &&
          document.body.innerText.includes('Cancel'),
      );
    await expect.poll(there, { ...WAIT, message: 'the page is there' }).toBe(true);
    return this.#firefox.marionette.run((css) => document.querySelector(css) !== null, selector);
  }

  async #within(act: (marionette: Firefox['marionette']) => Promise<void>): Promise<void> {
    const { marionette, tab } = this.#firefox;
    await marionette.command('WebDriver:SwitchToWindow', { handle: this.#handle });
    try {
      await this.#shows('body');
      await act(marionette);
    } finally {
      await marionette.command('WebDriver:SwitchToWindow', { handle: tab });
    }
  }
}
