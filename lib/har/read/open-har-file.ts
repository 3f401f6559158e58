import { AppError } from '../../errors.ts';
import { inflate, unzip } from './unzip.ts';

/** A file that was chosen, as bytes of UTF-8 JSON. */
export interface HarFile {
  bytes: AsyncIterable<Uint8Array>;
  /** Bodies that an archive holds beside the HAR, by name. */
  attached: ReadonlyMap<string, Uint8Array>;
  /** Names of further HAR files in an archive, which are not read. */
  others?: readonly string[];
}

const NONE: ReadonlyMap<string, Uint8Array> = new Map();
/** An archive in an archive is common, more is a trap. */
const DEPTH = 3;
const HAR_NAME = /\.z?har(?:\.gz)?$/i;
const JSON_NAME = /\.json(?:\.gz)?$/i;
/** What some tools write before the JSON: a call, or the name of a variable. */
const WRAP = /^[\s\uFEFF]*(?:(?:(?:var|let|const)\s+)?[\w$.]+\s*[(=]\s*)?/;

/**
 * Looks at the first bytes of a file: archives are unpacked, UTF-16 is read, and what some tools wrap around the
 * JSON is taken off. Rejects with an `AppError` where nothing of it is a HAR.
 */
export async function openHarFile(file: Blob, depth = DEPTH): Promise<HarFile> {
  const head = await bytesOf(file.slice(0, 64));
  const [first, second] = head;
  if (depth > 0) {
    const open = (bytes: Uint8Array<ArrayBuffer>) => openHarFile(new Blob([bytes]), depth - 1);
    if (first === 0x50 && second === 0x4b) return fromArchive(await bytesOf(file), open);
    const packing = packingOf(first, second);
    if (packing !== undefined) return open(await inflate(await bytesOf(file), packing, 'cut'));
  }
  const wide = wideEncodingOf(first, second);
  if (wide !== undefined) return reread(file, wide);
  const encoder = new TextEncoder();
  // The mark of UTF-8 is not to be swallowed, for its bytes count.
  const start = WRAP.exec(new TextDecoder('utf-8', { ignoreBOM: true }).decode(head))?.[0] ?? '';
  return { bytes: partsOf(file.slice(encoder.encode(start).length)), attached: NONE };
}

function packingOf(first: number | undefined, second: number | undefined) {
  if (first === 0x1f && second === 0x8b) return 'gzip';
  const isZlib = second === 0x01 || second === 0x5e || second === 0x9c || second === 0xda;
  return first === 0x78 && isZlib ? 'deflate' : undefined;
}

/** UTF-16 by its mark, or by a brace of two bytes. */
function wideEncodingOf(first: number | undefined, second: number | undefined) {
  if ((first === 0xff && second === 0xfe) || (first === 0x7b && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x7b)) return 'utf-16be';
  return undefined;
}

async function fromArchive(
  archive: Uint8Array<ArrayBuffer>,
  open: (bytes: Uint8Array<ArrayBuffer>) => Promise<HarFile>,
): Promise<HarFile> {
  const files = await unzip(archive);
  // What macOS adds to an archive has the names of the files in it.
  const names = [...files.keys()].filter((each) => !/(?:^|\/)(?:__MACOSX\/|\._)/.test(each));
  const hars = names.filter((each) => HAR_NAME.test(each));
  const name =
    hars.find((each) => each === 'har.har') ??
    hars[0] ??
    names.find((each) => JSON_NAME.test(each));
  const har = name === undefined ? undefined : files.get(name);
  if (name === undefined || har === undefined) {
    const message = `The archive holds no HAR file, only ${names.slice(0, 5).join(', ')}.`;
    throw new AppError({ code: 'file-invalid', message });
  }
  files.delete(name);
  const { bytes } = await open(Uint8Array.from(har));
  return { bytes, attached: files, others: hars.filter((each) => each !== name) };
}

async function reread(file: Blob, encoding: string): Promise<HarFile> {
  const text = new TextDecoder(encoding).decode(await bytesOf(file));
  return { bytes: partsOf(new Blob([text])), attached: NONE };
}

async function* partsOf(file: Blob): AsyncGenerator<Uint8Array> {
  yield* file.stream();
}

async function bytesOf(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.arrayBuffer());
}
