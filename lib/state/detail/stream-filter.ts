import { steadyRegex } from '../filter/steady-regex.ts';
import type { LongWork } from './long-work.ts';

/** Lines that can be looked through: an event stream, or the frames of a socket. */
export interface StreamLines {
  readonly count: number;
  /** All that a line says; undefined where its bytes are on disk only. */
  textAt(index: number): string | undefined;
}

/** Looking for the lines that a filter lets through. It goes on when lines are added. */
export interface StreamFilter extends LongWork {
  /** Indexes of the lines found so far, ascending. */
  readonly matches: readonly number[];
  /** Lines that could not be looked at. */
  readonly unread: number;
  /** Why the filter cannot be used. */
  readonly problem: string | undefined;
}

type Test = (text: string) => boolean;

const LINES_PER_STEP = 64;

/**
 * Begins to look: words are all wanted, in any case; a leading `-` means not, quotes hold words together, and
 * `/…/` is a regular expression.
 */
export function filterStream(lines: StreamLines, filter: string): StreamFilter {
  const matches: number[] = [];
  const parsed = parseFilter(filter);
  const problem = typeof parsed === 'string' ? parsed : undefined;
  const tests = typeof parsed === 'string' ? [] : parsed;
  let next = 0;
  let unread = 0;

  function look(index: number): void {
    const text = lines.textAt(index);
    if (text === undefined) unread += 1;
    else if (tests.every((test) => test(text))) matches.push(index);
  }

  return {
    matches,
    problem,
    get unread() {
      return unread;
    },
    get isDone() {
      return next >= lines.count;
    },
    step() {
      const end = Math.min(next + LINES_PER_STEP, lines.count);
      for (; next < end; next += 1) look(next);
    },
  };
}

/** Position of an index among the matches, or -1. */
export function positionOf(matches: readonly number[], index: number): number {
  let low = 0;
  let high = matches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((matches[middle] ?? 0) < index) low = middle + 1;
    else high = middle;
  }
  return matches[low] === index ? low : -1;
}

/** The tests of a filter, or what is wrong with it. */
function parseFilter(filter: string): Test[] | string {
  const tests: Test[] = [];
  for (const match of filter.matchAll(/(-?)(?:"([^"]*)"?|\/((?:[^/\\]|\\.)+)\/|(\S+))/g)) {
    const [, sign, quoted, pattern, word = ''] = match;
    let test: Test;
    if (pattern === undefined) {
      const wanted = (quoted ?? word).toLowerCase();
      test = (text) => text.toLowerCase().includes(wanted);
    } else {
      try {
        const expression = steadyRegex(pattern, 'i');
        if ('problem' in expression) return expression.problem;
        test = (text) => expression.test(text);
      } catch {
        return `/${pattern}/ is no regular expression`;
      }
    }
    tests.push(sign === '-' ? (text) => !test(text) : test);
  }
  return tests;
}
