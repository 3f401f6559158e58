import { mcp, MODERN, STREAMABLE, transports } from '../clause.ts';
import type { Rule } from '../issue.ts';

const SESSIONS = {
  revisions: STREAMABLE,
  transports: ['streamable-http'],
  clause: mcp('basic/transports', 'Session Management'),
} as const;

/** `Mcp-Session-Id`. Ids from 20 on are checks of this tool's own. */
export const SES = {
  badId: { ...SESSIONS, id: 'SES-01', severity: 'error', side: 'server', title: 'Bad session id' },
  missing: {
    ...SESSIONS,
    id: 'SES-02',
    severity: 'error',
    side: 'client',
    title: 'Session id missing, or where none belongs',
  },
  notRestarted: {
    ...SESSIONS,
    id: 'SES-03',
    severity: 'error',
    side: 'client',
    title: 'Session that is over used again',
  },
  changed: {
    ...SESSIONS,
    id: 'SES-04',
    severity: 'warning',
    side: 'server',
    title: 'Session id outside the answer to initialize',
  },
  inModern: {
    ...SESSIONS,
    id: 'SES-04',
    severity: 'warning',
    side: 'server',
    revisions: MODERN,
    title: 'Session id where sessions are gone',
    clause: transports('', 'Earlier Streamable HTTP Revisions'),
  },
  ended: {
    ...SESSIONS,
    id: 'SES-05',
    severity: 'error',
    side: 'both',
    title: 'End of a session',
  },
  wrongStatus: {
    ...SESSIONS,
    id: 'SES-20',
    severity: 'warning',
    side: 'server',
    title: 'Unknown session not answered with 404',
  },
  sentTwice: {
    ...SESSIONS,
    id: 'SES-21',
    severity: 'warning',
    side: 'server',
    title: 'More than one session id',
  },
} as const satisfies Record<string, Rule>;
