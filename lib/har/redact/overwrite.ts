import type { Cut, StoredBytes } from '../../capture/store/stored-text.ts';
import { fittedPseudonym } from '../../redact/pseudonyms.ts';
import { hiddenNumber } from '../../redact/spans.ts';
import type { Mark } from '../../redact/taint.ts';

/** Something that is to be overwritten. */
export interface Hidden {
  offset: number;
  length: number;
  mark: Mark;
}

/** A cut, and what is written in its place; nothing where what stands there stays. */
export type FilledCut = Cut & { fill: string };

const ascii = new TextEncoder();
const BASE64_FILL = 'REDACTED';
/** What `structure-only` leaves out: none of it can be told from any other. */
export const CONTENTS: Mark = { pseudonym: 'redacted~str~0000000000', fill: 'blank' };

/** What takes the place of so much of a text. */
export function fillOf({ pseudonym, fill }: Mark, length: number): string {
  if (fill === 'blank') return 'x'.repeat(length);
  if (fill === 'number') return hiddenNumber(length);
  if (fill === undefined) return fittedPseudonym(pseudonym, length);
  return BASE64_FILL.repeat(Math.ceil(length / BASE64_FILL.length)).slice(0, length);
}

/** In order, none over another: where two overlap, what is left of the second begins behind the first. */
export function apart(found: Hidden[]): Hidden[] {
  found.sort((a, b) => a.offset - b.offset || b.length - a.length);
  let end = 0;
  return found.flatMap(({ offset, length, mark }) => {
    const from = Math.max(offset, end);
    const left = offset + length - from;
    if (left <= 0) return [];
    end = from + left;
    return [{ offset: from, length: left, mark }];
  });
}

/** Whether a cut and what is to be hidden have a place in common. */
export function overlaps(cut: Cut, { offset, length }: Hidden): boolean {
  return cut.offset < offset + length && offset < cut.offset + cut.length;
}

/** Cuts as the log has them: without what takes the place of each secret in a file. */
export function withoutFills(cuts: readonly FilledCut[]): Cut[] {
  return cuts.map(({ fill: _fill, ...cut }) => cut);
}

/** The text with its cuts filled. */
export function overwriteText(text: string, cuts: readonly FilledCut[]): string {
  let result = '';
  let end = 0;
  for (const { offset, length, fill } of cuts) {
    // What stood there before stays, where nothing is to take its place.
    if (fill === '' || offset < end) continue;
    result += text.slice(end, offset) + fill;
    end = offset + length;
  }
  return result + text.slice(end);
}

/** The bytes with their cuts filled; what fills them is ASCII. */
export function overwriteBytes(data: StoredBytes, cuts: readonly FilledCut[]): StoredBytes {
  if (cuts.length === 0) return data;
  const bytes = data.bytes.slice();
  for (const { offset, fill } of cuts) if (fill !== '') bytes.set(ascii.encode(fill), offset);
  return { ...data, bytes, cuts: withoutFills(cuts) };
}

/** The part of a cut that lies between two places, as a cut of what is between them. */
export function within(cut: FilledCut, start: number, end: number): FilledCut[] {
  const from = Math.max(cut.offset, start);
  const to = Math.min(cut.offset + cut.length, end);
  if (from >= to) return [];
  const skipped = from - cut.offset;
  return [
    {
      offset: from - start,
      length: to - from,
      secret: cut.secret,
      from: cut.from + skipped,
      fill: cut.fill.slice(skipped, skipped + to - from),
    },
  ];
}
