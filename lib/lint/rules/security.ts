import { mcp, MODERN, POLICY, V4, V5 } from '../clause.ts';
import type { Rule } from '../issue.ts';

/** Security, as far as it shows in traffic that comes by itself. */
export const SEC = {
  icon: {
    id: 'SEC-02',
    severity: 'warning',
    side: 'server',
    revisions: [V4, V5],
    title: 'Icon that clients should not fetch',
    clause: mcp('basic', 'icons'),
  },
  cleartext: {
    id: 'SEC-02',
    severity: 'warning',
    side: 'server',
    revisions: [V4, V5],
    title: 'Server reached without encryption',
    clause: POLICY,
  },
  deprecated: {
    id: 'SEC-03',
    severity: 'info',
    side: 'both',
    revisions: MODERN,
    title: 'Deprecated feature in use',
    clause: mcp('deprecated', 'Deprecated'),
  },
} as const satisfies Record<string, Rule>;
