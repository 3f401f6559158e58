/** What the user does in a step, counted as it is done. */
export interface Deeds {
  /** A click of the mouse, or a key pressed where a user would click. */
  click(count?: number): void;
  /** A key that stands for a click, such as Enter. Typing is neither. */
  key(count?: number): void;
}

interface Step {
  name: string;
  clicks: number;
  keys: number;
  seconds: number;
  note: string;
}

/** How many clicks and seconds may pass up to the first result of a tool. */
const BOUND = { clicks: 4, seconds: 20 };
const RESULT = 'first tool result';

/** A newcomer's way through one browser, step by step, with what each has cost. */
export class Walk {
  /** Its name and version, once it has started. */
  browser = 'The browser';
  readonly #steps: Step[] = [];

  /** Takes a step. When it fails, the error says which one it was. */
  async step<T>(name: string, note: string, act: (did: Deeds) => Promise<T>): Promise<T> {
    const step = { name, note, clicks: 0, keys: 0, seconds: 0 };
    const began = performance.now();
    try {
      return await act({
        click: (count = 1) => void (step.clicks += count),
        key: (count = 1) => void (step.keys += count),
      });
    } catch (error) {
      throw new Error(`${this.browser}: the step “${name}” failed.`, { cause: error });
    } finally {
      step.seconds = (performance.now() - began) / 1000;
      this.#steps.push(step);
    }
  }

  /** The step that the bound is about, and that ends what it counts. */
  async firstResult<T>(note: string, act: (did: Deeds) => Promise<T>): Promise<T> {
    return await this.step(RESULT, note, act);
  }

  /** Why the bound is not kept; empty where it is. */
  problems(): string[] {
    const { clicks, seconds } = this.#upToResult();
    const problems = [];
    if (!this.#steps.some(({ name }) => name === RESULT)) problems.push('there was no result');
    if (clicks > BOUND.clicks) problems.push(`${clicks} clicks, where ${BOUND.clicks} are allowed`);
    if (seconds > BOUND.seconds) {
      problems.push(`${seconds.toFixed(1)} s, where ${BOUND.seconds} s are allowed`);
    }
    return problems.map((problem) => `${this.browser}: ${problem}`);
  }

  toTable(): string {
    const sum = { name: `up to the ${RESULT}`, ...this.#upToResult() };
    const note = `at most ${BOUND.clicks} clicks and ${BOUND.seconds} s`;
    const at = this.#steps.findIndex(({ name }) => name === RESULT) + 1;
    const rows = [
      ...this.#steps.slice(0, at).map(toCells),
      ...(at > 0 ? [toCells({ ...sum, note })] : []),
      ...this.#steps.slice(at).map(toCells),
    ];
    return [
      this.browser,
      ...formatRows([['step', 'clicks', 'keys', 'seconds', ''], ...rows]).map((row) => `  ${row}`),
    ].join('\n');
  }

  #upToResult(): Pick<Step, 'clicks' | 'keys' | 'seconds'> {
    const at = this.#steps.findIndex(({ name }) => name === RESULT);
    const counted = at < 0 ? this.#steps : this.#steps.slice(0, at + 1);
    const sum = (of: 'clicks' | 'keys' | 'seconds') =>
      counted.reduce((total, step) => total + step[of], 0);
    return { clicks: sum('clicks'), keys: sum('keys'), seconds: sum('seconds') };
  }
}

function toCells({ name, clicks, keys, seconds, note }: Step): string[] {
  return [name, String(clicks), String(keys), seconds.toFixed(2), note];
}

function formatRows(rows: readonly string[][]): string[] {
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
}
