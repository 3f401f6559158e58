import type { Frame, Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';

/** The editor draws all of a line that is no longer than this, in UTF-16 units. */
const LONG_LINE = 2000;

export interface HeaderToType {
  name: string;
  value: string;
  secret?: boolean;
}

/** The panel, in DevTools or as a tab, by roles and names only. */
export class PanelPage {
  readonly root: Frame | Page;
  readonly url: Locator;
  /** The button that shows and hides them. */
  readonly options: Locator;
  readonly connections: Locator;
  readonly traffic: Locator;
  readonly capture: Locator;
  readonly details: Locator;
  readonly detailTabs: Locator;
  readonly streamEvents: Locator;
  readonly dialog: Locator;
  readonly storage: Locator;
  readonly captures: Locator;

  constructor(root: Frame | Page) {
    this.root = root;
    this.url = root.getByRole('textbox', { name: 'MCP endpoint URL' });
    this.options = root.getByRole('button', { name: /^Options/ });
    this.connections = root.getByRole('status', { name: 'Connections' });
    this.traffic = root.getByRole('treegrid', { name: 'Traffic' });
    this.capture = root.getByRole('status', { name: 'Capture' });
    this.details = root.getByRole('region', { name: 'Details' });
    this.detailTabs = root.getByRole('tablist', { name: 'Details' }).getByRole('tab');
    this.streamEvents = root.getByRole('table', { name: 'Stream events' });
    this.dialog = root.getByRole('dialog');
    this.storage = root.getByRole('region', { name: 'Captures' });
    this.captures = root
      .getByRole('table', { name: 'Captures' })
      .getByRole('row')
      .filter({
        has: root.getByRole('cell'),
      });
  }

  /** The page that it is, or that it is in. */
  get page(): Page {
    return 'mainFrame' in this.root ? this.root : this.root.page();
  }

  button(name: string | RegExp): Locator {
    return this.root.getByRole('button', { name, exact: true });
  }

  /** Opens a stored capture, 0 being the newest that is over, in a tab of its own. */
  async openCapture(at = 0): Promise<PanelPage> {
    if (!(await this.storage.isVisible())) await this.button('Captures').click();
    const rows = this.captures.filter({ hasNotText: 'being recorded' });
    const [tab] = await Promise.all([
      this.page.context().waitForEvent('page'),
      this.inCaptureMenu(rows.nth(at), 'Open in a new tab'),
    ]);
    return new PanelPage(tab);
  }

  /** Chooses from the menu of a line of the captures. */
  async inCaptureMenu(line: Locator, entry: string): Promise<void> {
    await line.getByRole('button', { name: /^More for / }).click();
    await this.root.getByRole('menuitem', { name: entry }).click();
  }

  async typeHeaders(headers: readonly HeaderToType[]): Promise<void> {
    await this.options.click();
    for (const [index, { name, value, secret = false }] of headers.entries()) {
      const number = index + 1;
      await this.button('Add a header').click();
      await this.root.getByRole('textbox', { name: `Name of header ${number}` }).fill(name);
      await this.root.getByLabel(`Value of header ${number}`).fill(value);
      const box = this.root.getByRole('checkbox', { name: 'Secret' }).nth(index);
      await box.setChecked(secret);
    }
    // Room for what is to be seen.
    await this.options.click();
  }

  /** Takes a choice of the options by what it is called on screen; leaves them open or closed as they were. */
  async choose(label: string, choice: string): Promise<void> {
    const list = this.root.getByRole('combobox', { name: label });
    const wasOpen = await list.isVisible();
    if (!wasOpen) await this.options.click();
    await list.selectOption(choice);
    if (!wasOpen) await this.options.click();
  }

  async connect(url: string): Promise<void> {
    await this.url.fill(url);
    await this.button('Connect').click();
  }

  async connectAndWait(url: string): Promise<void> {
    await this.connect(url);
    await expect(this.connections).toContainText('connected');
  }

  /** Ends and dismisses every connection. */
  async endConnections(): Promise<void> {
    const buttons = this.connections.getByRole('button', { name: /^(?:Disconnect|Stop|Dismiss)$/ });
    await expect(async () => {
      if ((await buttons.count()) > 0) await buttons.first().click({ timeout: 1000 });
      await expect(this.connections.getByRole('listitem')).toHaveCount(0, { timeout: 500 });
    }).toPass();
  }

  /** Rows whose text contains all of these. */
  rows(...parts: string[]): Locator {
    let rows = this.traffic.getByRole('row').filter({ has: this.root.getByRole('gridcell') });
    for (const part of parts) rows = rows.filter({ hasText: part });
    return rows;
  }

  /** Rows of our own requests of this method. */
  requests(method: string): Locator {
    const sign = this.root.getByRole('gridcell', { name: 'Outgoing', exact: true });
    // What a server says of another request may name this one.
    const name = this.root.getByRole('gridcell', { name: new RegExp(`^${method}(?: |$)`) });
    return this.rows().filter({ has: sign }).filter({ has: name });
  }

  /** Cells of the drawn rows. */
  async readTable(): Promise<string[][]> {
    return [...(await this.#readDrawnRows()).values()];
  }

  /** Cells of all rows, header first, scrolled through from the top. */
  async readWholeTable(): Promise<string[][]> {
    const head = await this.traffic.getByRole('columnheader').allInnerTexts();
    const rows = new Map<number, string[]>();
    for (let page = 0; await this.#showHalfPage(page); page += 1) {
      for (const [index, cells] of await this.#readDrawnRows()) rows.set(index, cells);
    }
    const inOrder = [...rows].toSorted(([a], [b]) => a - b).map(([, cells]) => cells);
    return [head, ...inOrder].map((row) => row.map(oneLine));
  }

  /** Scrolls to a place counted in half pages from the top; false where the table ends before it. */
  async #showHalfPage(page: number): Promise<boolean> {
    return await this.traffic.evaluate(async (grid, at) => {
      const top = (at * grid.clientHeight) / 2;
      if (top > grid.scrollHeight) return false;
      grid.scrollTo(0, top);
      // The rows of the place come with the next picture.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return true;
    }, page);
  }

  async #readDrawnRows(): Promise<Map<number, string[]>> {
    const drawn = await this.rows().evaluateAll((rows) =>
      rows.map((row) => ({
        index: Number(row.getAttribute('aria-rowindex')),
        cells: [...row.querySelectorAll<HTMLElement>('[role=gridcell]')].map(
          (cell) => cell.innerText,
        ),
      })),
    );
    return new Map(drawn.map(({ index, cells }) => [index, cells.map(oneLine)]));
  }

  async select(...parts: string[]): Promise<void> {
    await this.rows(...parts)
      .last()
      .click();
  }

  async showTab(name: 'Message' | 'Headers' | 'Stream' | 'Timing' | 'Auth'): Promise<void> {
    await this.root
      .getByRole('tablist', { name: 'Details' })
      .getByRole('tab', { name, exact: true })
      .click();
  }

  /** Puts a text of one line into an editor, whatever it is redrawing meanwhile. */
  async write(editor: Locator, text: string): Promise<void> {
    await expect(async () => {
      await editor.fill(text);
      const shown = (await editor.innerText()).replace(/\n$/, '');
      // Of a long line it draws what is around the cursor, which is at its end.
      expect(shown).toBe(text.length > LONG_LINE ? text.slice(-shown.length) : text);
    }).toPass();
  }

  /** Sends a request by the bar for one's own requests. */
  async send(method: string, params?: unknown): Promise<void> {
    const field = this.root.getByLabel('Method', { exact: true });
    if (!(await field.isVisible())) await this.button('Send a request').click();
    await field.fill(method);
    const paramsText = params === undefined ? '' : JSON.stringify(params);
    await this.write(this.root.getByRole('textbox', { name: 'Params (JSON)' }), paramsText);
    await this.button('Send').click();
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
