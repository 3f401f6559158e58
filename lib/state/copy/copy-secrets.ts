import type { Cut, Header, StoredBytes, StoredUrl } from '../../capture/store/stored-text.ts';
import { maskedHeaderClass, redactHeader } from '../../redact/headers.ts';
import { paramClass } from '../../redact/names.ts';
import type { Pseudonyms } from '../../redact/pseudonyms.ts';
import { redactKnown, redactText, type Replacing } from '../../redact/text.ts';
import { redactForm, redactUrl } from '../../redact/url.ts';
import { secretPart } from '../detail/secrets.ts';

/** Writes recorded text for a copy, where it has to be decided what becomes of the secrets in it. */
export interface SecretWriter {
  header(header: Header): string;
  url(url: StoredUrl): string;
  /** Text of a message; cuts count UTF-16 units. */
  text(text: string, cuts: readonly Cut[]): string;
  body(data: StoredBytes, isForm: boolean): Uint8Array;
  /** Words of ours about what happened: secrets in them are masked for good. */
  words(text: string): string;
}

const utf8 = new TextEncoder();

/** Writes a pseudonym in the place of every secret: those that were masked, and those that rules find. */
export function replacingWriter(replacing: Replacing): SecretWriter {
  const { pseudonyms } = replacing;
  const filled = (
    text: string,
    cuts: readonly Cut[] | undefined,
    classAt: (at: number) => string,
  ) =>
    fillCuts(text, cuts, ({ offset, secret }) => pseudonyms.ofFingerprint(classAt(offset), secret));
  return {
    header({ name, value, cuts }) {
      const given = filled(value, cuts, () => maskedHeaderClass(name));
      return redactKnown(redactHeader(name, given, pseudonyms, replacing.rules), replacing);
    },
    url({ text, cuts }) {
      const given = filled(text, cuts, (at) => classInUrl(text.slice(0, at)));
      return redactKnown(redactUrl(given, pseudonyms, replacing.rules), replacing);
    },
    text: (text, cuts) => redactText(filled(text, cuts, anyClass), replacing),
    body({ bytes, cuts }, isForm) {
      // One character a byte: what the rules look for and write is ASCII, and no other byte may change.
      const text = filled(toByteText(bytes), cuts, anyClass);
      return fromByteText(
        redactText(isForm ? redactForm(text, pseudonyms, replacing.rules) : text, replacing),
      );
    },
    words: (text) => redactText(text, replacing),
  };
}

/** Collects the secrets in what it is given, with the pseudonym of each, and replaces none. */
export function collectingWriter(
  { pseudonyms, rules }: Replacing,
  found: Map<string, string>,
): SecretWriter {
  return replacingWriter({
    pseudonyms: {
      of(secretClass, value) {
        found.set(value, pseudonyms.of(secretClass, value));
        return value;
      },
      ofFingerprint: (secretClass, fingerprint) =>
        pseudonyms.ofFingerprint(secretClass, fingerprint),
    },
    ...(rules === undefined ? {} : { rules }),
  });
}

const anyClass = () => 'tok';

function classInUrl(before: string): string {
  return paramClass(/[?&#]([^?&#=]*)=$/.exec(before)?.[1] ?? '') ?? 'tok';
}

/** Writes what was sent and received, with the secrets that are still held; others get a pseudonym. */
export function joiningWriter(
  values: Readonly<Record<string, string>>,
  pseudonyms: Pseudonyms,
): SecretWriter {
  const valueOf = ({ secret }: Cut) => (Object.hasOwn(values, secret) ? values[secret] : undefined);
  const joinText = (text: string, cuts: readonly Cut[] | undefined, unit: 'text' | 'bytes') =>
    fillCuts(text, cuts, (cut) => {
      const value = valueOf(cut);
      return value === undefined
        ? pseudonyms.ofFingerprint('tok', cut.secret)
        : secretPart(value, cut, unit);
    });
  return {
    header: ({ value, cuts }) => joinText(value, cuts, 'text'),
    url: ({ text, cuts }) => joinText(text, cuts, 'text'),
    text: (text, cuts) => joinText(text, cuts, 'bytes'),
    body: ({ bytes, cuts }) =>
      fromByteText(
        fillCuts(toByteText(bytes), cuts, (cut) => {
          const value = valueOf(cut);
          if (value === undefined) return pseudonyms.ofFingerprint('tok', cut.secret);
          return toByteText(utf8.encode(value).subarray(cut.from, cut.from + cut.length));
        }),
      ),
    words: (text) => text,
  };
}

/** Writes nothing of use, but notes the fingerprints of all that was masked in what it is given. */
export function notingWriter(fingerprints: Set<string>): SecretWriter {
  function note(cuts: readonly Cut[] = []): void {
    for (const { secret } of cuts) fingerprints.add(secret);
  }
  return {
    header({ value, cuts }) {
      note(cuts);
      return value;
    },
    url({ text, cuts }) {
      note(cuts);
      return text;
    },
    text(text, cuts) {
      note(cuts);
      return text;
    },
    body({ bytes, cuts }) {
      note(cuts);
      return bytes;
    },
    words: (text) => text,
  };
}

function fillCuts(
  text: string,
  cuts: readonly Cut[] | undefined,
  fill: (cut: Cut) => string,
): string {
  if (cuts === undefined || cuts.length === 0) return text;
  let filled = '';
  let end = 0;
  for (const cut of cuts.toSorted((a, b) => a.offset - b.offset)) {
    filled += text.slice(end, cut.offset) + fill(cut);
    end = cut.offset + cut.length;
  }
  return filled + text.slice(end);
}

const PIECE = 8192;

function toByteText(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += PIECE) {
    text += String.fromCharCode(...bytes.subarray(from, from + PIECE));
  }
  return text;
}

function fromByteText(text: string): Uint8Array {
  return Uint8Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
}
