import { LEGACY, mcp, MODERN } from '../clause.ts';
import type { Rule } from '../issue.ts';

const REFUSAL = {
  id: 'MOD-06',
  severity: 'error',
  side: 'server',
  revisions: MODERN,
  title: 'Refusal that does not say enough',
} as const;

/** Envelope, result types and errors of the modern era. Ids from 20 on are checks of this tool's own. */
export const MOD = {
  envelope: {
    id: 'MOD-01',
    severity: 'error',
    side: 'client',
    revisions: MODERN,
    title: 'Request without its envelope',
    clause: mcp('basic', '_meta'),
  },
  identity: {
    id: 'MOD-02',
    severity: 'warning',
    side: 'both',
    revisions: MODERN,
    title: 'Sender that does not name itself',
    clause: mcp('basic', '_meta'),
  },
  resultType: {
    id: 'MOD-03',
    severity: 'error',
    side: 'server',
    revisions: MODERN,
    title: 'Result of no known type',
    clause: mcp('basic', 'ResultType'),
  },
  direction: {
    id: 'MOD-04',
    severity: 'error',
    side: 'both',
    revisions: MODERN,
    title: 'Message of the wrong side',
    clause: mcp('basic', 'Message Patterns'),
  },
  discover: {
    id: 'MOD-05',
    severity: 'error',
    side: 'server',
    revisions: MODERN,
    title: 'Server that cannot be discovered',
    clause: mcp('server/discover', 'Response'),
  },
  version: {
    ...REFUSAL,
    clause: mcp('basic/versioning', 'Protocol Version Negotiation'),
  },
  capability: {
    ...REFUSAL,
    clause: mcp('basic', '_meta'),
  },
  initialize: {
    id: 'MOD-07',
    severity: 'warning',
    side: 'server',
    revisions: MODERN,
    title: 'Refusal of initialize that names no versions',
    clause: mcp('basic/versioning', 'Backward Compatibility with Initialization-Based Versions'),
  },
  removed: {
    id: 'MOD-08',
    severity: 'warning',
    side: 'both',
    revisions: MODERN,
    title: 'Message that this revision has removed',
    clause: mcp('changelog', 'Major changes'),
  },
  otherEra: {
    id: 'MOD-20',
    severity: 'error',
    side: 'server',
    revisions: LEGACY,
    title: 'Error of the modern era in a legacy session',
    clause: {
      kind: 'standard',
      page: '2026-07-28 basic',
      section: 'Error Codes',
      url: 'https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes',
    },
  },
} as const satisfies Record<string, Rule>;
