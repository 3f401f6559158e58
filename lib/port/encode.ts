import type { WireEvent } from '../capture/wire-event.ts';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** The only member of an event that holds bytes. */
const BYTES_MEMBER = 'bytes';

/**
 * Events as JSON text for a port, which in Chrome carries nothing else: bytes become text where they are
 * valid UTF-8, and base64 otherwise. `decodeEvents` gives the same bytes back.
 */
export function encodeEvents(events: readonly WireEvent[]): string {
  return JSON.stringify(events, (key, value: unknown) =>
    key === BYTES_MEMBER && value instanceof Uint8Array ? encodeBytes(value) : value,
  );
}

/** The inverse of `encodeEvents`. */
export function decodeEvents(json: string): WireEvent[] {
  return JSON.parse(json, (key, value: unknown) =>
    key === BYTES_MEMBER ? decodeBytes(value as string | { base64: string }) : value,
  ) as WireEvent[];
}

function encodeBytes(bytes: Uint8Array): string | { base64: string } {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    let binary = '';
    for (const byte of bytes) binary += String.fromCharCode(byte);
    return { base64: btoa(binary) };
  }
}

function decodeBytes(value: string | { base64: string }): Uint8Array {
  if (typeof value === 'string') return encoder.encode(value);
  return Uint8Array.from(atob(value.base64), (character) => character.charCodeAt(0));
}
