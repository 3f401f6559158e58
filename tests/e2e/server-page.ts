import type { Locator } from '@playwright/test';
import { expect } from '@playwright/test';
import type { PanelPage } from './panel.ts';

/** The server screen of a panel, by roles and names only. */
export class ServerPage {
  readonly panel: PanelPage;
  readonly screen: Locator;
  readonly runs: Locator;

  constructor(panel: PanelPage) {
    this.panel = panel;
    this.screen = panel.root.getByRole('region', { name: 'Server', exact: true });
    this.runs = this.screen.getByRole('region', { name: /^Result of/ });
  }

  /** Opens it from the newest connection. */
  async open(): Promise<void> {
    await this.panel.button('Explore').last().click();
    await expect(this.screen).toBeVisible();
  }

  button(name: string | RegExp): Locator {
    return this.screen.getByRole('button', { name, exact: true });
  }

  tab(title: 'Overview' | 'Tools' | 'Resources' | 'Templates' | 'Prompts'): Locator {
    return this.screen.getByRole('tab', { name: new RegExp(`^${title}`) });
  }

  entry(name: string): Locator {
    return this.screen.getByRole('listbox').getByRole('option', { name: new RegExp(`^${name}`) });
  }

  field(name: string): Locator {
    return this.screen.getByLabel(name, { exact: true });
  }

  /** A list of which kind a part is. */
  choice(name: string): Locator {
    return this.screen.getByRole('combobox', { name, exact: true });
  }

  /** Shows an entry of the list that is open. */
  async choose(name: string): Promise<void> {
    await this.entry(name).click();
    await expect(this.screen.getByRole('heading', { name, exact: true })).toBeVisible();
  }
}
