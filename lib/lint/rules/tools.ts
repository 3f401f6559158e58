import { mcp, MODERN, V4, V5 } from '../clause.ts';
import type { Rule } from '../issue.ts';

/** Definitions of tools. */
export const TOO = {
  name: {
    id: 'TOO-03',
    severity: 'warning',
    side: 'server',
    revisions: [V4, V5],
    title: 'Tool name that clients may refuse',
    clause: mcp('server/tools', 'Tool Names'),
  },
  networkRef: {
    id: 'TOO-05',
    severity: 'warning',
    side: 'server',
    revisions: MODERN,
    title: 'Schema that refers to the network',
    clause: mcp('basic', '$ref Resolution'),
  },
} as const satisfies Record<string, Rule>;
