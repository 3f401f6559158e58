import { expect } from 'vitest';
import type { Marionette } from './marionette.ts';

const WAIT = { timeout: 15_000, interval: 100 };

const NOT_YET =
  /^(?:no such element|element not interactable|element click intercepted|stale element reference)/;

/**
 * What is in front, be it the panel, the popup or the grant page, or a part of it, by accessible names only. Of several
 * that are called the same, the first is meant.
 */
export class Page {
  readonly #marionette: Marionette;
  /** XPath of the part; empty for all. */
  readonly #part: string;

  constructor(marionette: Marionette, part = '') {
    this.#marionette = marionette;
    this.#part = part;
  }

  /** A part of it by its name, or by how that begins: a region, a list, a table. */
  within(name: string | { begins: string }): Page {
    const isNamed =
      typeof name === 'string'
        ? `@aria-label="${name}" or (${titled(name)})`
        : `starts-with(@aria-label, "${name.begins}")`;
    return new Page(this.#marionette, `${this.#part}//*[not(self::button)][${isNamed}]`);
  }

  /** The first row or item of a list in which this is said. */
  entry(text: string): Page {
    const kind = 'self::li or self::tr or @role="row"';
    return new Page(
      this.#marionette,
      `${this.#part}//*[${kind}][contains(normalize-space(), "${text}")]`,
    );
  }

  /** Clicks in the middle of the part. */
  async click(): Promise<void> {
    await this.#whenThere(() => this.#marionette.click(this.#part));
  }

  /** What is shown of the part; empty as long as it is not there. */
  async text(): Promise<string> {
    const shown = await this.#marionette.run((selector) => {
      const { FIRST_ORDERED_NODE_TYPE } = XPathResult;
      const found = document.evaluate(selector, document, null, FIRST_ORDERED_NODE_TYPE);
      const { singleNodeValue } = found;
      return singleNodeValue instanceof HTMLElement ? singleNodeValue.innerText : '';
    }, this.#part || '//body');
    return oneLine(shown);
  }

  async expectText(text: string | RegExp): Promise<void> {
    const read = () => this.#reads(text);
    await expect.poll(read, { ...WAIT, message: `${this.#part} says ${text}` }).toBe(true);
  }

  async expectNoText(text: string | RegExp): Promise<void> {
    const read = async () => (await this.#reads(text)) === true;
    await expect.poll(read, { ...WAIT, message: `${this.#part} says no ${text}` }).toBe(false);
  }

  /** True where it says this, else all that it says, to be told where a test fails. */
  async #reads(wanted: string | RegExp): Promise<true | string> {
    const text = await this.text();
    const isThere = typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
    return isThere || text;
  }

  async fill(label: string, text: string): Promise<void> {
    const kind = 'self::input or self::textarea or @contenteditable="true"';
    const selector = `${this.#part}//*[${kind}][${isNamed(label)}]`;
    await this.#whenThere(() => this.#marionette.fill(selector, text));
  }

  /** What stands in a field. */
  async value(label: string): Promise<string> {
    const kind = 'self::input or self::textarea or self::select';
    const selector = `${this.#part}//*[${kind}][${isNamed(label)}]`;
    const id = await this.#marionette.find(selector);
    const { value } = await this.#marionette.command<{ value: string }>(
      'WebDriver:GetElementProperty',
      { id, name: 'value' },
    );
    return value;
  }

  /** Ticks a box, or takes its tick away. */
  async tick(label: string): Promise<void> {
    const selector = `${this.#part}//input[@type="checkbox"][${isNamed(label)}]`;
    await this.#whenThere(() => this.#marionette.click(selector));
  }

  /** Unfolds what stands under a summary, or folds it. */
  async unfold(summary: string): Promise<void> {
    const selector = `${this.#part}//summary[starts-with(normalize-space(), "${summary}")]`;
    await this.#whenThere(() => this.#marionette.click(selector));
  }

  /** Takes a choice of a list by what it is called on screen. */
  async choose(label: string, choice: string): Promise<void> {
    const list = `select[ancestor::label[starts-with(normalize-space(), "${label}")] or ${isNamed(label)}]`;
    const selector = `${this.#part}//${list}/option[normalize-space()="${choice}"]`;
    await this.#whenThere(() => this.#marionette.click(selector));
  }

  /** Clicks the first traffic row of this name. */
  async selectRow(name: string): Promise<void> {
    const cell = `[@role="gridcell"][normalize-space()="${name}"]`;
    await this.#whenThere(() => this.#marionette.click(`//*[@role="treegrid"]//*${cell}`));
  }

  /** Chooses an entry of a list by how its text begins. */
  async pickOption(name: string): Promise<void> {
    const text = `starts-with(normalize-space(), "${name}")`;
    await this.#whenThere(() =>
      this.#marionette.click(
        `${this.#part}//*[@role="option"][ancestor::*[@role="listbox"]][${text}]`,
      ),
    );
  }

  /** Chooses an entry of the menu that is open, or opens its submenu. */
  async chooseEntry(name: string): Promise<void> {
    const title = `starts-with(normalize-space(), "${name}")`;
    await this.#whenThere(() => this.#marionette.click(`//*[@role="menuitem"][${title}]`));
  }

  /** Clicks a button or a tab by its name, or by how that begins. */
  async press(button: string | { begins: string }): Promise<void> {
    const named =
      typeof button === 'string'
        ? `@aria-label="${button}" or normalize-space()="${button}"`
        : `starts-with(@aria-label, "${button.begins}") or starts-with(normalize-space(), "${button.begins}")`;
    await this.#whenThere(() => this.#marionette.click(`${this.#part}//button[${named}]`));
  }

  /** Firefox looks for an element once; a page may still be drawing it or move it, and a popup have no room yet. */
  async #whenThere(act: () => Promise<void>): Promise<void> {
    const end = Date.now() + WAIT.timeout;
    for (;;) {
      try {
        await act();
        return;
      } catch (error) {
        const isEarly = error instanceof Error && NOT_YET.test(error.message);
        if (!isEarly || Date.now() > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, WAIT.interval));
      }
    }
  }

  async connect(url: string): Promise<void> {
    await this.fill('MCP endpoint URL', url);
    await this.press('Connect');
  }

  async send(method: string, params: unknown): Promise<void> {
    await this.fill('Method', method);
    await this.fill('Params (JSON)', JSON.stringify(params));
    await this.press('Send');
  }

  /** Text of the traffic rows that are drawn. */
  async rows(): Promise<string[]> {
    return (await this.#drawnRows()).map(([, text]) => text);
  }

  async #drawnRows(): Promise<[index: number, text: string][]> {
    return await this.#marionette.run(() =>
      [...document.querySelectorAll<HTMLElement>('[role=treegrid] [role=row]')]
        .filter((row) => row.querySelector('[role=gridcell]') !== null)
        .map((row): [number, string] => [
          Number(row.getAttribute('aria-rowindex')),
          row.innerText.replaceAll(/\s+/g, ' ').trim(),
        ]),
    );
  }

  /** Text of all traffic rows, scrolled through from the top. */
  async allRows(): Promise<string[]> {
    const rows = new Map<number, string>();
    for (let page = 0; await this.#showPage(page); page += 1) {
      for (const [index, text] of await this.#drawnRows()) rows.set(index, text);
    }
    return [...rows].toSorted(([a], [b]) => a - b).map(([, text]) => text);
  }

  async expectRow(pattern: RegExp): Promise<void> {
    // Only rows in view exist: it may be anywhere.
    const read = async () => {
      const isThere = async () => (await this.rows()).some((row) => pattern.test(row));
      if (await isThere()) return true;
      for (let page = 0; await this.#showPage(page); page += 1) if (await isThere()) return true;
      // Told where it fails.
      return `only ${(await this.rows()).join('\n')}`;
    };
    await expect.poll(read, { ...WAIT, message: `a row like ${pattern}` }).toBe(true);
  }

  /** Scrolls the traffic to a page of it, counted from the top; false where there are not so many. */
  async #showPage(page: number): Promise<boolean> {
    return await this.#marionette.run(async (at: number) => {
      const grid = document.querySelector('[role=treegrid]');
      if (grid === null) return false;
      const top = at * Math.max(grid.clientHeight / 2, 21);
      if (top > grid.scrollHeight) return false;
      grid.scrollTop = top;
      // The rows of the place come with the next picture.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return true;
    }, page);
  }

  async expectConnections(pattern: RegExp): Promise<void> {
    const read = async () =>
      await this.#marionette.text('[aria-label="Connections"]').then(oneLine);
    await expect.poll(read, WAIT).toMatch(pattern);
  }
}

/** XPath: whether a field has this name. */
function isNamed(label: string): string {
  const isLabelled = `@aria-label="${label}" or ancestor::label[normalize-space()="${label}"]`;
  return `${isLabelled} or @id=//label[normalize-space()="${label}"]/@for`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Named by what stands elsewhere; only for the few that are, all of the page is searched. */
function titled(name: string): string {
  return `@aria-labelledby and @aria-labelledby=//*[@id][normalize-space()="${name}"]/@id`;
}
