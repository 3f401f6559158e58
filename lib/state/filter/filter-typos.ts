/** The key that was probably meant, at most two letters away or the beginning of one; undefined where none is near. */
export function nearestKey(name: string, keys: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.min(3, name.length);
  for (const key of keys) {
    const distance = key.startsWith(name) ? 1 : editDistance(name, key);
    if (distance >= least) continue;
    [best, least] = [key, distance];
  }
  return best;
}

/** Levenshtein distance, one row at a time. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let index = 1; index <= other.length; index += 1) {
      const swap = one[at - 1] === other[index - 1] ? 0 : 1;
      next.push(
        Math.min((row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1, (row[index - 1] ?? 0) + swap),
      );
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
