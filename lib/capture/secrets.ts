import type { Cut, Header } from './wire-event.ts';

/** Shorter values are cut out where they stand (their header), but not searched for in bodies. */
const SEARCHABLE_LENGTH = 8;
/** A chunk that ends in this much of a secret is masked at once: the rest may follow in the next chunk. */
const TELLING_PREFIX = 6;

const SECRET_HEADERS = new Set([
  'authorization',
  'cookie',
  'mcp-session-id',
  'proxy-authorization',
  'set-cookie',
]);

/** Where held values survive a restart of the worker, but not of the browser: never on disk. */
export interface SecretKeeper {
  load(): Promise<HeldSecrets | undefined>;
  save(held: HeldSecrets): void;
}

export interface HeldSecrets {
  salt: number;
  values: Record<string, string>;
}

export interface MaskedText {
  text: string;
  cuts?: Cut[];
}

/** Progress of a secret that a chunk boundary may have split. */
export interface SplitSecret {
  secret: string;
  matched: number;
}

export interface Secrets {
  /** Holds a value and returns its fingerprint; equal values give equal fingerprints. */
  register(value: string): string;
  /** Makes the values of these headers secret from now on, whatever connection sends them. */
  markHeader(name: string): void;
  maskText(text: string): MaskedText;
  maskHeader(header: Header): Header;
  /** Masks one chunk of a body; `split` is what the previous chunk of the same body returned. */
  maskChunk(
    bytes: Uint8Array,
    split?: SplitSecret,
  ): { bytes: Uint8Array; cuts?: Cut[]; split?: SplitSecret };
  /** The value behind a fingerprint, while it is held. */
  reveal(fingerprint: string): string | undefined;
}

/**
 * The known secrets of one life of the browser: cuts them out of everything that is stored and joins them
 * back on request. A cut keeps offsets true, since the masked range keeps its length.
 */
export async function openSecrets(keeper: SecretKeeper): Promise<Secrets> {
  const held = await keeper.load();
  const salt = held?.salt ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  const values = new Map(Object.entries(held?.values ?? {}));
  const fingerprints = new Map([...values].map(([fingerprint, value]) => [value, fingerprint]));
  const markedHeaders = new Set(SECRET_HEADERS);

  function register(value: string): string {
    const known = fingerprints.get(value);
    if (known !== undefined) return known;
    let fingerprint = fingerprintOf(value, salt);
    for (let turn = 1; values.has(fingerprint); turn += 1) {
      fingerprint = fingerprintOf(value, salt + turn);
    }
    values.set(fingerprint, value);
    fingerprints.set(value, fingerprint);
    keeper.save({ salt, values: Object.fromEntries(values) });
    for (const spelling of otherSpellings(value)) register(spelling);
    return fingerprint;
  }

  function findAll(text: string): Cut[] {
    const cuts: Cut[] = [];
    for (const [value, secret] of fingerprints) {
      if (value.length < SEARCHABLE_LENGTH) continue;
      for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
        cuts.push({ offset: at, length: value.length, secret, from: 0 });
      }
    }
    return withoutOverlaps(cuts);
  }

  function maskText(text: string): MaskedText {
    const cuts = findAll(text);
    return cuts.length === 0 ? { text } : { text: maskRanges(text, cuts), cuts };
  }

  function maskHeader(header: Header): Header {
    const name = header.name.toLowerCase();
    if (!markedHeaders.has(name)) {
      const { text, cuts } = maskText(header.value);
      return cuts === undefined ? header : { name: header.name, value: text, cuts };
    }
    const offset = name.endsWith('authorization') ? schemeLength(header.value) : 0;
    const value = header.value.slice(offset);
    if (value === '') return header;
    const cuts = [{ offset, length: value.length, secret: register(value), from: 0 }];
    return { name: header.name, value: maskRanges(header.value, cuts), cuts };
  }

  function maskChunk(bytes: Uint8Array, split?: SplitSecret) {
    // One character per byte, so that offsets in the text are offsets in the bytes.
    const text = latin1.decode(bytes);
    const cuts = findAll(text);
    const continued = split === undefined ? undefined : continueSplit(text, split);
    if (continued !== undefined) cuts.unshift(continued);
    const begun = prefixAtEnd(text, cuts);
    if (begun !== undefined) cuts.push(begun);
    const last = cuts.at(-1);
    const open =
      last !== undefined &&
      last.offset + last.length === text.length &&
      last.from + last.length < (values.get(last.secret)?.length ?? 0);
    return {
      bytes: cuts.length === 0 ? bytes : maskBytes(bytes, cuts),
      ...(cuts.length === 0 ? {} : { cuts }),
      ...(open ? { split: { secret: last.secret, matched: last.from + last.length } } : {}),
    };
  }

  function continueSplit(text: string, split: SplitSecret): Cut | undefined {
    const rest = values.get(split.secret)?.slice(split.matched) ?? '';
    const length = Math.min(rest.length, text.length);
    return length > 0 && text.startsWith(rest.slice(0, length))
      ? { offset: 0, length, secret: split.secret, from: split.matched }
      : undefined;
  }

  function prefixAtEnd(text: string, cuts: Cut[]): Cut | undefined {
    const taken = cuts.reduce((end, cut) => Math.max(end, cut.offset + cut.length), 0);
    for (const [value, secret] of fingerprints) {
      if (value.length < SEARCHABLE_LENGTH) continue;
      const longest = Math.min(value.length - 1, text.length - taken);
      for (let length = longest; length >= TELLING_PREFIX; length -= 1) {
        if (text.endsWith(value.slice(0, length))) {
          return { offset: text.length - length, length, secret, from: 0 };
        }
      }
    }
    return undefined;
  }

  return {
    register,
    markHeader: (name) => void markedHeaders.add(name.toLowerCase()),
    maskText,
    maskHeader,
    maskChunk,
    reveal: (fingerprint) => values.get(fingerprint),
  };
}

const latin1 = new TextDecoder('latin1');

/** A secret also reaches bodies inside JSON strings and URLs, where it may be spelt differently. */
function otherSpellings(value: string): string[] {
  const spellings = [JSON.stringify(value).slice(1, -1), encodeURIComponent(value)];
  return spellings.filter((spelling) => spelling !== value);
}

/** Length of an authorization scheme and the spaces behind it: these are no secret, and worth seeing. */
function schemeLength(value: string): number {
  return /^[A-Za-z][A-Za-z0-9-]* +/.exec(value)?.[0].length ?? 0;
}

function withoutOverlaps(cuts: Cut[]): Cut[] {
  cuts.sort((a, b) => a.offset - b.offset || b.length - a.length);
  let end = 0;
  return cuts.filter((cut) => {
    if (cut.offset < end) return false;
    end = cut.offset + cut.length;
    return true;
  });
}

function maskRanges(text: string, cuts: Cut[]): string {
  let masked = '';
  let end = 0;
  for (const cut of cuts) {
    masked += text.slice(end, cut.offset) + '*'.repeat(cut.length);
    end = cut.offset + cut.length;
  }
  return masked + text.slice(end);
}

function maskBytes(bytes: Uint8Array, cuts: Cut[]): Uint8Array {
  const masked = bytes.slice();
  for (const cut of cuts) masked.fill(0x2a, cut.offset, cut.offset + cut.length);
  return masked;
}

/** Sixteen bits of a salted hash: enough to tell two tokens apart, far too few to find one. */
function fingerprintOf(value: string, salt: number): string {
  let hash = (0x811c9dc5 ^ salt) >>> 0;
  for (let index = 0; index < value.length; index += 1) {
    hash = Math.imul(hash ^ value.charCodeAt(index), 0x01000193) >>> 0;
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
  return ((hash ^ (hash >>> 16)) & 0xffff).toString(16).padStart(4, '0');
}
