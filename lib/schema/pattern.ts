interface Group {
  /** A `*`, `+` or open range in it, or a choice: what makes a repeated group run away. */
  isRisky: boolean;
  /** Ways in which its `?` and short ranges can be read, as a power of two. */
  ways: number;
}

const OPEN_RANGE = /^\{\d+,\}/;
const RANGE = /^\{(\d+)(?:,(\d+))?\}/;
/** A range up to this is as good as a fixed number. */
const SHORT = 16;

/** Characters up to which each number of open quantifiers is tried, so that no text takes long. */
const LIMITS = [1_000_000, 100_000, 5000, 300, 100] as const;
/** Twenty characters are over quickly, whatever a pattern does. */
const ALWAYS = 20;
/** Ways to read a text, as a power of two, that are tried in no time. */
const FEW_WAYS = 20;

/**
 * How long a text may be, in UTF-16 units, to be tried with a pattern of a stranger's: patterns such as `(a+)+$`
 * can take years for a short text, and would stop the whole page. 0 where it is no pattern at all.
 */
export function patternLimit(pattern: string, flags = 'u'): number {
  try {
    void new RegExp(pattern, flags);
  } catch {
    return 0;
  }
  const whole: Group = { isRisky: false, ways: 0 };
  const groups = [whole];
  let open = 0;
  let isInClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    const group = groups.at(-1);
    if (character === '\\') {
      // A back reference.
      if (/[1-9k]/.test(pattern[at + 1] ?? '')) return ALWAYS;
      at += 1;
      continue;
    } else if (isInClass) {
      isInClass = character !== ']';
      continue;
    } else if (character === '[') {
      isInClass = true;
      continue;
    } else if (character === '(') {
      groups.push({ isRisky: false, ways: 0 });
      if (pattern[at + 1] === '?') at += 1;
      continue;
    } else if (character === '|' && group !== undefined) {
      group.isRisky = groups.length > 1;
      continue;
    } else if (character === ')') {
      groups.pop();
      const outer = groups.at(-1);
      if (group?.isRisky === true && isRepeated(pattern, at + 1)) return ALWAYS;
      if (group?.isRisky === true && outer !== undefined) outer.isRisky = true;
      if (group !== undefined && group.ways > 0 && isOpen(pattern, at + 1)) return ALWAYS;
      if (outer !== undefined) outer.ways += (group?.ways ?? 0) * timesAt(pattern, at + 1);
      continue;
    }
    if (group !== undefined) group.ways += waysAt(pattern, at);
    if (!isOpen(pattern, at)) continue;
    open += 1;
    if (group !== undefined) group.isRisky = true;
  }
  if (whole.ways > FEW_WAYS) return ALWAYS;
  return LIMITS[Math.min(open, LIMITS.length - 1)] ?? ALWAYS;
}

function isRepeated(pattern: string, at: number): boolean {
  const range = RANGE.exec(pattern.slice(at, at + 24));
  return isOpen(pattern, at) || (range !== null && Number(range[2] ?? range[1]) > 1);
}

/** Whether what stands before is repeated as often as it comes, or as good as that. */
function isOpen(pattern: string, at: number): boolean {
  if (pattern[at] === '*' || pattern[at] === '+') return true;
  const rest = pattern.slice(at, at + 24);
  if (OPEN_RANGE.test(rest)) return true;
  const range = RANGE.exec(rest);
  return range !== null && Number(range[2] ?? range[1]) > SHORT;
}

/** How often the group that ends here is read, where that is bounded. */
function timesAt(pattern: string, at: number): number {
  const range = RANGE.exec(pattern.slice(at, at + 24));
  return Math.max(Number(range?.[2] ?? range?.[1] ?? 1), 1);
}

/** In how many ways a quantifier that is bounded can be read, as a power of two. */
function waysAt(pattern: string, at: number): number {
  if (pattern[at] === '?') return 1;
  const range = RANGE.exec(pattern.slice(at, at + 24));
  return range?.[2] === undefined ? 0 : Math.log2(Number(range[2]) - Number(range[1]) + 1);
}
