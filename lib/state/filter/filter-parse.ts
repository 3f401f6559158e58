/** One part of a filter as it was written. */
export interface FilterTerm {
  isNegated: boolean;
  /** Where it stands in the text, in UTF-16 units. */
  start: number;
  end: number;
  what:
    | { kind: 'text'; text: string }
    | { kind: 'regex'; source: string; flags: string }
    /** `key` as written. `isQuoted`: the value stood in quotation marks. */
    | { kind: 'pair'; key: string; value: string; isQuoted: boolean };
}

const SPACE = /\s/;
const KEY = /^[a-z][a-z0-9-]*$/i;
const FLAGS = /^[dgimsuvy]*$/;

/** Cuts a filter into its terms; never fails: whatever it holds is at least text. */
export function parseTerms(text: string): FilterTerm[] {
  const terms: FilterTerm[] = [];
  let at = 0;
  while (at < text.length) {
    if (SPACE.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const start = at;
    const isNegated = text[at] === '-' && at + 1 < text.length && !SPACE.test(text.charAt(at + 1));
    const { what, end } = readTerm(text, isNegated ? at + 1 : at);
    terms.push({ isNegated, start, end, what });
    at = end;
  }
  return terms;
}

function readTerm(text: string, start: number): { what: FilterTerm['what']; end: number } {
  if (text[start] === '"') {
    const { value, end } = readQuoted(text, start);
    return { what: { kind: 'text', text: value }, end };
  }
  const regex = text[start] === '/' ? readRegex(text, start) : undefined;
  if (regex !== undefined) return regex;
  const end = endOfWord(text, start);
  const word = text.slice(start, end);
  const colon = word.indexOf(':');
  const key = word.slice(0, Math.max(colon, 0));
  if (!KEY.test(key)) return { what: { kind: 'text', text: word }, end };
  if (text[start + colon + 1] === '"') {
    const quoted = readQuoted(text, start + colon + 1);
    return {
      what: { kind: 'pair', key, value: quoted.value, isQuoted: true },
      end: quoted.end,
    };
  }
  const value = word.slice(colon + 1);
  return { what: { kind: 'pair', key, value, isQuoted: false }, end };
}

function endOfWord(text: string, start: number): number {
  let end = start;
  while (end < text.length && !SPACE.test(text.charAt(end))) end += 1;
  return end;
}

/** Up to the closing mark, or to the end where there is none yet. A backslash keeps a mark or itself. */
function readQuoted(text: string, start: number): { value: string; end: number } {
  let value = '';
  let at = start + 1;
  while (at < text.length && text[at] !== '"') {
    const isEscape = text[at] === '\\' && (text[at + 1] === '"' || text[at + 1] === '\\');
    if (isEscape) at += 1;
    value += text.charAt(at);
    at += 1;
  }
  return { value, end: Math.min(at + 1, text.length) };
}

/** `/source/flags` up to a space; undefined where it is a path and no regular expression. */
function readRegex(text: string, start: number) {
  let isInClass = false;
  for (let at = start + 1; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '\\') at += 1;
    else if (sign === '[') isInClass = true;
    else if (sign === ']') isInClass = false;
    else if (sign === '/' && !isInClass) {
      const end = endOfWord(text, at);
      const flags = text.slice(at + 1, end);
      const source = text.slice(start + 1, at);
      if (source !== '' && FLAGS.test(flags)) {
        return { what: { kind: 'regex', source, flags } as const, end };
      }
    }
  }
  return undefined;
}

/** A value as it has to be written to mean just that text. */
export function quoteValue(value: string): string {
  const isPlain = /^[^\s"*]+$/.test(value);
  return isPlain ? value : `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
