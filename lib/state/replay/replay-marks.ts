import type { Cut } from '../../capture/store/stored-text.ts';

/**
 * How a secret stands in a text that the user edits: by its fingerprint, and where a boundary had split it, by the
 * part. The value itself comes in when the text is sent, and is kept nowhere.
 */
const MARK = /\{\{secret:(?<fingerprint>[0-9a-f]{4,})(?::(?<from>\d+)\+(?<length>\d+))?\}\}/g;
const REDACTED = /redacted~[a-z0-9-]+~[0-9a-f]{10}/;
/** What stands in place of secrets in files of other tools, and of ours. */
const MASKED = /^(?:\*{3,}|\[?(?:redacted|filtered|masked|hidden)\]?)$/i;

/** A stored text with marks in the place of its secrets. */
export function toMarked(text: string, cuts: readonly Cut[] = []): string {
  let marked = '';
  let end = 0;
  for (const cut of cuts.toSorted((a, b) => a.offset - b.offset)) {
    const part = cut.from === 0 ? '' : `:${cut.from}+${cut.length}`;
    marked += `${text.slice(end, cut.offset)}{{secret:${cut.secret}${part}}}`;
    end = cut.offset + cut.length;
  }
  return marked + text.slice(end);
}

/** Fingerprints of the secrets that stand in a text. */
export function marksIn(text: string): string[] {
  return [...text.matchAll(MARK)].map(({ groups }) => groups?.['fingerprint'] ?? '');
}

/** The text with its secrets; undefined where one of them is no longer held. */
export function fillMarks(
  text: string,
  values: Readonly<Record<string, string>>,
): string | undefined {
  let isWhole = true;
  const filled = text.replaceAll(MARK, (...match) => {
    const groups = match.at(-1) as { fingerprint: string; from?: string; length?: string };
    if (!Object.hasOwn(values, groups.fingerprint)) isWhole = false;
    const value = values[groups.fingerprint] ?? '';
    const from = Number(groups.from ?? 0);
    return groups.length === undefined ? value : value.slice(from, from + Number(groups.length));
  });
  return isWhole ? filled : undefined;
}

/** A stand-in for a secret that a text holds, as redacted files have them; undefined where it has none. */
export function redactedIn(text: string): string | undefined {
  return REDACTED.exec(text)?.[0];
}

/** Whether a value is nothing but a stand-in for a secret. */
export function isMasked(value: string): boolean {
  return MASKED.test(value.replace(/^(?:bearer|basic|dpop)\s+/i, '').trim());
}
