/** A number of a JSON text that JavaScript would change, such as an integer above 2^53: its digits as they stand. */
export class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

/** What `JSON.parse` tells a reviver about a value that is no container. */
interface ReviverContext {
  source?: string;
}

/** Parses JSON without changing a number: one that JavaScript has no exact value for becomes an `ExactNumber`. */
export function parseExact(text: string): unknown {
  function revive(_key: string, value: unknown, context?: ReviverContext): unknown {
    if (typeof value !== 'number' || context?.source === undefined) return value;
    return isExact(value, context.source) ? value : new ExactNumber(context.source);
  }
  return JSON.parse(text, revive);
}

/** Writes a value of `parseExact` as JSON, with every digit that it had. `indent` counts spaces. */
export function writeExact(value: unknown, indent = 0): string {
  const numbers: string[] = [];
  // A text that no server has sent stands for each number, until the JSON around it is written.
  const mark = `\uE000${crypto.randomUUID()}`;
  const text = JSON.stringify(
    value,
    (_key, part: unknown) =>
      part instanceof ExactNumber ? `${mark}${numbers.push(part.digits) - 1}\uE000` : part,
    indent,
  );
  if (numbers.length === 0) return text;
  return text.replaceAll(
    new RegExp(`"${mark}(\\d+)\uE000"`, 'g'),
    (whole, at: string) => numbers[Number(at)] ?? whole,
  );
}

/** The same value with the nearest number that JavaScript has for each, as checks of a schema take it. */
export function toPlain(value: unknown): unknown {
  if (value instanceof ExactNumber) return Number(value.digits);
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toPlain(part)]));
}

function isExact(value: number, source: string): boolean {
  if (Number.isSafeInteger(value)) return !/[.eE]/.test(source) || Number(source) === value;
  if (!Number.isFinite(value)) return false;
  // Digits beyond what a double holds would be lost; how the same number is spelled does not matter.
  return !Number.isInteger(value) && significant(source).length <= 15;
}

function significant(source: string): string {
  const [mantissa = ''] = source.split(/[eE]/);
  return mantissa.replace(/^-?[0.]*/, '').replaceAll('.', '');
}
