import { mcp, STREAMABLE, V3, V4 } from '../clause.ts';
import type { Rule } from '../issue.ts';

const TRANSPORTS = ['streamable-http'] as const;

/** Request headers of Streamable HTTP. Ids from 20 on are checks of this tool's own. */
export const HDR = {
  accept: {
    id: 'HDR-01',
    severity: 'error',
    side: 'client',
    revisions: STREAMABLE,
    transports: TRANSPORTS,
    title: 'Accept or content type of a request',
    clause: mcp('basic/transports', 'Sending Messages to the Server'),
  },
  acceptOfGet: {
    id: 'HDR-01',
    severity: 'error',
    side: 'client',
    revisions: STREAMABLE,
    transports: TRANSPORTS,
    title: 'Accept of the GET for a stream',
    clause: mcp('basic/transports', 'Listening for Messages from the Server'),
  },
  version: {
    id: 'HDR-02',
    severity: 'error',
    side: 'client',
    revisions: [V3, V4],
    transports: TRANSPORTS,
    title: 'MCP-Protocol-Version of a request',
    clause: mcp('basic/transports', 'Protocol Version Header'),
  },
  lastEventIdOfPost: {
    id: 'HDR-20',
    severity: 'warning',
    side: 'client',
    revisions: STREAMABLE,
    transports: TRANSPORTS,
    title: 'Last-Event-ID on a POST',
    clause: mcp('basic/transports', 'Resumability and Redelivery'),
  },
} as const satisfies Record<string, Rule>;
