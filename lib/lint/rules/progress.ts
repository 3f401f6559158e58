import { ALL, mcp, V5, type ClausePlace } from '../clause.ts';
import type { Rule } from '../issue.ts';

function place(section: string): ClausePlace {
  return mcp('basic/utilities/progress', section, {
    [V5]: { page: 'basic/patterns/progress', section },
  });
}

/** Progress notifications and their tokens. */
export const PRG = {
  token: {
    id: 'PRG-01',
    severity: 'error',
    side: 'both',
    revisions: ALL,
    title: 'Progress for no active request',
    clause: place('Behavior Requirements'),
  },
  tokenReused: {
    id: 'PRG-01',
    severity: 'error',
    side: 'both',
    revisions: ALL,
    title: 'Progress token of another active request',
    clause: place('Progress Flow'),
  },
  increase: {
    id: 'PRG-02',
    severity: 'error',
    side: 'both',
    revisions: ALL,
    title: 'Progress that does not increase',
    clause: place('Progress Flow'),
  },
} as const satisfies Record<string, Rule>;
