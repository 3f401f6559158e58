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
  let room = NOTHING;
  let length = 0;
  return {
    get length() {
      return length;
    },
    append(bytes) {
      const needed = length + bytes.length;
      if (needed > room.length) {
        const larger = new Uint8Array(Math.max(256, needed, room.length * 2));
        larger.set(room.subarray(0, length));
        room = larger;
      }
      room.set(bytes, length);
      length = needed;
    },
    view: () => room.subarray(0, length),
    clear() {
      length = 0;
      if (room.length > KEPT) room = NOTHING;
    },
  };
}
