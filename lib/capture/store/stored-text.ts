/**
 * A secret that was cut out of a stored text or byte range. The range is overwritten with `*`, so every
 * offset and length stays true; `secret` names the value, which only the memory of the browser holds.
 */
export interface Cut {
  /** Where the masked range begins: UTF-16 units in text, bytes in bytes. */
  offset: number;
  length: number;
  /** Salted fingerprint, four hex digits; equal secrets have equal fingerprints. */
  secret: string;
  /** Where in the secret this range begins; above 0 when a chunk boundary split it. */
  from: number;
}

export interface Header {
  name: string;
  value: string;
  cuts?: Cut[];
}

/** A URL as stored: text with its secrets cut out. */
export interface StoredUrl {
  text: string;
  cuts?: Cut[];
}

/** Bytes as stored, with their secrets cut out. */
export interface StoredBytes {
  bytes: Uint8Array;
  /** How many there are, where they are on disk only: `bytes` is empty then, and reading it brings them back. */
  awayBytes?: number;
  cuts?: Cut[];
}

/** A byte range of a carrier's body. */
export interface Span {
  offset: number;
  length: number;
}
