/** How well a title fits what was typed, and which of its letters were meant, as UTF-16 offsets. */
export interface Match {
  /** Higher fits better. */
  score: number;
  places: number[];
}

const CONSECUTIVE = 5;
const WORD_START = 8;
const GAP = -1;

/**
 * Finds the letters of a query in a title, in their order but not side by side: `cpcu` finds "Copy as cURL".
 * Undefined where they are not all there. Spaces in the query mean nothing.
 */
export function matchFuzzy(query: string, title: string): Match | undefined {
  const letters = query.toLowerCase().replaceAll(/\s+/g, '');
  const lower = title.toLowerCase();
  const whole = lower.indexOf(query.trim().toLowerCase());
  if (whole >= 0) {
    const { length } = query.trim();
    const places = Array.from({ length }, (_, index) => whole + index);
    return { score: scoreOf(places, lower) + length, places };
  }
  let best: Match | undefined;
  // From each place where it may begin: a greedy walk from the first alone misses better ones.
  for (let start = 0; start < lower.length; start += 1) {
    if (lower[start] !== letters[0]) continue;
    const places = walk(letters, lower, start);
    if (places === undefined) break;
    const score = scoreOf(places, lower);
    if (best === undefined || score > best.score) best = { score, places };
  }
  return best;
}

/** Prefers the beginning of a word for each letter that does not follow the one before. */
function walk(letters: string, title: string, start: number): number[] | undefined {
  const places = [start];
  let at = start;
  for (const letter of letters.slice(1)) {
    const next = title.indexOf(letter, at + 1);
    if (next < 0) return undefined;
    const word = next === at + 1 ? next : wordStartWith(letter, title, next);
    at = isRestIn(letters.slice(places.length + 1), title, word) ? word : next;
    places.push(at);
  }
  return places;
}

function wordStartWith(letter: string, title: string, from: number): number {
  for (let at = title.indexOf(letter, from); at >= 0; at = title.indexOf(letter, at + 1)) {
    if (isWordStart(title, at)) return at;
  }
  return from;
}

function isRestIn(letters: string, title: string, from: number): boolean {
  let at = from;
  for (const letter of letters) {
    at = title.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

function isWordStart(title: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(title.charAt(at - 1));
}

function scoreOf(places: readonly number[], title: string): number {
  let score = 0;
  for (const [index, at] of places.entries()) {
    const before = places[index - 1];
    if (isWordStart(title, at)) score += WORD_START;
    if (before !== undefined && at === before + 1) score += CONSECUTIVE;
    else if (before !== undefined) score += GAP;
  }
  return score - (places[0] ?? 0) * 0.1 - title.length * 0.01;
}
