/** Where and why a text stops being JSON; never leaves `lib/json`. */
export class SyntaxFailure extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const NINE = 0x39;

/** Throws the `SyntaxFailure` for an offset. */
export function failAt(offset: number, message: string): never {
  throw new SyntaxFailure(offset, message);
}

/** The first position from `position` on that is no white space (RFC 8259, 2). */
export function skipSpace(text: string, position: number): number {
  for (;;) {
    const code = text.charCodeAt(position);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return position;
    position += 1;
  }
}

/** The end of the string that opens at `start` (RFC 8259, 7). */
export function scanString(text: string, start: number): number {
  let position = start + 1;
  for (;;) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) return position + 1;
    if (code === BACKSLASH) position = scanEscape(text, position);
    else if (code >= 0x20) position += 1;
    else if (position >= text.length) failAt(position, 'The text ends inside a string');
    else failAt(position, 'Control characters must be escaped in a string');
  }
}

/** The end of the escape that begins with this backslash (RFC 8259, 7). */
export function scanEscape(text: string, backslash: number): number {
  const letter = text.charAt(backslash + 1);
  if (letter === '') failAt(backslash + 1, 'The text ends inside a string');
  if ('"\\/bfnrt'.includes(letter)) return backslash + 2;
  if (letter !== 'u') failAt(backslash + 1, `Unknown escape "\\${letter}"`);
  for (let position = backslash + 2; position < backslash + 6; position += 1) {
    if (position >= text.length) failAt(position, 'The text ends inside a string');
    if (!/[0-9a-fA-F]/.test(text.charAt(position))) {
      failAt(position, 'Expected four hexadecimal digits after "\\u"');
    }
  }
  return backslash + 6;
}

/** The end of the number that begins at `start` (RFC 8259, 6); fails where no value of any kind begins. */
export function scanNumber(text: string, start: number): number {
  let position = start;
  if (text.charAt(position) === '-') position += 1;
  else if (position >= text.length) failAt(position, 'The text ends where a value should be');
  else if (!isDigit(text, position)) failAt(position, 'Expected a value');

  if (text.charCodeAt(position) === ZERO) position += 1;
  else position = scanDigits(text, position);
  if (isDigit(text, position)) failAt(position, 'A number must not begin with 0');

  if (text.charAt(position) === '.') position = scanDigits(text, position + 1);
  const exponent = text.charAt(position);
  if (exponent === 'e' || exponent === 'E') {
    position += 1;
    const sign = text.charAt(position);
    if (sign === '+' || sign === '-') position += 1;
    position = scanDigits(text, position);
  }
  return position;
}

function scanDigits(text: string, start: number): number {
  if (!isDigit(text, start)) failAt(start, 'Expected a digit');
  let position = start + 1;
  while (isDigit(text, position)) position += 1;
  return position;
}

function isDigit(text: string, position: number): boolean {
  const code = text.charCodeAt(position);
  return code >= ZERO && code <= NINE;
}

/** The end of `true`, `false` or `null` at `start`. */
export function scanLiteral(text: string, start: number, word: string): number {
  for (let index = 1; index < word.length; index += 1) {
    if (text.charCodeAt(start + index) !== word.charCodeAt(index)) {
      failAt(start + index, `Expected "${word}"`);
    }
  }
  return start + word.length;
}
