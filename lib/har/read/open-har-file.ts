import { AppError } from '../../errors.ts';
import { inflate, unzip } from './unzip.ts';

/** A file that was chosen, as bytes of UTF-8 JSON. */
export interface HarFile {
  bytes: AsyncIterable<Uint8Array>;
  /** Bodies that an archive holds beside the HAR, by name. */
  attached: ReadonlyMap<string, Uint8Array>;
}

const NONE: ReadonlyMap<string, Uint8Array> = new Map();

/**
 * Looks at the first bytes of a file: archives are unpacked, UTF-16 is read, and what some tools wrap around the
 * JSON is taken off. Rejects with an `AppError` where nothing of it is a HAR.
 */
export async function openHarFile(file: Blob): Promise<HarFile> {
  const head = await bytesOf(file.slice(0, 64));
  const [first, second, third] = head;
  if (first === 0x50 && second === 0x4b) return fromArchive(await unzip(await bytesOf(file)));
  if (first === 0x1f && second === 0x8b) return whole(await inflate(await bytesOf(file), 'gzip'));
  if (first === 0x78 && isZlib(second)) return whole(await inflate(await bytesOf(file), 'deflate'));
  if (first === 0xff && second === 0xfe) return reread(file, 'utf-16le');
  if (first === 0xfe && second === 0xff) return reread(file, 'utf-16be');
  if (first === 0xef && second === 0xbb && third === 0xbf) return streamed(file.slice(3));
  const wrapped = /^\s*[\w$.]+\s*\(/.exec(new TextDecoder().decode(head));
  return streamed(wrapped === null ? file : file.slice(wrapped[0].length));
}

function isZlib(second: number | undefined): boolean {
  return second === 0x01 || second === 0x5e || second === 0x9c || second === 0xda;
}

function fromArchive(files: Map<string, Uint8Array>): HarFile {
  // What macOS adds to an archive has the names of the files in it.
  const names = [...files.keys()].filter((each) => !/(?:^|\/)(?:__MACOSX\/|\._)/.test(each));
  const name =
    names.find((each) => each === 'har.har') ?? names.find((each) => /\.har$/i.test(each));
  const har = name === undefined ? undefined : files.get(name);
  if (name === undefined || har === undefined) {
    const message = `The archive holds no HAR file, only ${names.slice(0, 5).join(', ')}.`;
    throw new AppError({ code: 'file-invalid', message });
  }
  files.delete(name);
  return { ...whole(har), attached: files };
}

async function reread(file: Blob, encoding: string): Promise<HarFile> {
  const text = new TextDecoder(encoding).decode(await bytesOf(file));
  return whole(new TextEncoder().encode(text));
}

function whole(bytes: Uint8Array): HarFile {
  return { bytes: once(bytes), attached: NONE };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  yield hasMark ? bytes.subarray(3) : bytes;
}

function streamed(file: Blob): HarFile {
  return { bytes: partsOf(file), attached: NONE };
}

async function* partsOf(file: Blob): AsyncGenerator<Uint8Array> {
  yield* file.stream();
}

async function bytesOf(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.arrayBuffer());
}
