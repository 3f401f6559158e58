import type { Locator, Page } from '@playwright/test';

/** The toolbar popup, by roles and names only. */
export class PopupPage {
  readonly page: Page;
  readonly url: Locator;
  readonly connections: Locator;
  readonly recentServers: Locator;

  constructor(page: Page) {
    this.page = page;
    this.url = page.getByRole('textbox', { name: 'MCP endpoint URL' });
    this.connections = page.getByRole('list', { name: 'Connections' });
    this.recentServers = page.getByRole('list', { name: 'Recent servers' });
  }

  async connect(url: string): Promise<void> {
    await this.url.fill(url);
    await this.page.getByRole('button', { name: 'Connect', exact: true }).click();
  }
}
