import { decodeUtf8 } from '../text.ts';
import type { HarText } from './har-format.ts';

const utf8 = new TextEncoder();
/** `String.fromCharCode` takes its arguments from the stack. */
const STEP = 8192;

/** Bytes as HAR writes them: text where they are strict UTF-8, a byte order mark included; else base64. */
export function toHarText(bytes: Uint8Array): Required<Pick<HarText, 'text'>> & HarText {
  const text = decodeUtf8(bytes);
  return text === undefined ? { text: toBase64(bytes), encoding: 'base64' } : { text };
}

/** The bytes again; throws where base64 is none. */
export function fromHarText({ text = '', encoding }: HarText): Uint8Array<ArrayBuffer> {
  return encoding === 'base64' ? fromBase64(text) : utf8.encode(text);
}

/** Bytes in base64 (RFC 4648, section 4). */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += STEP) {
    binary += String.fromCharCode(...bytes.subarray(start, start + STEP));
  }
  return btoa(binary);
}

/** The bytes of base64 text; throws where it is none. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** The parts as one; a single part is not copied. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}
