import { mcp, MODERN } from '../clause.ts';
import type { Rule } from '../issue.ts';

const PAGE = 'server/utilities/caching';

/** Hints for caches. */
export const CAC = {
  hints: {
    id: 'CAC-01',
    severity: 'error',
    side: 'server',
    revisions: MODERN,
    title: 'Caching hints missing or malformed',
    clause: mcp(PAGE, 'Cacheable Model'),
  },
  interim: {
    id: 'CAC-01',
    severity: 'warning',
    side: 'server',
    revisions: MODERN,
    title: 'Caching hints on an interim result',
    clause: mcp(PAGE, 'Cacheable Results'),
  },
  pages: {
    id: 'CAC-02',
    severity: 'error',
    side: 'server',
    revisions: MODERN,
    title: 'Pages of one list with different scopes',
    clause: mcp(PAGE, 'Interaction with Pagination'),
  },
} as const satisfies Record<string, Rule>;
