import type { Cut } from '../../capture/store/stored-text.ts';

/** A stretch of a text in which is searched at once. */
export interface TextWindow {
  text: string;
  /** The same without secrets: a line feed stands in for every unit of one. */
  searched: string;
  /** Place of its first UTF-16 unit in the whole text. */
  offset: number;
}

/** Bytes that are read as UTF-8, piece by piece. */
export interface ByteSource {
  length: number;
  read(offset: number, length: number): Uint8Array;
  /** Secrets that were cut out; offsets in bytes. */
  cuts: readonly Cut[];
}

const LF = 0x0a;

/** A text with its secrets, which nothing may match, blanked out. */
export function textWindow(text: string, cuts: readonly Cut[] = []): TextWindow {
  let searched = text;
  for (const { offset, length } of cuts) {
    searched = searched.slice(0, offset) + '\n'.repeat(length) + searched.slice(offset + length);
  }
  return { text, searched, offset: 0 };
}

/**
 * Bytes as windows of text, each of which begins with the last `overlap` units of the one before. What is not
 * UTF-8 reads as U+FFFD, and takes none of the characters around it with it, so searching the text finds what
 * searching the bytes would find.
 */
export function* byteWindows(
  source: ByteSource,
  windowBytes: number,
  overlap: number,
): Generator<TextWindow> {
  const hasCuts = source.cuts.length > 0;
  const decode = createDecoder();
  const decodeBlank = hasCuts ? createDecoder() : undefined;
  let carried = '';
  let carriedBlank = '';
  let offset = 0;
  for (let at = 0; at < source.length; at += windowBytes) {
    const isLast = at + windowBytes >= source.length;
    const bytes = source.read(at, Math.min(windowBytes, source.length - at));
    const text = carried + decode(bytes, isLast);
    const searched =
      decodeBlank === undefined
        ? text
        : carriedBlank + decodeBlank(blank(bytes, at, source.cuts), isLast);
    yield { text, searched, offset };
    // Only within a line: what ends with the window cannot go on in the next one.
    const from = Math.max(0, text.length - overlap, searched.lastIndexOf('\n') + 1);
    carried = text.slice(from);
    carriedBlank = searched.slice(from);
    offset += from;
  }
}

function createDecoder(): (bytes: Uint8Array, isLast: boolean) => string {
  // A byte order mark is part of what came.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return (bytes, isLast) => decoder.decode(bytes, { stream: !isLast });
}

function blank(bytes: Uint8Array, at: number, cuts: readonly Cut[]): Uint8Array {
  const blanked = new Uint8Array(bytes);
  for (const { offset, length } of cuts) {
    const from = Math.max(offset - at, 0);
    const to = Math.min(offset + length - at, bytes.length);
    if (to > from) blanked.fill(LF, from, to);
  }
  return blanked;
}
