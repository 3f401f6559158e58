const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const R = 0x72;

/** Finds where the next event of a stream ends, byte by byte (WHATWG HTML 9.2.6). */
export interface EventScan {
  /** How many of these bytes belong to the event, its blank line included; undefined where it does not end here. */
  endIn(bytes: Uint8Array): number | undefined;
}

/** Starts between two events, or inside one. Comments and `retry` alone are no event. */
export function createEventScan(isInside: boolean): EventScan {
  let hasField = isInside;
  let lineLength = 0;
  let isAfterCr = false;

  return {
    endIn(bytes) {
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at];
        const isSecondHalf = byte === LF && isAfterCr;
        isAfterCr = byte === CR;
        if (isSecondHalf) continue;
        if (byte !== LF && byte !== CR) {
          if (lineLength === 0 && byte !== COLON && byte !== R) hasField = true;
          lineLength += 1;
          continue;
        }
        if (lineLength === 0 && hasField) {
          // The LF of a CRLF goes with its line.
          return byte === CR && bytes[at + 1] === LF ? at + 2 : at + 1;
        }
        lineLength = 0;
      }
      return undefined;
    },
  };
}

/** Whether a stream whose newest bytes are these stands between two events. */
export function endsBetweenEvents(bytes: Uint8Array): boolean {
  const [third, second, last] = bytes.subarray(-3);
  if (last === undefined) return bytes.length === 0;
  if (last === CR) return second === CR;
  return last === LF && (second === LF || (second === CR && third === LF));
}
