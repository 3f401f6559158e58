import type { Moment } from '../../capture/correlate/items.ts';

/** A time in which nothing came. */
export interface TimingGap {
  name: string;
  startMs: number;
  durationMs: number;
  /** It goes on. */
  isOpen?: true;
}

const GAP_LIMIT = 5;
/** What is shorter is no pause. Milliseconds. */
const SHORTEST_MS = 50;

/** The longest pauses from the head of a response to its end, the longest first. */
export function largestGaps(
  head: Moment | undefined,
  arrivals: readonly Moment[],
  end: Moment | undefined,
  what: string,
  since: (moment: Moment) => number,
): TimingGap[] {
  if (head === undefined) return [];
  const gaps: TimingGap[] = [];
  let least = SHORTEST_MS;

  function take(startMs: number, endMs: number, nameOf: () => string): void {
    const durationMs = endMs - startMs;
    if (durationMs < least) return;
    gaps.push({ name: nameOf(), startMs, durationMs });
    gaps.sort((left, right) => right.durationMs - left.durationMs);
    if (gaps.length <= GAP_LIMIT) return;
    gaps.pop();
    least = gaps.at(-1)?.durationMs ?? least;
  }

  let before = since(head);
  for (const [index, moment] of arrivals.entries()) {
    const at = since(moment);
    take(before, at, () =>
      index === 0 ? `Before the first ${what}` : `Between ${what} ${index} and ${index + 1}`,
    );
    before = at;
  }
  const after = arrivals.length === 0 ? 'After the head' : `After ${what} ${arrivals.length}`;
  if (end !== undefined) take(before, since(end), () => after);
  // How long it has lasted is for the clock to say.
  else gaps.unshift({ name: after, startMs: before, durationMs: 0, isOpen: true });
  return gaps.slice(0, GAP_LIMIT);
}
