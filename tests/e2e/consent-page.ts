import type { BrowserContext, Page } from '@playwright/test';

/** A page of the authorization server, in the window that the browser opens for it. */
export class ConsentPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The one that opens while something is done. */
  static async openedBy(context: BrowserContext, act: () => Promise<void>): Promise<ConsentPage> {
    const [page] = await Promise.all([
      context.waitForEvent('page', (opened) => !opened.url().startsWith('devtools:')),
      act(),
    ]);
    return new ConsentPage(page);
  }

  /** Logs in where nobody is, and says yes to what is asked. */
  async agree(): Promise<void> {
    await this.signIn();
    await this.#page.getByRole('button', { name: 'Continue' }).click();
  }

  async signIn(): Promise<void> {
    const login = this.#page.getByPlaceholder('Enter any login');
    await this.#page.getByRole('link', { name: 'Cancel' }).waitFor();
    if (!(await login.isVisible())) return;
    await login.fill('somebody');
    await this.#page.getByPlaceholder('and password').fill('anything');
    await this.#page.getByRole('button', { name: 'Sign-in' }).click();
  }

  async refuse(): Promise<void> {
    await this.#page.getByRole('link', { name: 'Cancel' }).click();
  }

  async close(): Promise<void> {
    await this.#page.close();
  }
}
