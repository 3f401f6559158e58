import { mcp, MODERN } from '../clause.ts';
import type { Rule } from '../issue.ts';

const PAGE = 'basic/patterns/mrtr';

/** Multi round-trip requests. */
export const MRT = {
  unsupported: {
    id: 'MRT-01',
    severity: 'error',
    side: 'server',
    revisions: MODERN,
    title: 'Interim result where none belongs',
    clause: mcp(PAGE, 'Supported Requests'),
  },
  empty: {
    id: 'MRT-01',
    severity: 'error',
    side: 'server',
    revisions: MODERN,
    title: 'Malformed interim result',
    clause: mcp(PAGE, 'Server Requirements (Basic Workflow)'),
  },
  undeclared: {
    id: 'MRT-02',
    severity: 'error',
    side: 'server',
    revisions: MODERN,
    title: 'Asks for what was not declared',
    clause: mcp(PAGE, 'Server Requirements (Basic Workflow)'),
  },
  retry: {
    id: 'MRT-03',
    severity: 'error',
    side: 'client',
    revisions: MODERN,
    title: 'Next round that does not fit',
    clause: mcp(PAGE, 'Client Requirements (Basic Workflow)'),
  },
} as const satisfies Record<string, Rule>;
