/** Bytes that grow at the end; what was added stays valid until `clear`. */
export interface ByteBuffer {
  readonly length: number;
  append(bytes: Uint8Array): void;
  /** A view of the content, good until the next call. */
  view(): Uint8Array;
  clear(): void;
}

/** Room up to this size is kept for the next content. */
const KEPT = 64 * 1024;

const NOTHING = new Uint8Array(0);

/**
 * Creates a buffer that doubles its room, so that adding n bytes costs time in proportion to n however small
 * the parts are. It does not hold on to the parts, nor, once cleared, to a large room.
 */
export function createByteBuffer(): ByteBuffer {
  return new GrowingBuffer();
}

/** A class, since a literal with a getter costs a hidden class each time, and streams have one of these each. */
class GrowingBuffer implements ByteBuffer {
  #room = NOTHING;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#room.length) {
      const larger = new Uint8Array(Math.max(256, needed, this.#room.length * 2));
      larger.set(this.view());
      this.#room = larger;
    }
    this.#room.set(bytes, this.#length);
    this.#length = needed;
  }

  view(): Uint8Array {
    return this.#room.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    if (this.#room.length > KEPT) this.#room = NOTHING;
  }
}

/** Bytes from Base64. Throws a `DOMException` on what is none. */
export function toBytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
