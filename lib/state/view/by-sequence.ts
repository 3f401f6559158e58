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

/** Index of the entry with this sequence in a list that is ordered by it, or -1. */
export function indexOfSequence(
  list: readonly { sequence: number }[],
  sequence: number | undefined,
): number {
  if (sequence === undefined) return -1;
  const index = indexFromSequence(list, sequence);
  return list[index]?.sequence === sequence ? index : -1;
}
