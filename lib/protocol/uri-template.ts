/** A URI template in parts (RFC 6570, levels 1 to 4): literal text, and expressions with their variables. */
export interface UriTemplate {
  parts: readonly (string | Expression)[];
  /** Names of all variables, in their order, each once. */
  variables: readonly string[];
}

interface Expression {
  operator: Operator;
  variables: readonly { name: string; prefix?: number; isExploded: boolean }[];
}

interface Operator {
  first: string;
  separator: string;
  isNamed: boolean;
  /** Written after the name of an empty value. */
  ifEmpty: string;
  isReserved: boolean;
}

/** RFC 6570, appendix A. */
const OPERATORS: Record<string, Operator> = {
  '': { first: '', separator: ',', isNamed: false, ifEmpty: '', isReserved: false },
  '+': { first: '', separator: ',', isNamed: false, ifEmpty: '', isReserved: true },
  '#': { first: '#', separator: ',', isNamed: false, ifEmpty: '', isReserved: true },
  '.': { first: '.', separator: '.', isNamed: false, ifEmpty: '', isReserved: false },
  '/': { first: '/', separator: '/', isNamed: false, ifEmpty: '', isReserved: false },
  ';': { first: ';', separator: ';', isNamed: true, ifEmpty: '', isReserved: false },
  '?': { first: '?', separator: '&', isNamed: true, ifEmpty: '=', isReserved: false },
  '&': { first: '&', separator: '&', isNamed: true, ifEmpty: '=', isReserved: false },
};

const VARIABLE =
  /^((?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*)(\*|:[1-9]\d{0,3})?$/;

/** Reads a template, or says what is wrong with it. */
export function parseUriTemplate(
  text: string,
): { ok: true; template: UriTemplate } | { ok: false; reason: string } {
  const parts: (string | Expression)[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('{', at);
    const literal = text.slice(at, open < 0 ? undefined : open);
    if (literal.includes('}')) return { ok: false, reason: 'a “}” has no “{” before it' };
    if (literal !== '') parts.push(literal);
    if (open < 0) break;
    const close = text.indexOf('}', open);
    if (close < 0) return { ok: false, reason: 'a “{” is never closed' };
    const inner = text.slice(open + 1, close);
    const expression = parseExpression(inner);
    if (expression === undefined) return { ok: false, reason: `“{${inner}}” is no expression` };
    parts.push(expression);
    at = close + 1;
  }
  const names = parts.flatMap((part) =>
    typeof part === 'string' ? [] : part.variables.map(({ name }) => name),
  );
  return { ok: true, template: { parts, variables: [...new Set(names)] } };
}

function parseExpression(inner: string): Expression | undefined {
  const sign = /^[+#./;?&]/.exec(inner)?.[0] ?? '';
  const operator = OPERATORS[sign];
  const found = inner
    .slice(sign.length)
    .split(',')
    .map((each) => VARIABLE.exec(each));
  const variables = found.flatMap((match) => {
    const [, name, modifier = ''] = match ?? [];
    if (name === undefined) return [];
    const prefix = modifier.startsWith(':') ? { prefix: Number(modifier.slice(1)) } : {};
    return [{ name, isExploded: modifier === '*', ...prefix }];
  });
  if (operator === undefined || variables.length !== found.length) return undefined;
  return { operator, variables };
}

/** Expands a template (RFC 6570, 3.2); a variable without a value leaves no trace. */
export function expandUriTemplate(
  { parts }: UriTemplate,
  values: Readonly<Record<string, string | readonly string[] | undefined>>,
): string {
  return parts
    .map((part) => (typeof part === 'string' ? encode(part, true) : expand(part, values)))
    .join('');
}

function expand(
  { operator, variables }: Expression,
  values: Readonly<Record<string, string | readonly string[] | undefined>>,
): string {
  const { first, separator, isReserved } = operator;
  const expanded = variables.flatMap(({ name, prefix, isExploded }) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || (typeof value !== 'string' && value.length === 0)) return [];
    if (typeof value !== 'string') {
      const items = value.map((item) => encode(item, isReserved));
      const isSplit = isExploded && operator.isNamed;
      if (isSplit) return [items.map((item) => named(operator, name, item)).join(separator)];
      return [named(operator, name, items.join(isExploded ? separator : ','))];
    }
    const cut = prefix === undefined ? value : Array.from(value).slice(0, prefix).join('');
    return [named(operator, name, encode(cut, isReserved))];
  });
  return expanded.length === 0 ? '' : first + expanded.join(separator);
}

function named({ isNamed, ifEmpty }: Operator, name: string, value: string): string {
  if (!isNamed) return value;
  return value === '' ? name + ifEmpty : `${name}=${value}`;
}

/** Escapes what may not stand in a URI; with `isReserved`, its delimiters and escapes stay as they are. */
function encode(text: string, isReserved: boolean): string {
  const kept = isReserved
    ? /%[0-9A-Fa-f]{2}|[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]+/g
    : /[A-Za-z0-9\-._~]+/g;
  let result = '';
  let at = 0;
  for (const match of text.matchAll(kept)) {
    result += escaped(text.slice(at, match.index)) + match[0];
    at = match.index + match[0].length;
  }
  return result + escaped(text.slice(at));
}

function escaped(text: string): string {
  // A lone surrogate has no bytes of its own.
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
