// A user of any browser, by accessible names only: what it does runs inside the page that is in front.
import { setTimeout as delay } from 'node:timers/promises';

/** Runs a function in a page; its arguments and its value are JSON, and it sees nothing else of its file. */
export type Run = <Args extends unknown[], T>(
  script: (...args: Args) => T | Promise<T>,
  ...args: Args
) => Promise<T>;

interface Target {
  /** Selector of what may be meant. */
  kind: string;
  /** Its accessible name, or a part of it: what is the same goes before what begins so. */
  name: string;
  /** Selector of what it must be in. */
  within: string;
}

type Act = 'press' | 'point' | 'fill' | 'choose';

const PRESSABLE = `button, summary, a, [role=tab], [role=option], [role^=menuitem],
  input:is([type=checkbox], [type=radio])`;
const FIELD = 'input, textarea, [contenteditable=true]';
const WAIT_MS = 15_000;
const PAUSE_MS = 50;

/** Has what is to be clicked with the pointer for a moment. */
const MARK = 'data-pointed';

export class Hand {
  readonly #run: Run;
  readonly #click: ((selector: string) => Promise<void>) | undefined;

  constructor({ run, click }: { run: Run; click?: (selector: string) => Promise<void> }) {
    this.#run = run;
    this.#click = click;
  }

  /** Clicks a button, tab, box, entry or whatever else can be clicked. */
  async press(name: string, within = 'body'): Promise<void> {
    await this.#act('press', { kind: PRESSABLE, name, within }, '');
  }

  /** Clicks as the user has to where the browser may ask for a permission. */
  async allow(name: string, within = 'body'): Promise<void> {
    if (this.#click === undefined) return await this.press(name, within);
    await this.#act('point', { kind: PRESSABLE, name, within }, MARK);
    await this.#click(`[${MARK}]`);
    await this.#run((mark) => document.querySelector(`[${mark}]`)?.removeAttribute(mark), MARK);
  }

  /** Replaces the text of a field or of an editor. */
  async fill(name: string, text: string, within = 'body'): Promise<void> {
    await this.#act('fill', { kind: FIELD, name, within }, text);
  }

  /** Takes a choice of a list by how what is on screen begins. */
  async choose(name: string, choice: string, within = 'body'): Promise<void> {
    await this.#act('choose', { kind: 'select', name, within }, choice);
  }

  async #act(how: Act, target: Target, text: string): Promise<void> {
    const act = () => this.#run(actOn, how, target, text);
    await until(
      () => act().catch(isDoneByLeaving),
      `${how} ${JSON.stringify(target.name)} within ${target.within}`,
    );
  }

  /** Selects the newest row of the traffic that has all of these texts; `isMenu` opens its menu too. */
  async select(parts: readonly string[], isMenu = false): Promise<void> {
    await until(() => this.#run(selectRow, parts, isMenu), `a row with ${parts.join(', ')}`);
  }

  /** Presses a key where the focus is. */
  async key(key: string, isControl = false): Promise<void> {
    await this.#run(
      (name, ctrlKey) => {
        const event = new KeyboardEvent('keydown', {
          key: name,
          ctrlKey,
          bubbles: true,
          cancelable: true,
        });
        (document.activeElement ?? document.body).dispatchEvent(event);
      },
      key,
      isControl,
    );
  }

  /** Moves the focus to the first element of a selector. */
  async focus(selector: string): Promise<void> {
    await this.#run((css) => document.querySelector<HTMLElement>(css)?.focus(), selector);
  }

  /** Waits until the first element of a selector shows a text. */
  async see(selector: string, text = '', waitMs = WAIT_MS): Promise<void> {
    const what = `${selector} with ${JSON.stringify(text)}`;
    await until(() => this.shows(selector, text), what, waitMs);
  }

  /** Whether any element of a selector shows a text now. */
  async shows(selector: string, text = ''): Promise<boolean> {
    return await this.#run(
      (css, wanted) =>
        [...document.querySelectorAll<HTMLElement>(css)].some(
          (element) =>
            element.getClientRects().length > 0 &&
            element.innerText.replaceAll(/\s+/g, ' ').includes(wanted),
        ),
      selector,
      text,
    );
  }

  /** Connects by the bar at the top, and waits for what comes of it. */
  async connect(url: string, outcome = 'connected'): Promise<void> {
    await this.fill('MCP endpoint URL', url);
    await this.allow('Connect');
    await this.see('[aria-label=Connections]', outcome);
  }

  /** Sends a request by the form for one's own requests, which is left open. */
  async send(method: string, params: object): Promise<void> {
    const form = '[aria-label="Work with the server"]';
    if (!(await this.shows(form))) await this.press('Send a request');
    await this.fill('Method', method, form);
    await this.fill('Params (JSON)', JSON.stringify(params), form);
    await this.press('Send', form);
  }

  /** Waits until nothing is drawn any more, save for what runs all the time. */
  async rest(): Promise<void> {
    await this.#run(async () => {
      const QUIET_MS = 200;
      const PATIENCE_MS = 1500;
      const start = performance.now();
      let last = start;
      const observer = new MutationObserver(() => (last = performance.now()));
      observer.observe(document, { subtree: true, childList: true, attributes: true });
      while (performance.now() - last < QUIET_MS && performance.now() - start < PATIENCE_MS) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      observer.disconnect();
    });
  }
}

/** Asks until it is so; rejects with what was waited for. */
async function until(isSo: () => Promise<boolean>, what: string, waitMs = WAIT_MS): Promise<void> {
  const end = Date.now() + waitMs;
  while (!(await isSo().catch(() => false))) {
    if (Date.now() > end) throw new Error(`There is not: ${what}`);
    await delay(PAUSE_MS);
  }
}

/** What is pressed may replace the page, which then has no answer for us. */
function isDoneByLeaving(error: Error): boolean {
  if (/context was destroyed|unloaded|discarded/.test(error.message)) return true;
  throw error;
}

/** Runs in the page: acts on the first element that is meant; false where there is none yet. */
function actOn(how: Act, target: Target, text: string): boolean {
  const oneLine = (words: string) => words.replaceAll(/\s+/g, ' ').trim();
  const nameOf = (element: Element): string => {
    const label = element.getAttribute('aria-label');
    if (label !== null) return oneLine(label);
    const labels = (element as HTMLInputElement).labels;
    const first = labels?.[0];
    return oneLine((first ?? element).textContent);
  };
  const isThere = (element: Element) =>
    element.getClientRects().length > 0 &&
    element.closest('[inert]') === null &&
    !(element as HTMLButtonElement).disabled;
  const all = [...document.querySelectorAll(target.within)]
    .flatMap((place) => [...place.querySelectorAll<HTMLElement>(target.kind)])
    .filter(isThere);
  const element =
    all.find((one) => nameOf(one) === target.name) ??
    all.find((one) => nameOf(one).startsWith(target.name)) ??
    all.find((one) => nameOf(one).includes(target.name));
  if (element === undefined) return false;
  if (how === 'point') {
    element.setAttribute(text, '');
    return true;
  }
  // As a click does: no ring where nobody uses the keyboard.
  element.focus({ focusVisible: how !== 'press' });
  if (how === 'press') {
    for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup']) {
      element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }));
    }
    element.click();
    return true;
  }
  if (how === 'choose') {
    const list = element as HTMLSelectElement;
    const option = [...list.options].find(({ label }) => oneLine(label).startsWith(text));
    if (option === undefined) return false;
    list.value = option.value;
    list.dispatchEvent(new Event('change', { bubbles: true }));
    return true;
  }
  if (!('value' in element)) {
    document.getSelection()?.selectAllChildren(element);
    return document.execCommand('insertText', false, text);
  }
  element.value = text;
  if (element instanceof HTMLInputElement) element.setSelectionRange(text.length, text.length);
  element.dispatchEvent(new InputEvent('input', { bubbles: true }));
  return true;
}

/** Runs in the page: scrolls through the traffic until the row is drawn, from its end. */
async function selectRow(parts: readonly string[], isMenu: boolean): Promise<boolean> {
  const grid = document.querySelector('[role=treegrid]');
  if (grid === null) return false;
  const find = () =>
    [...grid.querySelectorAll<HTMLElement>('[role=row]')]
      .filter((row) => row.querySelector('[role=gridcell]') !== null)
      .findLast((row) => parts.every((part) => row.innerText.includes(part)));
  for (let top = grid.scrollHeight; top > -grid.clientHeight; top -= grid.clientHeight / 2) {
    grid.scrollTop = Math.max(top, 0);
    // The rows of the place come with the next picture.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const row = find();
    if (row === undefined) continue;
    const middle = grid.getBoundingClientRect().top + grid.clientHeight / 2;
    grid.scrollTop += row.getBoundingClientRect().top - middle;
    row.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }));
    row.click();
    const { left, top: y } = row.getBoundingClientRect();
    const place = { clientX: left + 180, clientY: y + 10 };
    const menu = { bubbles: true, cancelable: true, button: 2, ...place };
    if (isMenu) row.dispatchEvent(new MouseEvent('contextmenu', menu));
    return true;
  }
  return false;
}
