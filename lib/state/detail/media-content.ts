import { stringAt, type Outlined } from '../../json/path.ts';
import type { MediaItem } from './media-items.ts';

/** What can be shown of binary content. Nothing is ever fetched: the URL holds the data itself. */
export type MediaContent =
  | { kind: 'image' | 'audio'; url: string; note?: string }
  /** Of a type that is not shown. */
  | { kind: 'other' }
  | { kind: 'broken'; reason: string };

const SHOWN = /^(image|audio)\/[\w.+-]+$/;

/** First bytes of what is often said to be something else. */
const SIGNATURES: readonly (readonly [start: string, name: string])[] = [
  ['\u0089PNG\r\n', 'image/png'],
  ['\u00ff\u00d8\u00ff', 'image/jpeg'],
  ['GIF8', 'image/gif'],
  ['BM', 'image/bmp'],
  ['OggS', 'audio/ogg'],
  ['fLaC', 'audio/flac'],
  ['ID3', 'audio/mpeg'],
  ['%PDF', 'application/pdf'],
];

/** Types that are called by several names. */
const SAME: Record<string, string> = {
  'image/jpg': 'image/jpeg',
  'image/x-png': 'image/png',
  'audio/mp3': 'audio/mpeg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
};

/** Reads the content of a media item; says what is wrong with it where it is broken. */
export function readMedia(json: Outlined, { node, mimeType }: MediaItem): MediaContent {
  return toMedia(stringAt(json, node) ?? '', mimeType);
}

/** Reads base64, or a data URL of it, that is said to be of a type. */
export function toMedia(value: string, mimeType: string): MediaContent {
  const base64 = value.startsWith('data:') ? value.slice(value.indexOf(',') + 1) : value;
  const fault = base64Fault(base64);
  if (fault !== undefined) return { kind: 'broken', reason: fault };
  const [, family] = SHOWN.exec(mimeType) ?? [];
  if (family !== 'image' && family !== 'audio') return { kind: 'other' };
  const found = signatureOf(base64);
  const said = SAME[mimeType] ?? mimeType;
  const note = found === undefined || found === said ? undefined : `The bytes are ${found}`;
  const url = `data:${mimeType};base64,${base64}`;
  return { kind: family, url, ...(note === undefined ? {} : { note }) };
}

function base64Fault(base64: string): string | undefined {
  if (base64 === '') return 'There is no data';
  const wrong = /[^A-Za-z0-9+/=\s]/.exec(base64);
  if (wrong !== null) {
    const place = (wrong.index + 1).toLocaleString('en');
    const isUrlSafe = wrong[0] === '-' || wrong[0] === '_';
    const what = isUrlSafe ? 'base64url, where base64 is asked for' : 'not base64';
    return `The data is ${what}: “${wrong[0]}” at character ${place}`;
  }
  const digits = base64.replaceAll(/\s/g, '');
  const padding = digits.indexOf('=');
  if (padding >= 0 && /[^=]/.test(digits.slice(padding))) {
    return `The data is not base64: padding in the middle, at character ${(padding + 1).toLocaleString('en')}`;
  }
  const length = padding < 0 ? digits.length : padding;
  return length % 4 === 1 ? 'The data is cut off: its length is none that base64 has' : undefined;
}

function signatureOf(base64: string): string | undefined {
  let start: string;
  try {
    start = atob(base64.slice(0, 24));
  } catch {
    return undefined;
  }
  if (start.startsWith('RIFF')) {
    const form = start.slice(8, 12);
    return { WEBP: 'image/webp', WAVE: 'audio/wav' }[form];
  }
  return SIGNATURES.find(([signature]) => start.startsWith(signature))?.[1];
}
