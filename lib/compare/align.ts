/** Places that belong together in two lists; one of them is absent where there is nothing to match. */
export interface Pair {
  before?: number;
  after?: number;
}

/** With more differences than this the shortest way between two lists is not looked for any more. */
const MOST_EDITS = 600;

/**
 * Aligns two lists by keys, in order: a longest common subsequence where the lists differ in few places, and else
 * one that takes the same time for any lists of the same length. What was removed stands before what was added.
 */
export function alignKeys(before: readonly string[], after: readonly string[]): Pair[] {
  let start = 0;
  const most = Math.min(before.length, after.length);
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const inner = {
    before: before.slice(start, before.length - end),
    after: after.slice(start, after.length - end),
  };
  const matched =
    shortestEdit(inner.before, inner.after) ?? byOccurrence(inner.before, inner.after);
  const matches: [number, number][] = [
    ...range(start).map((index): [number, number] => [index, index]),
    ...matched.map(([a, b]): [number, number] => [a + start, b + start]),
    ...range(end).map((index): [number, number] => [
      before.length - end + index,
      after.length - end + index,
    ]),
  ];
  return fillGaps(matches, before.length, after.length);
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function fillGaps(
  matches: readonly [number, number][],
  beforeCount: number,
  afterCount: number,
): Pair[] {
  const pairs: Pair[] = [];
  let [a, b] = [0, 0];
  for (const [nextBefore, nextAfter] of [...matches, [beforeCount, afterCount] as const]) {
    for (; a < nextBefore; a += 1) pairs.push({ before: a });
    for (; b < nextAfter; b += 1) pairs.push({ after: b });
    if (a < beforeCount && b < afterCount) pairs.push({ before: a, after: b });
    a += 1;
    b += 1;
  }
  return pairs;
}

/** Myers' algorithm ("An O(ND) Difference Algorithm", 1986); undefined where there are too many differences. */
function shortestEdit(
  before: readonly string[],
  after: readonly string[],
): [number, number][] | undefined {
  const [n, m] = [before.length, after.length];
  const most = Math.min(n + m, MOST_EDITS);
  const offset = most + 1;
  let reached = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    trace.push(reached);
    reached = reached.slice();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const at = offset + diagonal;
      const down = reached[at + 1] ?? 0;
      const right = (reached[at - 1] ?? 0) + 1;
      const isDown = diagonal === -edits || (diagonal !== edits && right - 1 < down);
      let x = isDown ? down : right;
      while (x < n && x - diagonal < m && before[x] === after[x - diagonal]) x += 1;
      reached[at] = x;
      if (x >= n && x - diagonal >= m) return walkBack(trace, [n, m], offset);
    }
  }
  return undefined;
}

function walkBack(
  trace: readonly Int32Array[],
  [n, m]: readonly [number, number],
  offset: number,
): [number, number][] {
  const matches: [number, number][] = [];
  let [x, y] = [n, m];
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const reached = trace[edits];
    const diagonal = x - y;
    const down = reached?.[offset + diagonal + 1] ?? 0;
    const right = reached?.[offset + diagonal - 1] ?? 0;
    const isDown = diagonal === -edits || (diagonal !== edits && right < down);
    const fromX = edits === 0 ? 0 : isDown ? down : right;
    const fromY = edits === 0 ? 0 : fromX - (diagonal + (isDown ? 1 : -1));
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      matches.push([x, y]);
    }
    [x, y] = [fromX, fromY];
  }
  return matches.toReversed();
}

/** The first of a key with the first, the second with the second; of those, as many as are in order. */
function byOccurrence(before: readonly string[], after: readonly string[]): [number, number][] {
  const places = new Map<string, number[]>();
  for (const [index, key] of after.entries()) {
    const list = places.get(key);
    if (list === undefined) places.set(key, [index]);
    else list.push(index);
  }
  const taken = new Map<string, number>();
  const candidates: [number, number][] = [];
  for (const [index, key] of before.entries()) {
    const count = taken.get(key) ?? 0;
    const place = places.get(key)?.[count];
    if (place === undefined) continue;
    taken.set(key, count + 1);
    candidates.push([index, place]);
  }
  return longestRising(candidates);
}

/** The most pairs whose second places rise, by patience sorting. */
function longestRising(pairs: readonly [number, number][]): [number, number][] {
  /** Index of the pair that ends the best chain of each length. */
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [index, [, place]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    previous.push(low === 0 ? -1 : (ends[low - 1] ?? -1));
    ends[low] = index;
  }
  const chain: [number, number][] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) chain.push(pair);
  }
  return chain.toReversed();
}
