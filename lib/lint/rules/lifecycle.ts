import { LEGACY, mcp } from '../clause.ts';
import type { Rule } from '../issue.ts';

/** Handshake, capabilities, cancellation and ping. Ids from 20 on are checks of this tool's own. */
export const LIF = {
  notInitialized: {
    id: 'LIF-01',
    severity: 'error',
    side: 'client',
    revisions: LEGACY,
    title: 'Message before initialize',
    clause: mcp('basic/lifecycle', 'Initialization'),
  },
  noInitialized: {
    id: 'LIF-02',
    severity: 'error',
    side: 'both',
    revisions: LEGACY,
    title: 'Handshake not finished',
    clause: mcp('basic/lifecycle', 'Initialization'),
  },
  version: {
    id: 'LIF-03',
    severity: 'warning',
    side: 'server',
    revisions: LEGACY,
    title: 'Protocol version that cannot be spoken',
    clause: mcp('basic/lifecycle', 'Version Negotiation'),
  },
  capability: {
    id: 'LIF-04',
    severity: 'error',
    side: 'both',
    revisions: LEGACY,
    title: 'Feature that was not negotiated',
    clause: mcp('basic/lifecycle', 'Operation'),
  },
  cancelled: {
    id: 'LIF-05',
    severity: 'error',
    side: 'both',
    revisions: LEGACY,
    title: 'Cancellation that fits no request',
    clause: mcp('basic/utilities/cancellation', 'Behavior Requirements'),
  },
  ping: {
    id: 'LIF-06',
    severity: 'warning',
    side: 'both',
    revisions: LEGACY,
    title: 'Ping not answered as it should be',
    clause: mcp('basic/utilities/ping', 'Behavior Requirements'),
  },
  initializeResult: {
    id: 'LIF-20',
    severity: 'warning',
    side: 'server',
    revisions: LEGACY,
    title: 'Malformed answer to initialize',
    clause: mcp('basic/lifecycle', 'Initialization'),
  },
} as const satisfies Record<string, Rule>;
