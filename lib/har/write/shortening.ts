import type { Span, StoredBytes } from '../../capture/store/stored-text.ts';
import { joinBytes } from '../text-bytes.ts';

/** A text of JSON that is longer is cut. */
const LONG = 4096;
/** So much of it is left. */
const LEFT = 1024;

/** A body from which ranges are taken out. */
export interface Shortening {
  /** Where a place of the body is afterwards. */
  map(offset: number): number;
  span(span: Span): Span;
  /** What is left of a part of the body that begins at `start`. */
  take(data: StoredBytes, start: number): StoredBytes;
}

/**
 * The ranges of a text, one character a byte, that are too long: of JSON all but the beginnings of long strings, of
 * other text what is beyond the limit. Neither a character nor an escape is torn.
 */
export function tooLong(text: string, limitBytes: number): Span[] {
  const isJson = /^\s*[[{]/.test(text);
  if (!isJson) {
    if (text.length <= limitBytes) return [];
    const offset = afterCharacter(text, limitBytes);
    return [{ offset, length: text.length - offset }];
  }
  const found: Span[] = [];
  for (let at = text.indexOf('"'); at >= 0;) {
    const end = endOfString(text, at + 1);
    if (end - at > LONG) {
      const offset = afterLeft(text, at + 1);
      found.push({ offset, length: end - offset });
    }
    at = text.indexOf('"', end + 1);
  }
  return found;
}

/** Where the quote is that ends a string, or the end of the text. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charAt(at - slashes - 1) === '\\') slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

/** Where about as much of a string is over as is left of it: behind a character, and behind an escape. */
function afterLeft(text: string, start: number): number {
  let at = start;
  while (at < start + LEFT) {
    if (text.charAt(at) !== '\\') at = afterCharacter(text, at + 1);
    else at += text.charAt(at + 1) === 'u' ? 6 : 2;
  }
  return at;
}

/** The next place that is within no character of UTF-8. Windows-1252 has some of these codes elsewhere. */
function afterCharacter(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    const goesOn = (code >= 0x80 && code < 0xc0) || code > 0xff;
    if (!goesOn) return at;
    at += 1;
  }
}

/** Takes ranges out of a body; they are in order, and apart. */
export function createShortening(removed: readonly Span[]): Shortening {
  function map(offset: number): number {
    let before = 0;
    for (const span of removed) {
      if (span.offset >= offset) break;
      before += Math.min(span.length, offset - span.offset);
    }
    return offset - before;
  }

  return {
    map,
    span: ({ offset, length }) => ({
      offset: map(offset),
      length: map(offset + length) - map(offset),
    }),
    take(data, start) {
      const { bytes, cuts } = data;
      const parts: Uint8Array[] = [];
      let from = 0;
      for (const { offset, length } of removed) {
        const to = Math.min(Math.max(offset - start, from), bytes.length);
        parts.push(bytes.subarray(from, to));
        from = Math.min(Math.max(offset + length - start, from), bytes.length);
      }
      parts.push(bytes.subarray(from));
      const base = map(start);
      const left = cuts?.flatMap((cut) => {
        const offset = map(start + cut.offset) - base;
        const length = map(start + cut.offset + cut.length) - base - offset;
        return length === 0 ? [] : [{ ...cut, offset, length }];
      });
      return {
        ...data,
        bytes: joinBytes(parts.filter((part) => part.length > 0)).slice(),
        ...(left === undefined ? {} : { cuts: left }),
      };
    },
  };
}
