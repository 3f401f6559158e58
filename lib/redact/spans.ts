/** Where a secret stands in a text. */
export interface SecretSpan {
  /** In UTF-16 units. */
  offset: number;
  length: number;
  secretClass: string;
  /** What it stands in, in a few words: `header Authorization`, `member password`. */
  where: string;
  /** The secret as it is meant, where its spelling differs: decoded. */
  value: string;
}

/** A secret that stands in the text as it is meant. */
export function spanOf(
  text: string,
  offset: number,
  length: number,
  secretClass: string,
  where: string,
): SecretSpan {
  return { offset, length, secretClass, where, value: text.slice(offset, offset + length) };
}

/** Of this class are numbers: what takes their place has to be a number too, or JSON would be none any more. */
export const NUMBER_CLASS = 'number';
const HIDDEN_NUMBER = /^10*$/;

/** A number that is a secret by its name; none where it is what takes the place of one. */
export function numberSpan(text: string, offset: number, length: number, where: string) {
  const span = spanOf(text, offset, length, NUMBER_CLASS, where);
  return HIDDEN_NUMBER.test(span.value) ? [] : [span];
}

/** A number of so many digits that says nothing. */
export function hiddenNumber(length: number): string {
  return '1'.padEnd(length, '0');
}

/** The same spans in a text of which theirs is a part that begins at `by`. */
export function shiftSpans(spans: readonly SecretSpan[], by: number): SecretSpan[] {
  return by === 0 ? [...spans] : spans.map((span) => ({ ...span, offset: span.offset + by }));
}

/** In order of place, and none within another: of two that overlap, the one that begins first stays. */
function apartSpans<T extends { offset: number; length: number }>(spans: readonly T[]): T[] {
  const sorted = spans.toSorted((a, b) => a.offset - b.offset || b.length - a.length);
  let end = 0;
  return sorted.filter(({ offset, length }) => {
    if (offset < end || length === 0) return false;
    end = offset + length;
    return true;
  });
}

/** The text with something else in the place of each span. */
export function replaceSpans(
  text: string,
  spans: readonly SecretSpan[],
  replacement: (span: SecretSpan) => string,
): string {
  let replaced = '';
  let end = 0;
  for (const span of apartSpans(spans)) {
    replaced += text.slice(end, span.offset) + replacement(span);
    end = span.offset + span.length;
  }
  return end === 0 ? text : replaced + text.slice(end);
}
