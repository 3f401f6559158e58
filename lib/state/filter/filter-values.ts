/** Tells whether a text is what a value asks for, whatever the case. `*` stands for anything. */
export type TextTest = (text: string | undefined) => boolean;

/** A test for the whole of a text. */
export function equals(value: string, isQuoted = false): TextTest {
  const wanted = value.toLowerCase();
  if (isQuoted || !wanted.includes('*')) return (text) => text?.toLowerCase() === wanted;
  const parts = wanted.split('*');
  return (text) => text !== undefined && isInOrder(text.toLowerCase(), parts);
}

/** Whether a text begins with the first part, ends with the last, and has the others in order between them. */
function isInOrder(text: string, parts: readonly string[]): boolean {
  const [first = '', last = ''] = [parts.at(0), parts.at(-1)];
  const end = text.length - last.length;
  if (first.length > end || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= end;
}

/** A test for a part of a text; with `*`, for the whole of it. */
export function contains(value: string, isQuoted = false): TextTest {
  if (!isQuoted && value.includes('*')) return equals(value);
  const wanted = value.toLowerCase();
  return (text) => text?.toLowerCase().includes(wanted) ?? false;
}

const SIZE_UNITS: Record<string, number> = {
  '': 1,
  b: 1,
  k: 1e3,
  kb: 1e3,
  m: 1e6,
  mb: 1e6,
  g: 1e9,
  gb: 1e9,
};
const TIME_UNITS: Record<string, number> = {
  '': 1,
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
};

/** Bytes of `100`, `1k`, `1.5MB`; undefined for anything else. Units of 1000, as sizes are shown. */
export function parseSize(value: string): number | undefined {
  return parseQuantity(value, SIZE_UNITS);
}

/** Milliseconds of `500`, `500ms`, `1.5s`, `2min`; undefined for anything else. */
export function parseTime(value: string): number | undefined {
  return parseQuantity(value, TIME_UNITS);
}

function parseQuantity(value: string, units: Record<string, number>): number | undefined {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d*)?|\.\d+)([a-z]*)$/i.exec(value) ?? [];
  const factor = Object.hasOwn(units, unit.toLowerCase()) ? units[unit.toLowerCase()] : undefined;
  return amount === '' || factor === undefined ? undefined : Number(amount) * factor;
}
