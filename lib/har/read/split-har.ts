import { AppError } from '../../errors.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;

/** Where the arrays are whose elements are handed out, as paths of keys. */
const LISTS = { 'log.entries': 'entry', 'log._mcp.events': 'event' } as const;

/** What a file is made of, as text of JSON. */
export interface HarParts {
  entry(text: string): void;
  event(text: string): void;
}

export interface HarSplitter {
  push(bytes: Uint8Array): void;
  /** What is left of the file without the elements, as JSON; closed where the file was cut off. */
  end(): { shell: string; isCut: boolean };
}

/** One element larger than this is more than a page can hold. */
const ELEMENT_BYTES = 256 * 1024 * 1024;
/** No tool comes near it; without a limit, a file of brackets alone would fill the memory. */
const DEEPEST = 1000;

interface Level {
  isArray: boolean;
  /** In an object: the key whose value comes. */
  key: string;
  /** In an object: whether the next string is a key. */
  wantsKey: boolean;
}

/**
 * Cuts a HAR file into its entries without parsing it as a whole: a text of some hundred megabytes is more than one
 * string may hold. It looks at bytes: those of multibyte characters never look like quotes or brackets. Throws an
 * `AppError` where one element is too large.
 */
export function createHarSplitter(parts: HarParts): HarSplitter {
  const levels: Level[] = [];
  const shell = createCollector();
  const element = createCollector();
  /** What is being handed out, and how deep in it we are; 0 for what is no object and no array. */
  let taking: { kind: keyof HarParts; depth: number } | undefined;
  let isInString = false;
  let isEscaped = false;
  let keyText = createCollector();
  let isKey = false;

  function listHere(): keyof HarParts | undefined {
    const top = levels.at(-1);
    if (top?.isArray !== true || levels.length > 4) return undefined;
    const path = levels.slice(0, -1).map(({ key }) => key);
    return LISTS[path.join('.') as keyof typeof LISTS];
  }

  function open(isArray: boolean): void {
    if (levels.length === DEEPEST) {
      const message = `The file is nested more than ${DEEPEST} levels deep outside of its entries.`;
      throw new AppError({ code: 'file-invalid', message });
    }
    levels.push({ isArray, key: '', wantsKey: !isArray });
  }

  function push(bytes: Uint8Array): void {
    let from = 0;
    let at = 0;
    const flush = (to: number): void => {
      const part = bytes.subarray(from, to);
      from = to;
      if (taking === undefined) shell.add(part);
      else if (element.add(part) > ELEMENT_BYTES) {
        const message = 'One entry of the file is larger than 256 MB, more than a page can hold.';
        throw new AppError({ code: 'file-invalid', message });
      }
    };
    const finish = (to: number): void => {
      flush(to);
      const kind = taking?.kind ?? 'entry';
      taking = undefined;
      parts[kind](element.take());
    };
    const begin = (kind: keyof HarParts, depth: 0 | 1): void => {
      flush(at);
      taking = { kind, depth };
    };

    while (at < bytes.length) {
      if (isInString) {
        at = endOfString(bytes, at);
        continue;
      }
      const byte = bytes[at] ?? 0;
      const list = taking === undefined ? listHere() : undefined;
      if (taking?.depth === 0 && (byte === COMMA || byte === ARRAY_END)) finish(at);
      switch (byte) {
        case QUOTE:
          if (list !== undefined) begin(list, 0);
          isKey = levels.at(-1)?.wantsKey === true && taking === undefined;
          if (isKey) keyText = createCollector();
          isInString = true;
          break;
        case OBJECT:
        case ARRAY:
          if (list !== undefined) begin(list, 1);
          else if (taking !== undefined) taking.depth += 1;
          else open(byte === ARRAY);
          break;
        case OBJECT_END:
        case ARRAY_END:
          if (taking === undefined) levels.pop();
          else if ((taking.depth -= 1) === 0) finish(at + 1);
          break;
        case COLON: {
          const top = levels.at(-1);
          if (top !== undefined) top.wantsKey = false;
          break;
        }
        case COMMA: {
          const top = levels.at(-1);
          if (top?.isArray === false) top.wantsKey = true;
          // Between elements that are handed out there is nothing left to part.
          if (taking === undefined && listHere() !== undefined) {
            flush(at);
            from = at + 1;
          }
          break;
        }
        default:
          if (list !== undefined && byte > 0x20) begin(list, 0);
      }
      at += 1;
    }
    flush(bytes.length);
  }

  /** Goes on to the end of the string, or of what there is. */
  function endOfString(bytes: Uint8Array, start: number): number {
    let at = start;
    if (isEscaped) {
      isEscaped = false;
      at += 1;
    }
    for (;;) {
      const quote = bytes.indexOf(QUOTE, at);
      const end = quote === -1 ? bytes.length : quote;
      let slashes = 0;
      while (end - slashes - 1 >= at && bytes[end - slashes - 1] === BACKSLASH) slashes += 1;
      if (quote === -1) {
        isEscaped = slashes % 2 === 1;
        if (isKey) keyText.add(bytes.subarray(start, end));
        return bytes.length;
      }
      at = end + 1;
      if (slashes % 2 === 1) continue;
      isInString = false;
      const top = levels.at(-1);
      if (isKey && top !== undefined) {
        keyText.add(bytes.subarray(start, end));
        top.key = keyText.take();
        isKey = false;
      }
      return at;
    }
  }

  return {
    push,
    end() {
      const isCut = levels.length > 0 || taking !== undefined || isInString;
      // What was being handed out is not whole, and what is around it has to be closed.
      const closed = levels.toReversed();
      const quote = isInString && taking === undefined ? '"' : '';
      const closers = closed.map(({ isArray }) => (isArray ? ']' : '}')).join('');
      return { shell: `${shell.take()}${quote}${closers}`, isCut };
    },
  };
}

/** Collects bytes of UTF-8 text; a chunk is only good during its own call, so they are copied. */
function createCollector() {
  let pieces: Uint8Array[] = [];
  let size = 0;
  return {
    add(bytes: Uint8Array): number {
      if (bytes.length > 0) pieces.push(bytes.slice());
      size += bytes.length;
      return size;
    },
    take(): string {
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join('');
      pieces = [];
      size = 0;
      return text + decoder.decode();
    },
  };
}
