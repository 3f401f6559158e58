/** So many ids in a row have to follow each other before a jump in them means anything. */
const PROOF = 3;
/** A jump over more than this is no count. */
const LONGEST_JUMP = 1000;

/** Ids of a server that counts its events: `s1-7`, `s1-8`. */
export interface Counting {
  /** Takes the next id; says which ones were passed over, or that it lies before the last one. */
  next(id: string): { missing: string[]; isBackwards: boolean };
}

interface Counted {
  prefix: string;
  digits: string;
}

const STEADY = { missing: [], isBackwards: false };

/** Starts with the ids that came so far. Event ids are opaque: only ids that all follow each other prove a count. */
export function createCounting(before: readonly string[]): Counting {
  let last: Counted | undefined;
  let run = 0;
  let isSteady = true;

  function next(id: string): ReturnType<Counting['next']> {
    const counted = read(id);
    const previous = last;
    last = counted;
    if (counted === undefined || (previous !== undefined && previous.prefix !== counted.prefix)) {
      isSteady = false;
      return STEADY;
    }
    if (previous === undefined) {
      run = 1;
      return STEADY;
    }
    const jump = Number(counted.digits) - Number(previous.digits);
    if (jump === 1) {
      run += 1;
      return STEADY;
    }
    if (!isSteady || run < PROOF || jump === 0 || Math.abs(jump) > LONGEST_JUMP) {
      isSteady = false;
      return STEADY;
    }
    if (jump < 0) {
      last = previous;
      return { missing: [], isBackwards: true };
    }
    return { missing: between(previous, jump), isBackwards: false };
  }

  for (const id of before) next(id);
  return { next };
}

function read(id: string): Counted | undefined {
  const match = /^(.*?)(\d{1,15})$/s.exec(id);
  if (match === null) return undefined;
  const [, prefix = '', digits = ''] = match;
  return { prefix, digits };
}

function between({ prefix, digits }: Counted, jump: number): string[] {
  return Array.from({ length: jump - 1 }, (_, index) => {
    const text = String(Number(digits) + index + 1);
    // `07` is followed by `08`.
    return prefix + (digits.startsWith('0') ? text.padStart(digits.length, '0') : text);
  });
}
