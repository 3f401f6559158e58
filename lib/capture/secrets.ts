import { secretParamSpans } from './secret-params.ts';
import { secretParts } from './secret-parts.ts';
import { createSecretPattern, type SecretPattern } from './secret-pattern.ts';
import type { Cut, Header } from './store/stored-text.ts';

/** Shorter values are cut out where they stand (their header), but not searched for in bodies. */
const SEARCHABLE_LENGTH = 8;
/**
 * A chunk that ends in this much of a secret is masked at once: the rest may follow in the next chunk. Should
 * it not, nothing is lost, since a cut joins back what was there.
 */
const TELLING_PREFIX = 6;

/** So many texts are remembered as free of secrets. */
const CLEAN_TEXTS = 500;

const SECRET_HEADERS = new Set([
  'authorization',
  'cookie',
  'mcp-session-id',
  'proxy-authorization',
  'set-cookie',
]);

/** Whether a header is secret by its name, whatever a profile says of it. */
export function isSecretHeader(name: string): boolean {
  return SECRET_HEADERS.has(name.toLowerCase());
}

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

/** A secret with whose beginning a chunk ends, so that the next one may go on with it. */
export interface SplitSecret {
  secret: string;
  matched: number;
}

export interface MaskedChunk {
  bytes: Uint8Array;
  cuts?: Cut[];
  split?: SplitSecret[];
}

export interface Secrets {
  /** Holds a value and returns its fingerprint; equal values give equal fingerprints. */
  register(value: string): string;
  /** Makes the values of these headers secret from now on, whatever connection sends them. */
  markHeader(name: string): void;
  maskText(text: string): MaskedText;
  /** Masks known secrets, and the values of parameters whose names give them away. */
  maskUrl(text: string): MaskedText;
  maskHeader(header: Header): Header;
  /** Masks one chunk of a body; `split` is what the previous chunk of the same body returned. */
  maskChunk(bytes: Uint8Array, split?: SplitSecret[]): MaskedChunk;
  /** The value behind a fingerprint, while it is held. */
  reveal(fingerprint: string): string | undefined;
}

interface Sought {
  secret: string;
  inText: SecretPattern;
  inBytes: SecretPattern;
}

/**
 * The known secrets of one life of the browser: cuts them out of everything that is stored and joins them
 * back on request. A cut keeps offsets true, since the masked range keeps its length.
 */
export async function openSecrets(keeper: SecretKeeper): Promise<Secrets> {
  const held = await keeper.load();
  const salt = held?.salt ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  const values = new Map<string, string>();
  const fingerprints = new Map<string, string>();
  const sought: Sought[] = [];
  const markedHeaders = new Set(SECRET_HEADERS);
  /** Texts in which nothing was found: the same headers and URLs come again with every exchange. */
  const clean = new Set<string>();
  /** Names, as they are spelt, of headers whose values are no secrets by that alone. */
  const plainNames = new Set<string>();
  for (const [fingerprint, value] of Object.entries(held?.values ?? {})) hold(fingerprint, value);

  function hold(fingerprint: string, value: string): void {
    values.set(fingerprint, value);
    fingerprints.set(value, fingerprint);
    clean.clear();
    if (value.length < SEARCHABLE_LENGTH) return;
    const inText = createSecretPattern(value);
    const asBytes = latin1.decode(utf8.encode(value));
    const inBytes = asBytes === value ? inText : createSecretPattern(asBytes);
    sought.push({ secret: fingerprint, inText, inBytes });
  }

  function register(value: string): string {
    const known = fingerprints.get(value);
    if (known !== undefined) return known;
    const fingerprint = holdNew(value);
    for (const spelling of otherSpellings(value)) {
      if (!fingerprints.has(spelling)) holdNew(spelling);
    }
    keeper.save({ salt, values: Object.fromEntries(values) });
    return fingerprint;
  }

  function holdNew(value: string): string {
    let fingerprint = fingerprintOf(value, salt);
    for (let turn = 1; values.has(fingerprint); turn += 1) {
      fingerprint = fingerprintOf(value, salt + turn);
    }
    hold(fingerprint, value);
    return fingerprint;
  }

  function findAll(text: string): Cut[] {
    const cuts: Cut[] = [];
    for (const { secret, inText } of sought) {
      const { length } = inText;
      inText.scan(text, 0, (offset) => cuts.push({ offset, length, secret, from: 0 }));
    }
    return cuts;
  }

  function maskText(text: string): MaskedText {
    return masked(text, findAll(text));
  }

  function maskUrl(text: string): MaskedText {
    if (clean.has(text)) return { text };
    const inParams = secretParamSpans(text).map(({ offset, length }) => ({
      offset,
      length,
      secret: register(text.slice(offset, offset + length)),
      from: 0,
    }));
    const result = masked(text, [...inParams, ...findAll(text)]);
    if (result.cuts === undefined && clean.size < CLEAN_TEXTS) clean.add(text);
    return result;
  }

  function maskHeader(header: Header): Header {
    if (plainNames.has(header.name) && clean.has(header.value)) return header;
    const name = header.name.toLowerCase();
    if (!markedHeaders.has(name)) {
      if (plainNames.size < CLEAN_TEXTS) plainNames.add(header.name);
      const { text, cuts } = maskUrl(header.value);
      return cuts === undefined ? header : { name: header.name, value: text, cuts };
    }
    const offset = name.endsWith('authorization') ? schemeLength(header.value) : 0;
    const value = header.value.slice(offset);
    if (value === '') return header;
    for (const part of secretParts(name, header.value)) register(part);
    const cuts = [{ offset, length: value.length, secret: register(value), from: 0 }];
    // What a session id must not hold is named as a fault, and so it stays.
    const shown =
      name === 'mcp-session-id' ? value.replaceAll(/[!-~]/g, '*') : maskRanges(header.value, cuts);
    return { name: header.name, value: shown, cuts };
  }

  function maskChunk(bytes: Uint8Array, split?: SplitSecret[]): MaskedChunk {
    if (sought.length === 0) return { bytes };
    // One character per byte, so that offsets in the text are offsets in the bytes.
    const text = latin1.decode(bytes);
    const masked: MaskedChunk = { bytes };
    // Nearly always nothing is found, so nothing is made to hold it.
    let found: Cut[] | undefined;
    for (const { secret, inBytes } of sought) {
      const before = split?.find((open) => open.secret === secret)?.matched ?? 0;
      const matched = inBytes.scan(text, before, (offset) => {
        (found ??= []).push(cutWithin(offset, inBytes.length, secret));
      });
      if (matched >= TELLING_PREFIX) {
        (found ??= []).push(cutWithin(text.length - matched, matched, secret));
      }
      if (matched > 0) (masked.split ??= []).push({ secret, matched });
    }
    if (found !== undefined) {
      masked.cuts = withoutOverlaps(found);
      masked.bytes = maskBytes(bytes, masked.cuts);
    }
    return masked;
  }

  return {
    register,
    markHeader(name) {
      markedHeaders.add(name.toLowerCase());
      plainNames.clear();
    },
    maskText,
    maskUrl,
    maskHeader,
    maskChunk,
    reveal: (fingerprint) => values.get(fingerprint),
  };
}

/** Joins secrets back into a text; `undefined` where one of them is no longer held. */
export function joinCuts(
  { text, cuts = [] }: MaskedText,
  reveal: (fingerprint: string) => string | undefined,
): string | undefined {
  let joined = '';
  let end = 0;
  for (const { offset, length, secret, from } of cuts) {
    const value = reveal(secret);
    if (value === undefined) return undefined;
    joined += text.slice(end, offset) + value.slice(from, from + length);
    end = offset + length;
  }
  return joined + text.slice(end);
}

const latin1 = new TextDecoder('latin1');
const utf8 = new TextEncoder();

/** A secret also reaches bodies inside JSON strings, URLs and forms, where it may be spelt differently. */
function otherSpellings(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const url = encodeURIComponent(value.toWellFormed());
  const form = new URLSearchParams({ value }).toString().slice('value='.length);
  return [
    json,
    json.replaceAll('/', '\\/'),
    json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    url,
    form,
    ...[url, form].map((text) => text.replaceAll(/%../g, (hex) => hex.toLowerCase())),
  ];
}

/** Length of an authorization scheme and the spaces behind it: these are no secret, and worth seeing. */
function schemeLength(value: string): number {
  return /^[A-Za-z][A-Za-z0-9-]* +/.exec(value)?.[0].length ?? 0;
}

/** The part of a secret's range that lies in this chunk. */
function cutWithin(offset: number, length: number, secret: string): Cut {
  const from = Math.max(0, -offset);
  return { offset: offset + from, length: length - from, secret, from };
}

/** Where two ranges overlap, the first one keeps its place and the second one begins behind it. */
function withoutOverlaps(cuts: Cut[]): Cut[] {
  cuts.sort((a, b) => a.offset - b.offset || b.length - a.length);
  let end = 0;
  return cuts.flatMap((cut) => {
    const taken = Math.max(0, end - cut.offset);
    if (taken >= cut.length) return [];
    end = cut.offset + cut.length;
    const { offset, length, secret, from } = cut;
    return [{ offset: offset + taken, length: length - taken, secret, from: from + taken }];
  });
}

function masked(text: string, found: Cut[]): MaskedText {
  if (found.length === 0) return { text };
  const cuts = withoutOverlaps(found);
  return cuts.length === 0 ? { text } : { text: maskRanges(text, cuts), cuts };
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
