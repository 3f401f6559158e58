import { AppError } from '../../errors.ts';

/** Sizes that a file may claim: more is a bomb. */
const LARGEST_BYTES = 1024 * 1024 * 1024;
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;

/**
 * The files in a zip archive by name, stored or deflated. Rejects with an `AppError` where it is damaged, encrypted,
 * or unpacks to more than 1 GB.
 */
export async function unzip(archive: Uint8Array<ArrayBuffer>): Promise<Map<string, Uint8Array>> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  try {
    return await readDirectory(archive, view);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw damaged('Its list of files does not fit its bytes.', error);
  }
}

async function readDirectory(
  archive: Uint8Array<ArrayBuffer>,
  view: DataView<ArrayBuffer>,
): Promise<Map<string, Uint8Array>> {
  const end = findEnd(view);
  const files = new Map<string, Uint8Array>();
  let left = LARGEST_BYTES;
  let at = view.getUint32(end + 16, true);
  for (let count = view.getUint16(end + 10, true); count > 0; count -= 1) {
    if (view.getUint32(at, true) !== ENTRY) throw damaged('An entry is not where it should be.');
    const isEncrypted = (view.getUint16(at + 8, true) & 1) === 1;
    if (isEncrypted) throw damaged('It is encrypted.');
    const method = view.getUint16(at + 10, true);
    const packedBytes = view.getUint32(at + 20, true);
    const nameBytes = view.getUint16(at + 28, true);
    const tail = view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const start = view.getUint32(at + 42, true);
    const name = new TextDecoder().decode(archive.subarray(at + 46, at + 46 + nameBytes));
    const data = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
    const bytes = await unpack(archive.slice(data, data + packedBytes), method, left);
    left -= bytes.length;
    files.set(name, bytes);
    at += 46 + nameBytes + tail;
  }
  return files;
}

function findEnd(view: DataView): number {
  const lowest = Math.max(view.byteLength - END_BYTES - LONGEST_COMMENT, 0);
  for (let at = view.byteLength - END_BYTES; at >= lowest; at -= 1) {
    if (view.getUint32(at, true) === END) return at;
  }
  throw damaged('It has no list of files: it is cut off, or no zip archive.');
}

async function unpack(
  packed: Uint8Array<ArrayBuffer>,
  method: number,
  left: number,
): Promise<Uint8Array> {
  if (method === 0) return packed;
  if (method !== 8) throw damaged(`A file in it is packed by method ${method}, which is not read.`);
  return inflate(packed, 'deflate-raw', 'whole', left);
}

/**
 * Unpacks bytes, up to a limit that a bomb would pass. Of what is `cut` or damaged, it resolves with what stands before;
 * of what has to be whole, or where that is nothing, it rejects with an `AppError`.
 */
export async function inflate(
  packed: Uint8Array<ArrayBuffer>,
  format: CompressionFormat,
  allowed: 'cut' | 'whole',
  limitBytes = LARGEST_BYTES,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    const stream = inPieces(packed).pipeThrough(new DecompressionStream(format));
    for await (const part of stream) {
      size += part.length;
      if (size > limitBytes) throw damaged('It unpacks to more than 1 GB.');
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    const isEnough = allowed === 'cut' && size > 0;
    if (!isEnough) throw damaged('What is packed in it cannot be unpacked.', error);
  }
  const joined = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** An error takes with it what was unpacked and not read yet: of a small piece that is little. */
const PIECE_BYTES = 1024;

function inPieces(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(at, (at += PIECE_BYTES)));
      },
    },
    { highWaterMark: 0 },
  );
}

function damaged(why: string, cause?: unknown): AppError {
  const message = `The archive cannot be read. ${why}`;
  return new AppError({ code: 'file-invalid', message }, { cause });
}
