import type { Locator } from '@playwright/test';
import { expect } from '@playwright/test';
import type { PanelPage } from './panel.ts';

/** The context menu of rows, by roles and names only. */
export class RowMenu {
  readonly #panel: PanelPage;
  readonly menus: Locator;

  constructor(panel: PanelPage) {
    this.#panel = panel;
    this.menus = panel.root.getByRole('menu');
  }

  entry(name: string | RegExp, depth = 0): Locator {
    const exact = { name, exact: true };
    const menu = this.menus.nth(depth);
    return menu.getByRole('menuitem', exact).or(menu.getByRole('menuitemradio', exact));
  }

  async open(row: Locator): Promise<void> {
    await row.click({ button: 'right' });
    await expect(this.menus).toHaveCount(1);
  }

  /** Opens the menu of a row and chooses an entry, through submenus. */
  async choose(row: Locator, ...path: (string | RegExp)[]): Promise<void> {
    await this.open(row);
    for (const [depth, name] of path.entries()) await this.entry(name, depth).click();
    await expect(this.menus).toHaveCount(0);
  }

  /** What a menu offers. */
  async titles(depth = 0): Promise<string[]> {
    return await this.menus.nth(depth).locator('.menu-title').allInnerTexts();
  }

  /** Copies by the menu; returns what is on the clipboard then, pasted where anybody would paste it. */
  async copied(row: Locator, ...path: (string | RegExp)[]): Promise<string> {
    const { root, page } = this.#panel;
    // What an earlier copy has left there must not be taken for this one.
    const before = `nothing ${crypto.randomUUID()}`;
    await page.evaluate((text) => navigator.clipboard.writeText(text), before);
    await this.choose(row, ...path);
    await expect(root.getByRole('status', { name: 'Done' })).toContainText('Copied');
    await expect.poll(() => this.paste()).not.toBe(before);
    return await this.paste();
  }

  /** What is on the clipboard, as a field of the page gets it. */
  async paste(): Promise<string> {
    const { root } = this.#panel;
    await root.locator('body').evaluate((body) => {
      const field = document.createElement('textarea');
      field.id = 'pasted';
      body.append(field);
    });
    const field = root.locator('#pasted');
    await field.press('ControlOrMeta+v');
    const text = await field.inputValue();
    await field.evaluate((element) => element.remove());
    return text;
  }
}
