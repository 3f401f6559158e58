/** A way to write a value. */
export interface Spelling {
  text: string;
  /** It stands within base64: what takes its place has to be base64 too. */
  isBase64?: true;
}

const utf8 = new TextEncoder();
const latin1 = new TextDecoder('latin1');

/** Shorter ones would be found by chance. */
const SHORTEST_BASE64 = 10;

/**
 * The ways in which a value may be written where it is passed on: in JSON once or twice, URLs, forms, HTML, as bytes
 * (a character each), in hex, and in base64 of something that it is a part of.
 */
export function spellingsOf(value: string): Spelling[] {
  const bytes = utf8.encode(value);
  const json = inJson(value);
  const url = encodeURIComponent(value.toWellFormed());
  const form = new URLSearchParams({ value }).toString().slice('value='.length);
  const plain = [
    value,
    value.normalize('NFC'),
    value.normalize('NFD'),
    json,
    inJson(json),
    json.replaceAll('/', String.raw`\/`),
    escapedUnits(json, /[^ -~]/g),
    escapedUnits(value, /[^]/g),
    url,
    form,
    encodeURIComponent(url),
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    hexOf(bytes),
    hexOf(bytes).toUpperCase(),
  ];
  const lower = [url, form].map((text) => text.replaceAll(/%../g, (hex) => hex.toLowerCase()));
  const texts = new Set([...plain, ...lower].flatMap((text) => [text, asBytes(text)]));
  const base64 = [0, 1, 2].flatMap((before) => inBase64(bytes, before));
  return [
    ...[...texts].map((text) => ({ text })),
    ...[...new Set(base64)].map((text): Spelling => ({ text, isBase64: true })),
  ];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escapedUnits(text: string, units: RegExp): string {
  return text.replaceAll(units, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** One character for each byte of UTF-8. */
function asBytes(text: string): string {
  return /^[ -~]*$/.test(text) ? text : latin1.decode(utf8.encode(text));
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The part of base64 that these bytes alone decide, `before` bytes after the beginning of a group of three. */
function inBase64(bytes: Uint8Array, before: number): string[] {
  const whole = btoa(String.fromCharCode(...new Uint8Array(before), ...bytes)).replaceAll('=', '');
  const from = Math.ceil((before * 8) / 6);
  const to = Math.floor(((before + bytes.length) * 8) / 6);
  const text = whole.slice(from, to);
  if (text.length < SHORTEST_BASE64) return [];
  return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
}
