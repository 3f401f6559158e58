import { createByteBuffer } from '../bytes.ts';
import type { Span } from '../capture/stored-text.ts';

const LF = 0x0a;
const CR = 0x0d;

/** Who interprets the lines that the segmenter finds. */
export interface SegmentSink {
  /**
   * A complete line without its end; the bytes are valid during the call. Returns whether it is a field of a
   * block: whatever else stands before the first field of a block belongs to none.
   */
  line(bytes: Uint8Array, offset: number): boolean;
  /** The blank line behind a block with at least one field. */
  block(block: Span): void;
  /**
   * A chance to take at once a block that begins at `at`, whose first line ends with the LF at `lf`, and that
   * ends at `limit` at the latest. Returns the index behind it, or `at` to have it taken line by line.
   */
  plainBlock(chunk: Uint8Array, at: number, lf: number, limit: number, chunkOffset: number): number;
  /** What the end of the body cuts off. */
  tail(tail: Span): void;
}

export interface SegmenterOptions {
  limitBytes: number;
  onLimit(block: Span): void;
}

export interface SseSegmenter {
  push(chunk: Uint8Array): void;
  end(): void;
  readonly pendingBytes: number;
}

/**
 * Tiles the bytes of an event stream into lines and blocks (WHATWG HTML 9.2.5). Offsets count from the first
 * byte of the body, a byte order mark included. A line is complete with the first byte of its end, so a block
 * that ends in CR is there at once, and an LF that turns out to follow belongs to no block. The result, the
 * limit included, does not depend on how the body is cut into chunks; the time is linear in its length.
 */
export function createSseSegmenter(sink: SegmentSink, options: SegmenterOptions): SseSegmenter {
  const { limitBytes } = options;
  /** The unfinished line, where it began in an earlier chunk. */
  const partial = createByteBuffer();
  let received = 0;
  let lineStart = 0;
  /** Begin of the unfinished block's first field, undefined between blocks. */
  let blockStart: number | undefined;
  let isAfterCr = false;
  let isStopped = false;

  const pendingStart = (): number => blockStart ?? lineStart;

  /** Stops for good once the unfinished block, up to `end`, is larger than allowed. */
  function isOverLimit(end: number): boolean {
    const offset = pendingStart();
    if (end - offset <= limitBytes) return false;
    isStopped = true;
    partial.clear();
    options.onLimit({ offset, length: limitBytes + 1 });
    return true;
  }

  function finishLine(bytes: Uint8Array, end: number): void {
    if (isOverLimit(end)) return;
    const content = lineStart === 0 ? withoutMark(bytes) : bytes;
    const start = end - content.length;
    lineStart = end + 1;
    if (content.length === 0) {
      if (blockStart === undefined) return;
      const block = { offset: blockStart, length: lineStart - blockStart };
      blockStart = undefined;
      sink.block(block);
      return;
    }
    if (sink.line(content, start)) blockStart ??= start;
  }

  function push(chunk: Uint8Array): void {
    if (isStopped) return;
    const base = received;
    received += chunk.length;
    let at = 0;
    if (isAfterCr && chunk.length > 0) {
      isAfterCr = false;
      if (chunk[0] === LF) {
        at = 1;
        lineStart += 1;
      }
    }
    let lf = chunk.indexOf(LF, at);
    let cr = chunk.indexOf(CR, at);
    while (at < chunk.length) {
      // A position is looked for again only when it was passed: one search over the chunk in all.
      if (lf !== -1 && lf < at) lf = chunk.indexOf(LF, at);
      if (cr !== -1 && cr < at) cr = chunk.indexOf(CR, at);
      const stop = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr;
      if (stop !== -1 && stop === lf && blockStart === undefined && partial.length === 0) {
        const limit = Math.min(cr === -1 ? chunk.length : cr, at + limitBytes + 1);
        const behind = sink.plainBlock(chunk, at, lf, limit, base);
        if (behind > at) {
          at = behind;
          lineStart = base + at;
          continue;
        }
      }
      if (stop === -1) {
        partial.append(at === 0 ? chunk : chunk.subarray(at));
        break;
      }
      finishChunkLine(chunk, at, stop, base);
      if (isStopped) return;
      at = stop + 1;
      if (chunk[stop] !== CR) continue;
      if (at === chunk.length) {
        isAfterCr = true;
      } else if (chunk[at] === LF) {
        at += 1;
        lineStart += 1;
      }
    }
    isOverLimit(received);
  }

  function finishChunkLine(chunk: Uint8Array, at: number, stop: number, base: number): void {
    if (partial.length === 0) {
      finishLine(chunk.subarray(at, stop), base + stop);
      return;
    }
    partial.append(chunk.subarray(at, stop));
    finishLine(partial.view(), base + stop);
    partial.clear();
  }

  return {
    push,
    end() {
      if (isStopped) return;
      isStopped = true;
      const mark = lineStart === 0 ? partial.length - withoutMark(partial.view()).length : 0;
      const offset = blockStart ?? lineStart + mark;
      if (received > offset) sink.tail({ offset, length: received - offset });
    },
    get pendingBytes() {
      return received - pendingStart();
    },
  };
}

/** A body's first line without the byte order mark, which the standard strips once. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  const isMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMark ? bytes.subarray(3) : bytes;
}
