import { expect } from 'vitest';
import type { Marionette } from './marionette.ts';
import { look, type Step, type Wanted } from './look.ts';

const WAIT = { timeout: 15_000, interval: 50 };

const NOT_YET =
  /^(?:no such element|element not interactable|stale element reference|element click)/;

/** A part of the page that is in front, by roles and names as a screen reader has them; looked for anew each time. */
export class Part {
  readonly #marionette: Marionette;
  readonly #steps: readonly Step[];

  constructor(marionette: Marionette, steps: readonly Step[] = []) {
    this.#marionette = marionette;
    this.#steps = steps;
  }

  /** The parts of a role inside; a name is the whole of it. */
  role(role: string, name?: string | RegExp): Part {
    return this.#with({ role, ...(name === undefined ? {} : { name: toWanted(name) }) });
  }

  /** Those of the parts whose text is like this. */
  like(text: RegExp): Part {
    return this.#with({ text: toWanted(text) });
  }

  /** Those in which there is something of a role. */
  holding(role: string): Part {
    return this.#with({ holds: role });
  }

  /** What has no role and no name. */
  css(selector: string): Part {
    return this.#with({ css: selector });
  }

  /** Where keys go. */
  get focused(): Part {
    return this.#with({ isActive: true });
  }

  at(index: number): Part {
    return this.#with({ at: index });
  }

  async click(): Promise<void> {
    await this.#act((id) => this.#marionette.command('WebDriver:ElementClick', { id }));
  }

  /** Clicks it, unless it goes away meanwhile. */
  async clickIfThere(): Promise<void> {
    try {
      await this.#actOnce((id) => this.#marionette.command('WebDriver:ElementClick', { id }));
    } catch (error) {
      if (!isEarly(error)) throw error;
    }
  }

  /** With the other button of the mouse. */
  async openMenu(): Promise<void> {
    await this.#point([
      { type: 'pointerDown', button: 2 },
      { type: 'pointerUp', button: 2 },
    ]);
  }

  async hover(): Promise<void> {
    await this.#point([]);
  }

  async doubleClick(): Promise<void> {
    const once = [
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await this.#point([...once, ...once]);
  }

  /** Drags from one place to another, both as parts of the width. */
  async drag(from: number, to: number): Promise<void> {
    await this.#act(async (id) => {
      const { width } = await this.#evaluate<{ width: number }>(
        '([element]) => ({ width: element.getBoundingClientRect().width })',
      );
      const at = (share: number) => Math.round((share - 0.5) * width);
      const move = (share: number) => ({
        type: 'pointerMove',
        origin: elementReference(id),
        x: at(share),
        y: 0,
      });
      await this.#perform([
        move(from),
        { type: 'pointerDown', button: 0 },
        move((from + to) / 2),
        move(to),
        { type: 'pointerUp', button: 0 },
      ]);
    });
  }

  /** Presses keys in it, such as `Control+Shift+f` or `Enter`, one after the other. */
  async press(...keys: string[]): Promise<void> {
    await this.type(keys.map(toKeys).join(''));
  }

  /** Types into it, where its caret is. */
  async type(text: string): Promise<void> {
    await this.#act((id) => this.#marionette.command('WebDriver:ElementSendKeys', { id, text }));
  }

  /** Replaces the content of a field. */
  async fill(text: string): Promise<void> {
    await this.type(`${toKeys('Control+a')}${toKeys('Delete')}${text}`);
  }

  /** Takes a choice of a list by what it is called. */
  async choose(choice: string): Promise<void> {
    await this.role('option', choice).click();
  }

  /** Text of each, as it is shown. */
  async texts(): Promise<string[]> {
    return await this.#evaluate<string[]>(
      `(elements) => elements.map((element) => element.innerText.replaceAll(/\\s+/g, ' ').trim())`,
    );
  }

  async attribute(name: string): Promise<string | null> {
    return await this.#evaluate(`([element]) => element?.getAttribute(${JSON.stringify(name)})`);
  }

  /** Runs a function with the first of them. */
  async read<T>(script: (element: HTMLElement) => T): Promise<T> {
    return await this.#evaluate(`([element]) => (${script.toString()})(element)`);
  }

  /** Waits until its text, or that of any of them, is like this. */
  async shows(text: RegExp | string): Promise<void> {
    const read = async () => {
      const texts = await this.texts();
      return texts.some((other) => isLike(other, text)) || texts;
    };
    await expect.poll(read, { ...WAIT, message: `${this.toString()} shows ${text}` }).toBe(true);
  }

  /** Waits until none of them shows this. */
  async lacks(text: RegExp | string): Promise<void> {
    const read = async () => (await this.texts()).filter((other) => isLike(other, text));
    await expect.poll(read, { ...WAIT, message: `${this.toString()} lacks ${text}` }).toEqual([]);
  }

  /** Waits until there are so many. */
  async counts(count: number): Promise<void> {
    const read = async () => {
      const texts = await this.texts();
      return texts.length === count ? count : texts;
    };
    await expect.poll(read, { ...WAIT, message: `${count} of ${this.toString()}` }).toBe(count);
  }

  /** Waits until there is one at least. */
  async appears(): Promise<void> {
    const read = async () => (await this.texts()).length;
    await expect.poll(read, { ...WAIT, message: `${this.toString()} appears` }).toBeGreaterThan(0);
  }

  async isGone(): Promise<void> {
    await this.counts(0);
  }

  /** Waits until an attribute has this value. */
  async has(name: string, value: string | RegExp): Promise<void> {
    const read = async () => {
      const now = await this.attribute(name);
      const isIt = typeof value === 'string' ? now === value : value.test(now ?? '');
      return isIt || now;
    };
    await expect.poll(read, { ...WAIT, message: `${name} of ${this.toString()}` }).toBe(true);
  }

  /** Waits until a field contains this. */
  async holds(value: string): Promise<void> {
    const read = () => this.#evaluate<string>('([element]) => element?.value');
    await expect.poll(read, { ...WAIT, message: `value of ${this.toString()}` }).toBe(value);
  }

  /** Waits until it, or something in it, has the focus. */
  async hasFocus(): Promise<void> {
    const read = () =>
      this.#evaluate<string | true>(
        `([element]) => element?.contains(document.activeElement) ||
          (document.activeElement?.outerHTML ?? '').slice(0, 200)`,
      );
    await expect.poll(read, { ...WAIT, message: `${this.toString()} has the focus` }).toBe(true);
  }

  toString(): string {
    return this.#steps.map((step) => JSON.stringify(step)).join(' ');
  }

  #with(step: Step): Part {
    return new Part(this.#marionette, [...this.#steps, step]);
  }

  async #evaluate<T>(script: string): Promise<T> {
    const source = `(steps) => (${script})((${look.toString()})(steps))`;
    return await this.#marionette.evaluate<T>(source, [this.#steps]);
  }

  async #point(actions: object[]): Promise<void> {
    await this.#act(async (id) => {
      const move = { type: 'pointerMove', origin: elementReference(id), x: 0, y: 0 };
      await this.#perform([move, ...actions]);
    });
  }

  async #perform(actions: object[]): Promise<void> {
    const pointer = { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions };
    await this.#marionette.command('WebDriver:PerformActions', { actions: [pointer] });
  }

  /** Firefox looks for an element once; a page may still be drawing it. */
  async #act(act: (id: string) => Promise<unknown>): Promise<void> {
    const end = Date.now() + WAIT.timeout;
    for (;;) {
      try {
        await this.#actOnce(act);
        return;
      } catch (error) {
        if (!isEarly(error) || Date.now() > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, WAIT.interval));
      }
    }
  }

  async #actOnce(act: (id: string) => Promise<unknown>): Promise<void> {
    const [first] = await this.#evaluate<unknown[]>('(elements) => elements.slice(0, 1)');
    if (first === undefined) throw new Error(`no such element: ${this.toString()}`);
    await act(referenceOf(first));
  }
}

function isEarly(error: unknown): boolean {
  return error instanceof Error && NOT_YET.test(error.message);
}

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

const elementReference = (id: string) => ({ [ELEMENT]: id });

function referenceOf(value: unknown): string {
  return String(Reflect.get(Object(value), ELEMENT));
}

function toWanted(name: string | RegExp): Wanted {
  return typeof name === 'string' ? name : { source: name.source, flags: name.flags };
}

function isLike(text: string, wanted: RegExp | string): boolean {
  return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
}

const KEYS: Record<string, string> = {
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  Space: ' ',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
  F10: '\uE03A',
};

/** What WebDriver calls a key with those that are held: naming one of them again lets it go. */
function toKeys(key: string): string {
  const parts = key.length === 1 ? [key] : key.split('+');
  const texts = parts.map((part) => KEYS[part] ?? part);
  return [...texts, ...texts.slice(0, -1)].join('');
}
