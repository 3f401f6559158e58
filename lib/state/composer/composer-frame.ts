import { toBytes } from '../../bytes.ts';
import { decodeUtf8 } from '../../text.ts';
import { toBase64 } from '../replay/replay-exact.ts';

/** How a frame is written: as its text, or as its bytes, which make a binary one. */
export type FrameForm = 'text' | 'hex' | 'base64';

/** The bytes that are written in a form; words where they are not. Spaces and line breaks mean nothing. */
export function frameBytes(form: FrameForm, text: string): Uint8Array<ArrayBuffer> | string {
  if (form === 'text') return new TextEncoder().encode(text);
  const dense = text.replaceAll(/\s+/g, '');
  if (form === 'hex') {
    const wrong = /[^0-9a-f]/i.exec(dense)?.[0];
    if (wrong !== undefined) return `“${wrong}” is no hexadecimal digit.`;
    if (dense.length % 2 !== 0) return 'Half of the last byte is missing.';
    const pairs = dense.match(/../g) ?? [];
    return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
  }
  try {
    return toBytes(dense);
  } catch {
    return 'This is not Base64.';
  }
}

/** Bytes written in a form, 16 in a line; undefined where they are no text. */
export function writeFrame(form: FrameForm, bytes: Uint8Array): string | undefined {
  if (form === 'text') return decodeUtf8(bytes);
  if (form === 'base64') return toBase64(bytes);
  const lines: string[] = [];
  for (let from = 0; from < bytes.length; from += 16) {
    const line = [...bytes.subarray(from, from + 16)];
    lines.push(line.map((byte) => byte.toString(16).padStart(2, '0')).join(' '));
  }
  return lines.join('\n');
}

/** The same bytes in another form, where they can be written in it; else the text as it stands. */
export function rewriteFrame(text: string, from: FrameForm, to: FrameForm): string {
  const bytes = frameBytes(from, text);
  return typeof bytes === 'string' ? text : (writeFrame(to, bytes) ?? text);
}
