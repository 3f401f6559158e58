import { essence } from '../../protocol/diagnose.ts';
import { decodeUtf8, jsonOf } from '../../text.ts';
import { looseList, looseNumber, looseObject, looseText, type Loose } from '../loose-json.ts';
import { fromBase64 } from '../text-bytes.ts';

const utf8 = new TextEncoder();
/** So many events of a list are looked for in the body. */
const TELLING = 20;

/** A body as far as a file has it, and what had to be done to read it. */
export interface ForeignBody {
  bytes: Uint8Array;
  repair?: string;
}

/** What is known of the file that an entry stands in. */
export interface ForeignSource {
  /** Bodies beside it, by the name that entries give them. */
  attached: ReadonlyMap<string, Uint8Array>;
}

/** Content or posted data with its body as text: some tools write the text alone, some the JSON that it holds. */
export function withText(value: unknown): Loose {
  if (typeof value === 'string') return { text: value };
  const given = looseObject(value);
  const { text } = given;
  return typeof text === 'object' && text !== null ? { ...given, text: jsonOf(text) } : given;
}

/** The body of an answer; undefined where the file has none, which is not an empty one. */
export function readContent(
  content: Loose,
  mimeType: string,
  { attached }: ForeignSource,
): ForeignBody | undefined {
  const file = attached.get(looseText(content['_file']) ?? '');
  if (file !== undefined) return { bytes: file };
  const text = looseText(content['text']);
  if (text === undefined) return undefined;
  if (looseText(content['encoding'])?.toLowerCase() === 'base64') return readBase64(text);
  if (!isBinary(mimeType)) return { bytes: utf8.encode(text) };
  // A word of so many letters looks like base64, and is none where the tool has counted its letters.
  const isWord = looseNumber(content['size']) === text.length;
  if (!isWord && text.length % 4 === 0 && /^[A-Za-z0-9+/]{8,}={0,2}$/.test(text)) {
    const repair = 'a binary body is read as base64, which nothing says';
    return { bytes: fromBase64(text), repair };
  }
  return { bytes: bytesOfText(text) };
}

/** Text that a tool calls binary: bytes written as a character each, where it is not simply text. */
function bytesOfText(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\0-\u{ff}]*$/u.test(text)) return utf8.encode(text);
  const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
  const isText = bytes.every((byte) => (byte < 0x7f ? byte > 0x1f || isSpace(byte) : byte > 0x9f));
  return isText && decodeUtf8(bytes) === undefined ? utf8.encode(text) : bytes;
}

function isSpace(byte: number): boolean {
  return byte >= 0x09 && byte <= 0x0d;
}

/** Puts the body of a stream right where its tool had read UTF-8 as windows-1252; says whether it has. */
export function unmisreadBody(entry: {
  mimeType: string;
  body?: Uint8Array;
  messages: readonly { data?: string }[];
}): boolean {
  const { body, mimeType, messages } = entry;
  const text = body === undefined || !isStreamText(mimeType) ? undefined : decodeUtf8(body);
  if (text === undefined) return false;
  // Lists of events are read from the bytes: what agrees with them is right. A few tell, and each costs a search.
  const telling = messages.filter(({ data = '' }) => /[^ -~\s]/.test(data)).slice(0, TELLING);
  const isRight = telling.some(({ data = '' }) => text.includes(data));
  const bytes = isRight ? undefined : unmisread(text);
  if (bytes === undefined) return false;
  entry.body = bytes;
  return true;
}

function readBase64(text: string): ForeignBody {
  try {
    const packed = text.replace(/^\s*data:[^,]*;base64,/i, '').replaceAll(/\s/g, '');
    const plain = packed.replaceAll('-', '+').replaceAll('_', '/');
    return { bytes: fromBase64(plain) };
  } catch {
    return { bytes: utf8.encode(text), repair: 'base64 that is none is kept as text' };
  }
}

/** The body of a request; undefined where there is none. */
export function readPostData(
  postData: Loose,
  { attached }: ForeignSource,
): ForeignBody | undefined {
  const file = attached.get(looseText(postData['_file']) ?? '');
  if (file !== undefined) return { bytes: file };
  const mimeType = looseText(postData['mimeType']) ?? '';
  const params = looseList(postData['params']);
  const text = looseText(postData['text']);
  if (text === undefined || (text === '' && params.length > 0)) return readParams(params, mimeType);
  if (looseText(postData['encoding'])?.toLowerCase() === 'base64') return readBase64(text);
  return { bytes: isBinary(mimeType) ? bytesOfText(text) : utf8.encode(text) };
}

/** Text that some tools keep as a form only, JSON included. */
function readParams(params: readonly Loose[], mimeType: string): ForeignBody | undefined {
  const [only] = params;
  if (only === undefined) return undefined;
  if (
    /json/i.test(mimeType) &&
    params.every(({ name, value }) => name !== undefined && value !== '')
  ) {
    const members = Object.fromEntries(
      params.map(({ name, value }): [string, unknown] => [looseText(name) ?? '', value ?? null]),
    );
    const repair = 'JSON kept as its members is a body again';
    return { bytes: utf8.encode(JSON.stringify(members)), repair };
  }
  const name = looseText(only['name']) ?? '';
  const value = looseText(only['value']) ?? '';
  const isJson = params.length === 1 && value === '' && /^\s*[[{]/.test(name);
  if (isJson) return { bytes: utf8.encode(name), repair: 'JSON kept as a form field is a body' };
  const form = new URLSearchParams(
    params.map((param) => [looseText(param['name']) ?? '', looseText(param['value']) ?? '']),
  );
  return { bytes: utf8.encode(form.toString()), repair: 'the body is made from its form fields' };
}

function isBinary(mimeType: string): boolean {
  const type = essence(mimeType) ?? '';
  return (
    type !== '' &&
    type !== 'x-unknown' &&
    !/^text\/|json|xml|javascript|urlencoded|multipart/.test(type)
  );
}

function isStreamText(mimeType: string): boolean {
  return /^text\/(?:event-stream|plain)\s*$/i.test(mimeType);
}

/** What windows-1252 has in place of the C1 controls (WHATWG Encoding, index windows-1252). */
const WINDOWS_1252 = '€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ';

/** The bytes of UTF-8 text that was read as a single-byte encoding; undefined where it was not. */
function unmisread(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(text.length);
  let isPlain = true;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const at = code < 0x100 ? code : 0x80 + WINDOWS_1252.indexOf(text.charAt(index));
    if (code >= 0x100 && at < 0x80) return undefined;
    if (at >= 0x80) isPlain = false;
    bytes[index] = at;
  }
  return isPlain || decodeUtf8(bytes) === undefined ? undefined : bytes;
}

/** Headers as name and value, whatever the shape; pseudo-headers of HTTP/2 are none. */
export function readHeaders(value: unknown): { name: string; value: string }[] {
  const list: unknown[] = Array.isArray(value) ? value : Object.entries(looseObject(value));
  return list.flatMap((header) => {
    const pair: unknown[] = Array.isArray(header) ? header : [];
    const { name, value: text } = looseObject(header);
    const found = looseText(pair[0] ?? name)?.trim();
    if (found === undefined || found === '' || found.startsWith(':')) return [];
    const told: unknown = pair[1] ?? text;
    const values: unknown[] = Array.isArray(told) ? told : [told];
    return values.map((each) => ({ name: found, value: looseText(each) ?? '' }));
  });
}
