import { authorizationSpans, headerSpans } from './headers.ts';
import { memberClass, paramClass } from './names.ts';
import { NO_RULES, type SecretRules } from './rules.ts';
import { numberSpan, shiftSpans, type SecretSpan } from './spans.ts';

/** Every name that `memberClass` knows holds one of these. */
const TELLING =
  /token|secret|passw|passphrase|api[-_]?key|authorization|credential|private[-_]?key|access[-_]?key|cookie|session|assertion|verifier/gi;
/** Quotes may be escaped once or more, where JSON stands in a string of JSON. */
const ANY_NAME = /"(?<name>[^"\\\s]{1,64})\\*"\s*:/g;
const NAME_SIGN = /[\w.$-]/;
const LONGEST_NAME = 64;
/** A name and a value that are members of their own, as lists of headers have them. */
const NAMED_VALUE =
  /\\*"(?:name|key)\\*"\s*:\s*\\*"(?<name>[\w-]{2,64})\\*"\s*,\s*\\*"value\\*"\s*:/g;

/**
 * Where members of JSON stand whose names give their values away, at any depth, also in JSON that is a string of
 * JSON, or that is cut off. In what an authorization server says, `isOfOauth`, more names are telling.
 */
export function memberSpans(
  text: string,
  isOfOauth: boolean,
  rules: SecretRules = NO_RULES,
): SecretSpan[] {
  if (!text.includes('"')) return [];
  const found: SecretSpan[] = [];
  const look = (name: string, afterName: number) => {
    const secretClass = classOf(name, isOfOauth, rules);
    if (secretClass !== undefined) found.push(...spansBehind(text, name, afterName, secretClass));
  };
  if (isOfOauth || rules !== NO_RULES) {
    for (const { 0: whole, groups, index } of text.matchAll(ANY_NAME)) {
      look(groups?.['name'] ?? '', index + whole.length);
    }
  } else {
    for (const { index } of text.matchAll(TELLING)) {
      const name = nameAround(text, index);
      if (name !== undefined) look(name.text, name.end);
    }
  }
  if (text.includes('"value')) found.push(...namedValues(text, rules));
  if (/\\u00[4-7]/.test(text)) found.push(...escapedMembers(text, isOfOauth, rules));
  return found;
}

function classOf(name: string, isOfOauth: boolean, rules: SecretRules): string | undefined {
  const secretClass = memberClass(name) ?? (isOfOauth ? paramClass(name) : undefined);
  return secretClass ?? (rules.isSecretName(name.toLowerCase()) ? 'own' : undefined);
}

/** The name in quotes that a place lies in, and where what is behind its quote begins. */
function nameAround(text: string, at: number): { text: string; end: number } | undefined {
  let start = at;
  while (start > 0 && at - start < LONGEST_NAME && NAME_SIGN.test(text.charAt(start - 1))) {
    start -= 1;
  }
  if (text.charAt(start - 1) !== '"') return undefined;
  let end = at;
  while (end - start < LONGEST_NAME && NAME_SIGN.test(text.charAt(end))) end += 1;
  const name = text.slice(start, end);
  while (text.charAt(end) === '\\') end += 1;
  return text.charAt(end) === '"' ? { text: name, end: end + 1 } : undefined;
}

/** A whole number that may be a secret: shorter ones are counts. */
const NUMBER = /\s*:?\s*(\d{4,})(?![\d.eE])/y;
const LIST = /\s*:?\s*\[/y;

/** What the value behind a name gives away: a string, every string of a list, or a number. */
function spansBehind(text: string, name: string, from: number, secretClass: string): SecretSpan[] {
  const value = valueBehind(text, from);
  if (value !== undefined) return valueSpans(text, name, value, secretClass);
  NUMBER.lastIndex = from;
  const [number, digits = ''] = NUMBER.exec(text) ?? [];
  if (number !== undefined) {
    return numberSpan(text, from + number.length - digits.length, digits.length, `member ${name}`);
  }
  LIST.lastIndex = from;
  const list = LIST.exec(text);
  const found: SecretSpan[] = [];
  let at = from + (list?.[0].length ?? 0);
  let item = list === null ? undefined : valueBehind(text, at, /\s*(\\*)"/y);
  while (item !== undefined) {
    found.push(...valueSpans(text, name, item, secretClass));
    at = item.offset + item.length;
    item = valueBehind(text, at, /\\*"\s*,\s*(\\*)"/y);
  }
  return found;
}

interface StringValue {
  offset: number;
  length: number;
  /** How often it has to be unescaped. */
  depth: number;
}

/** The string that is the value behind a name, whose colon may have been read, or behind what else opens it. */
function valueBehind(
  text: string,
  from: number,
  opening = /\s*:?\s*(\\*)"/y,
): StringValue | undefined {
  opening.lastIndex = from;
  const match = opening.exec(text);
  if (match === null) return undefined;
  const slashes = match[1]?.length ?? 0;
  const offset = from + match[0].length;
  // A quote of the same depth ends it: one within has more of them before it.
  for (let at = text.indexOf('"', offset); at >= 0; at = text.indexOf('"', at + 1)) {
    let run = 0;
    while (at - run > offset && text.charAt(at - run - 1) === '\\') run += 1;
    if (run % (2 * (slashes + 1)) !== slashes) continue;
    return { offset, length: at - slashes - offset, depth: Math.log2(slashes + 1) + 1 };
  }
  // It is cut off, and so is what is within it.
  return { offset, length: text.length - offset, depth: 0 };
}

function valueSpans(
  text: string,
  name: string,
  { offset, length, depth }: StringValue,
  secretClass: string,
): SecretSpan[] {
  if (length === 0) return [];
  const where = `member ${name}`;
  const raw = text.slice(offset, offset + length);
  if (/authorization$/i.test(name)) return shiftSpans(authorizationSpans(raw, where), offset);
  return [{ offset, length, secretClass, where, value: unescaped(raw, depth) }];
}

function unescaped(raw: string, depth: number): string {
  let value = raw;
  for (let turn = 0; turn < depth && value.includes('\\'); turn += 1) {
    try {
      value = String(JSON.parse(`"${value}"`));
    } catch {
      return value;
    }
  }
  return value;
}

function namedValues(text: string, rules: SecretRules): SecretSpan[] {
  return [...text.matchAll(NAMED_VALUE)].flatMap(({ 0: whole, groups, index }) => {
    const name = groups?.['name'] ?? '';
    const value = valueBehind(text, index + whole.length);
    if (value === undefined || value.length === 0) return [];
    const { offset, length, depth } = value;
    const raw = text.slice(offset, offset + length);
    const spans = shiftSpans(headerSpans(name, raw, rules), offset);
    return spans.map((span) => ({ ...span, value: unescaped(span.value, depth) }));
  });
}

/** Names whose letters are escaped are seen only once they are read. Where their values stand is found by them. */
function escapedMembers(text: string, isOfOauth: boolean, rules: SecretRules): SecretSpan[] {
  const found: SecretSpan[] = [];
  const names = /"(?<name>(?:[^"\\]|\\.){1,400})"\s*:/g;
  for (const { 0: whole, groups, index } of text.matchAll(names)) {
    const name = groups?.['name'] ?? '';
    if (!name.includes('\\u')) continue;
    const plain = unescaped(name, 1);
    const secretClass = classOf(plain, isOfOauth, rules);
    const from = index + whole.length;
    if (secretClass !== undefined) found.push(...spansBehind(text, plain, from, secretClass));
  }
  return found;
}
