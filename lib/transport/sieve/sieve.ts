/** Finds the secrets of a body before anything of it is recorded. */
export interface Sieve {
  /** Takes the next chunk, `undefined` at the end; returns what may be recorded now. */
  admit(chunk: Uint8Array | undefined): Uint8Array | undefined;
}

export type SieveFactory = (keepSecret: ((value: string) => void) | undefined) => Sieve;

/** Two chunks as one: what was held back, and what came after it. */
export function joined(first: Uint8Array, second: Uint8Array | undefined): Uint8Array {
  if (second === undefined) return first;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
