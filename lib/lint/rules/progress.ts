import { ALL, mcp } from '../clause.ts';
import type { Rule } from '../issue.ts';

const PAGE = 'basic/utilities/progress';

/** Progress notifications and their tokens. */
export const PRG = {
  token: {
    id: 'PRG-01',
    severity: 'error',
    side: 'both',
    revisions: ALL,
    title: 'Progress for no active request',
    clause: mcp(PAGE, 'Behavior Requirements'),
  },
  tokenReused: {
    id: 'PRG-01',
    severity: 'error',
    side: 'both',
    revisions: ALL,
    title: 'Progress token of another active request',
    clause: mcp(PAGE, 'Progress Flow'),
  },
  increase: {
    id: 'PRG-02',
    severity: 'error',
    side: 'both',
    revisions: ALL,
    title: 'Progress that does not increase',
    clause: mcp(PAGE, 'Progress Flow'),
  },
} as const satisfies Record<string, Rule>;
