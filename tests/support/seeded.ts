import { randomInt } from 'node:crypto';

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The seed that `WIRESCOPE_SEED` names, so that a run can be had again; else one of its own. */
export function chooseSeed(): number {
  const given = process.env['WIRESCOPE_SEED'];
  return given === undefined ? randomInt(2 ** 31) : Number(given);
}

/** Moments within a span of time, in order; in milliseconds. */
export function seededMoments(seed: number, count: number, spanMs: number): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => Math.round(random() * spanMs)).toSorted(
    (a, b) => a - b,
  );
}
