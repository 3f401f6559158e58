import { createOutline, type NodeKind, type Outline } from './outline.ts';
import { locate } from './locate.ts';
import { failAt, scanEscape, scanLiteral, scanNumber, SyntaxFailure } from './scan.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const BOM = 0xfeff;

/** What the next character must be about. */
type Expected =
  | 'value'
  | 'first-key'
  | 'key'
  | 'in-key'
  | 'colon'
  | 'first-item'
  | 'in-string'
  | 'comma'
  | 'end';

/** Reading a JSON text (RFC 8259) bit by bit, for texts that would stop a page if they were read at once. */
export interface OutlineScan {
  readonly text: string;
  /** What has been read so far. */
  readonly outline: Outline;
  /** How far, in UTF-16 units. */
  readonly position: number;
  readonly isDone: boolean;
  /** Where and why the text stops being JSON. */
  readonly failure: { line: number; column: number; message: string } | undefined;
  /** Reads about so many units more. */
  advance(units: number): void;
  /** Reads as much as is no burden. */
  step(): void;
}

const STEP_UNITS = 32 * 1024;

/** Begins to read a text; accepts and refuses the same as `parseJson`, with the same words. */
export function scanOutline(text: string): OutlineScan {
  const outline = createOutline();
  let position = text.charCodeAt(0) === BOM ? 1 : 0;
  let expected: Expected = 'value';
  /** The container that is open, and the string that is. */
  let open = -1;
  let stringNode = -1;
  let keyStart = -1;
  let isDone = false;
  let failure: OutlineScan['failure'];

  function skipSpace(stop: number): number {
    while (position < stop) {
      const code = text.charCodeAt(position);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      position += 1;
    }
    return Number.NaN;
  }

  /** Reads on in a string up to `stop`; says whether its end was reached. */
  function readString(stop: number): boolean {
    while (position < stop) {
      const code = text.charCodeAt(position);
      if (code === QUOTE) {
        position += 1;
        return true;
      }
      if (code === BACKSLASH) position = scanEscape(text, position);
      else if (code >= 0x20) position += 1;
      else failAt(position, 'Control characters must be escaped in a string');
    }
    if (position >= text.length) failAt(position, 'The text ends inside a string');
    return false;
  }

  function add(kind: NodeKind): number {
    const node = outline.add(kind, position, open, keyStart);
    keyStart = -1;
    return node;
  }

  function addWhole(kind: NodeKind, end: number): void {
    outline.close(add(kind), end);
    position = end;
    closed();
  }

  function closed(): void {
    expected = open < 0 ? 'end' : 'comma';
  }

  function closeContainer(): void {
    position += 1;
    outline.close(open, position);
    open = outline.parentOf(open);
    closed();
  }

  function readValue(code: number): void {
    switch (code) {
      case OPEN_BRACE:
      case OPEN_BRACKET:
        open = add(code === OPEN_BRACE ? 'object' : 'array');
        expected = code === OPEN_BRACE ? 'first-key' : 'first-item';
        position += 1;
        return;
      case QUOTE:
        stringNode = add('string');
        expected = 'in-string';
        position += 1;
        return;
      case 0x74:
        return addWhole('true', scanLiteral(text, position, 'true'));
      case 0x66:
        return addWhole('false', scanLiteral(text, position, 'false'));
      case 0x6e:
        return addWhole('null', scanLiteral(text, position, 'null'));
      default:
        return addWhole('number', scanNumber(text, position));
    }
  }

  function readKey(code: number): void {
    if (code !== QUOTE) missing('a name in double quotes');
    keyStart = position;
    position += 1;
    expected = 'in-key';
  }

  function missing(what: string): never {
    failAt(position, position < text.length ? `Expected ${what}` : 'The text ends too early');
  }

  function readComma(code: number): void {
    const isObject = outline.kindOf(open) === 'object';
    if (code === COMMA) {
      position += 1;
      expected = isObject ? 'key' : 'value';
    } else if (code === (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) closeContainer();
    else missing(`"," or "${isObject ? '}' : ']'}"`);
  }

  function readOn(stop: number): void {
    switch (expected) {
      case 'in-string':
        if (!readString(stop)) return;
        outline.close(stringNode, position);
        return closed();
      case 'in-key':
        if (readString(stop)) expected = 'colon';
        return;
      default:
    }
    const code = skipSpace(stop);
    if (position >= stop && stop < text.length) return;
    switch (expected) {
      case 'value':
        return readValue(code);
      case 'first-item':
        return code === CLOSE_BRACKET ? closeContainer() : readValue(code);
      case 'first-key':
        return code === CLOSE_BRACE ? closeContainer() : readKey(code);
      case 'key':
        return readKey(code);
      case 'colon':
        if (code !== COLON) missing('":" after the name');
        position += 1;
        expected = 'value';
        return;
      case 'comma':
        return readComma(code);
      case 'end':
        if (position < text.length) failAt(position, 'Expected nothing after the value');
        isDone = true;
    }
  }

  function advance(units: number): void {
    const stop = Math.min(position + units, text.length);
    try {
      while (!isDone && (position < stop || stop === text.length)) readOn(stop);
    } catch (error) {
      if (!(error instanceof SyntaxFailure)) throw error;
      isDone = true;
      failure = { ...locate(text, error.offset), message: error.message };
    }
  }

  return {
    text,
    outline,
    get position() {
      return position;
    },
    get isDone() {
      return isDone;
    },
    get failure() {
      return failure;
    },
    advance,
    step: () => advance(STEP_UNITS),
  };
}
