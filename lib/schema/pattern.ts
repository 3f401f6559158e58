interface Group {
  /** A `*`, `+` or open range in it, or a choice: what makes a repeated group run away. */
  isRisky: boolean;
}

const OPEN_RANGE = /^\{\d+,\}/;
const RANGE = /^\{(\d+)(?:,(\d+))?\}/;
/** A range up to this is as good as a fixed number. */
const SHORT = 16;

/** Characters up to which each number of open quantifiers is tried, so that no text takes long. */
const LIMITS = [1_000_000, 100_000, 5000, 300, 100] as const;
/** Twenty characters are over quickly, whatever a pattern does. */
const ALWAYS = 20;

/**
 * How long a text may be, in UTF-16 units, to be tried with a pattern of a stranger's: patterns such as `(a+)+$`
 * can take years for a short text, and would stop the whole page. 0 where it is no pattern at all.
 */
export function patternLimit(pattern: string): number {
  try {
    void new RegExp(pattern, 'u');
  } catch {
    return 0;
  }
  const groups: Group[] = [{ isRisky: false }];
  let open = 0;
  let isInClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    const group = groups.at(-1);
    if (character === '\\') {
      // A back reference.
      if (/[1-9k]/.test(pattern[at + 1] ?? '')) return ALWAYS;
      at += 1;
    } else if (isInClass) {
      isInClass = character !== ']';
      continue;
    } else if (character === '[') {
      isInClass = true;
      continue;
    } else if (character === '(') {
      groups.push({ isRisky: false });
      continue;
    } else if (character === '|' && group !== undefined) {
      group.isRisky = groups.length > 1;
      continue;
    } else if (character === ')') {
      groups.pop();
      const outer = groups.at(-1);
      if (group?.isRisky === true && isRepeated(pattern, at + 1)) return ALWAYS;
      if (group?.isRisky === true && outer !== undefined) outer.isRisky = true;
      continue;
    }
    if (character !== '*' && character !== '+' && !isOpenRange(pattern, at)) continue;
    open += 1;
    if (group !== undefined) group.isRisky = true;
  }
  return LIMITS[Math.min(open, LIMITS.length - 1)] ?? ALWAYS;
}

function isRepeated(pattern: string, at: number): boolean {
  const next = pattern[at];
  if (next === '*' || next === '+') return true;
  const range = RANGE.exec(pattern.slice(at));
  return isOpenRange(pattern, at) || (range !== null && Number(range[2] ?? range[1]) > 1);
}

function isOpenRange(pattern: string, at: number): boolean {
  const rest = pattern.slice(at, at + 24);
  if (OPEN_RANGE.test(rest)) return true;
  const range = RANGE.exec(rest);
  return range !== null && Number(range[2] ?? range[1]) > SHORT;
}
