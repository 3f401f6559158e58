import type { InjectedFault, ResumeChoice } from '../capture/correlate/fault.ts';

const RESUMED: Record<ResumeChoice['from'], string> = {
  last: 'to be resumed with the last id',
  chosen: 'to be resumed with a chosen id',
  wrong: 'to be resumed with a wrong id',
  none: 'not to be resumed',
};

/** What a fault does, in a few words: for rows, and for the list of what is armed. */
export function wordFault(fault: InjectedFault): string {
  switch (fault.kind) {
    case 'delay':
      return `answer held back for ${fault.delayMs} ms`;
    case 'split':
      return `body in pieces of ${count(fault.pieceBytes)}`;
    case 'cut':
      return `cut after ${count(fault.afterBytes)} of the body`;
    case 'refuse':
      return fault.status === 401
        ? 'answered 401 by us, nothing sent'
        : 'answered 404 by us, as if the session were gone, nothing sent';
    case 'drop':
      return `dropped${fault.afterEvent === true ? ' after an event' : ''}, ${RESUMED[fault.resume]}`;
    case 'resume':
      return fault.from === 'wrong'
        ? 'resumes with an id that the server never gave'
        : 'resumes with a chosen id';
  }
}

function count(bytes: number): string {
  return bytes === 1 ? '1 byte' : `${bytes} bytes`;
}
