import { hmacSha256 } from './sha256.ts';

/** What stands in the place of secrets. */
export interface Pseudonyms {
  /** One value has one pseudonym wherever it stands: the class under which it was first met stays. */
  of(secretClass: string, value: string): string;
  /** The same for a value that only its fingerprint names: the log holds no more of it. */
  ofFingerprint(secretClass: string, fingerprint: string): string;
}

const PSEUDONYM = /^redacted~[a-z0-9-]+~[0-9a-f]{10}$/;
/** One that takes exactly the room of what it stands for. */
const FITTED = /^(?:redacted~[a-z0-9-]+~[0-9a-f]{10}|~[0-9a-f]{2,10})?\**$/;

/** No value begins like this, so none is taken for a fingerprint. */
const FINGERPRINT_MARK = '\0\0';

const utf8 = new TextEncoder();

/**
 * Pseudonyms under a key of 32 random bytes: equal values get equal ones, and nobody without the key can find
 * the value or tell what two files have in common. They are ASCII and need no escape in URLs, headers or JSON.
 */
export function createPseudonyms(key: Uint8Array): Pseudonyms {
  const known = new Map<string, string>();

  function of(secretClass: string, value: string): string {
    if (isPseudonym(value)) return value;
    const met = known.get(value);
    if (met !== undefined) return met;
    const digest = hmacSha256(key, utf8.encode(`${secretClass}\0${value}`));
    const hex = [...digest.subarray(0, 5)].map((byte) => byte.toString(16).padStart(2, '0'));
    const pseudonym = `redacted~${secretClass}~${hex.join('')}`;
    known.set(value, pseudonym);
    return pseudonym;
  }

  return {
    of,
    ofFingerprint: (secretClass, fingerprint) => of(secretClass, FINGERPRINT_MARK + fingerprint),
  };
}

/** The same pseudonyms, with a count by class of how often one was put in the place of a value. */
export function countingPseudonyms(
  pseudonyms: Pseudonyms,
): Pseudonyms & { readonly counts: ReadonlyMap<string, number> } {
  const counts = new Map<string, number>();

  function counted(pseudonym: string): string {
    const secretClass = classOfPseudonym(pseudonym);
    counts.set(secretClass, (counts.get(secretClass) ?? 0) + 1);
    return pseudonym;
  }

  return {
    counts,
    of: (secretClass, value) =>
      isPseudonym(value) ? value : counted(pseudonyms.of(secretClass, value)),
    ofFingerprint: (secretClass, fingerprint) =>
      counted(pseudonyms.ofFingerprint(secretClass, fingerprint)),
  };
}

/** Whether a text is a pseudonym as a whole. It is left as it is, so that redacting twice changes nothing. */
export function isPseudonym(text: string): boolean {
  return PSEUDONYM.test(text);
}

/** Whether a text is what `fittedPseudonym` makes, or all of it was overwritten. */
export function isFitted(text: string): boolean {
  return FITTED.test(text);
}

/** The class in a pseudonym. */
function classOfPseudonym(pseudonym: string): string {
  return pseudonym.split('~', 2)[1] ?? '';
}

/** What tells a pseudonym from others: ten hex digits. */
export function hexOfPseudonym(pseudonym: string): string {
  return pseudonym.slice(pseudonym.lastIndexOf('~') + 1);
}

/** A pseudonym that is exactly as long as what it stands for, so that all that follows keeps its place. */
export function fittedPseudonym(pseudonym: string, length: number): string {
  if (length >= pseudonym.length) return pseudonym.padEnd(length, '*');
  return length < 3
    ? '*'.repeat(length)
    : `~${hexOfPseudonym(pseudonym)}`.slice(0, length).padEnd(length, '*');
}
