import type { LadderLine } from './auth-ladder.ts';

/** How a line of an authorization ended, as a sign and in a word. */
export interface LineSign {
  sign: string;
  word: string;
  level: '' | 'warning' | 'error';
}

const BAD = new Set(['denied', 'closed', 'no', 'interrupted', 'no response']);

/** The sign of a line; `isStop` where the authorization came to its end there. */
export function signOf(line: LadderLine, isStop: boolean): LineSign {
  const { isOpen, isOfUser, isStale, status, verdicts } = line;
  if (isOpen) {
    return isOfUser
      ? { sign: '◌', word: 'Waits for you', level: 'warning' }
      : { sign: '…', word: 'Under way', level: '' };
  }
  const isRefused = verdicts.some(({ verdict }) => verdict === 'refused');
  if (isStop || isRefused || isStale) return { sign: '✗', word: 'Failed', level: 'error' };
  if (BAD.has(status)) return { sign: '✗', word: 'Not done', level: 'warning' };
  const last = verdicts.at(-1)?.verdict;
  if (last === 'passed-over') return { sign: '–', word: 'Passed over', level: '' };
  const isNoted = verdicts.some(({ verdict }) => verdict === 'noted');
  return isNoted
    ? { sign: '△', word: 'Done, with a note', level: 'warning' }
    : { sign: '✓', word: 'Done', level: '' };
}
