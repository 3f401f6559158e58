const MARK_START = '=?base64?';
const MARK_END = '?=';
/** Visible ASCII and inner spaces: what every server and proxy passes on untouched. */
const PLAIN = /^[\x21-\x7E](?:[\x20-\x7E]*[\x21-\x7E])?$/;

/**
 * A text as the value of a mirrored header (2026-07-28, Streamable HTTP, "Value Encoding"): as it is where it
 * is plain, else as marked base64 of its UTF-8. Servers have to decode both.
 */
export function encodeHeaderValue(text: string): string {
  const looksMarked = text.startsWith(MARK_START) && text.endsWith(MARK_END);
  if (PLAIN.test(text) && !looksMarked) return text;
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return `${MARK_START}${btoa(binary)}${MARK_END}`;
}

/** The inverse; `undefined` where the marked payload is no base64 of UTF-8. */
export function decodeHeaderValue(value: string): string | undefined {
  if (!value.startsWith(MARK_START) || !value.endsWith(MARK_END)) return value;
  try {
    const binary = atob(value.slice(MARK_START.length, -MARK_END.length));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
