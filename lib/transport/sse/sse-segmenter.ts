import { createByteBuffer } from '../../bytes.ts';
import type { Span } from '../../capture/store/stored-text.ts';

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
  return new Segmenter(sink, options);
}

class Segmenter implements SseSegmenter {
  readonly #sink: SegmentSink;
  readonly #options: SegmenterOptions;
  /** The unfinished line, where it began in an earlier chunk. */
  readonly #partial = createByteBuffer();
  #received = 0;
  #lineStart = 0;
  /** Begin of the unfinished block's first field, undefined between blocks. */
  #blockStart: number | undefined;
  #isAfterCr = false;
  #isStopped = false;

  constructor(sink: SegmentSink, options: SegmenterOptions) {
    this.#sink = sink;
    this.#options = options;
  }

  get pendingBytes(): number {
    return this.#received - (this.#blockStart ?? this.#lineStart);
  }

  push(chunk: Uint8Array): void {
    if (this.#isStopped) return;
    const { limitBytes } = this.#options;
    const base = this.#received;
    this.#received += chunk.length;
    let at = 0;
    if (this.#isAfterCr && chunk.length > 0) {
      this.#isAfterCr = false;
      if (chunk[0] === LF) {
        at = 1;
        this.#lineStart += 1;
      }
    }
    let lf = chunk.indexOf(LF, at);
    let cr = chunk.indexOf(CR, at);
    while (at < chunk.length) {
      // A position is looked for again only when it was passed: one search over the chunk in all.
      if (lf !== -1 && lf < at) lf = chunk.indexOf(LF, at);
      if (cr !== -1 && cr < at) cr = chunk.indexOf(CR, at);
      const stop = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr;
      const mayBePlain = this.#blockStart === undefined && this.#partial.length === 0;
      if (stop !== -1 && stop === lf && mayBePlain) {
        const limit = Math.min(cr === -1 ? chunk.length : cr, at + limitBytes + 1);
        const behind = this.#sink.plainBlock(chunk, at, lf, limit, base);
        if (behind > at) {
          at = behind;
          this.#lineStart = base + at;
          continue;
        }
      }
      if (stop === -1) {
        this.#partial.append(at === 0 ? chunk : chunk.subarray(at));
        break;
      }
      this.#finishChunkLine(chunk, at, stop, base);
      if (this.#isStopped) return;
      at = stop + 1;
      if (chunk[stop] !== CR) continue;
      if (at === chunk.length) {
        this.#isAfterCr = true;
      } else if (chunk[at] === LF) {
        at += 1;
        this.#lineStart += 1;
      }
    }
    this.#checkLimit(this.#received);
  }

  end(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    const partial = this.#partial;
    const mark = this.#lineStart === 0 ? partial.length - withoutMark(partial.view()).length : 0;
    const offset = this.#blockStart ?? this.#lineStart + mark;
    const length = this.#received - offset;
    if (length > 0) this.#sink.tail({ offset, length });
  }

  #finishChunkLine(chunk: Uint8Array, at: number, stop: number, base: number): void {
    const partial = this.#partial;
    if (partial.length === 0) {
      this.#finishLine(chunk.subarray(at, stop), base + stop);
      return;
    }
    partial.append(chunk.subarray(at, stop));
    this.#finishLine(partial.view(), base + stop);
    partial.clear();
  }

  #finishLine(bytes: Uint8Array, end: number): void {
    if (this.#checkLimit(end)) return;
    const content = this.#lineStart === 0 ? withoutMark(bytes) : bytes;
    const start = end - content.length;
    this.#lineStart = end + 1;
    if (content.length > 0) {
      if (this.#sink.line(content, start)) this.#blockStart ??= start;
      return;
    }
    const offset = this.#blockStart;
    if (offset === undefined) return;
    this.#blockStart = undefined;
    this.#sink.block({ offset, length: this.#lineStart - offset });
  }

  /** Stops for good once the unfinished block, up to `end`, is larger than allowed. */
  #checkLimit(end: number): boolean {
    const { limitBytes } = this.#options;
    const offset = this.#blockStart ?? this.#lineStart;
    if (end - offset <= limitBytes) return false;
    this.#isStopped = true;
    this.#partial.clear();
    this.#options.onLimit({ offset, length: limitBytes + 1 });
    return true;
  }
}

/** A body's first line without the byte order mark, which the standard strips once. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  const isMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMark ? bytes.subarray(3) : bytes;
}
