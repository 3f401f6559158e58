/** Index of the first entry at or after `sequence` in a list that is ordered by it. */
export function indexFromSequence(list: readonly { sequence: number }[], sequence: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = list[middle];
    if (entry !== undefined && entry.sequence < sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}
