import { mcp, MODERN } from '../clause.ts';
import type { Rule } from '../issue.ts';

const PAGE = 'basic/patterns/subscriptions';

/** Subscriptions. */
export const SUB = {
  acknowledged: {
    id: 'SUB-01',
    severity: 'error',
    side: 'server',
    revisions: MODERN,
    title: 'Subscription that does not begin with its acknowledgment',
    clause: mcp(PAGE, 'Acknowledgment'),
  },
  subscriptionId: {
    id: 'SUB-02',
    severity: 'error',
    side: 'server',
    revisions: MODERN,
    title: 'Message that does not name its subscription',
    clause: mcp(PAGE, 'Receiving Notifications'),
  },
  notAsked: {
    id: 'SUB-03',
    severity: 'error',
    side: 'server',
    revisions: MODERN,
    title: 'Notification that was not asked for',
    clause: mcp(PAGE, 'Opening a Stream'),
  },
  abrupt: {
    id: 'SUB-03',
    severity: 'info',
    side: 'server',
    revisions: MODERN,
    title: 'Subscription ended without a result',
    clause: mcp(PAGE, 'Graceful Closure'),
  },
} as const satisfies Record<string, Rule>;
