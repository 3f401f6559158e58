import { HTTP, mcp, MODERN, STREAMABLE, transports, V3, V4 } from '../clause.ts';
import type { Rule } from '../issue.ts';

const TRANSPORTS = ['streamable-http'] as const;
const MIRRORED = {
  severity: 'error',
  side: 'client',
  revisions: MODERN,
  transports: TRANSPORTS,
} as const;

/** Request headers of Streamable HTTP. Ids from 20 on are checks of this tool's own. */
export const HDR = {
  accept: {
    id: 'HDR-01',
    severity: 'error',
    side: 'client',
    revisions: HTTP,
    transports: TRANSPORTS,
    title: 'Accept or content type of a request',
    clause: transports('Sending Messages to the Server', 'Sending Messages'),
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
  modernVersion: {
    ...MIRRORED,
    id: 'HDR-03',
    title: 'MCP-Protocol-Version unlike the body',
    clause: transports('', 'Protocol Version Header'),
  },
  standard: {
    ...MIRRORED,
    id: 'HDR-04',
    title: 'Mcp-Method or Mcp-Name unlike the body',
    clause: transports('', 'Standard Request Headers'),
  },
  param: {
    ...MIRRORED,
    id: 'HDR-05',
    title: 'Mcp-Param header unlike the argument',
    clause: transports('', 'Custom Headers from Tool Parameters'),
  },
  encoding: {
    ...MIRRORED,
    id: 'HDR-06',
    title: 'Badly encoded header value',
    clause: transports('', 'Value Encoding'),
  },
  annotation: {
    ...MIRRORED,
    id: 'HDR-07',
    side: 'server',
    title: 'Tool with an unusable x-mcp-header',
    clause: mcp('server/tools', 'x-mcp-header'),
  },
  unknownMethod: {
    ...MIRRORED,
    id: 'HDR-08',
    side: 'server',
    title: 'Unknown method not answered with 404',
    clause: transports('', 'Protocol Version Header'),
  },
  validation: {
    ...MIRRORED,
    id: 'HDR-09',
    side: 'server',
    title: 'Mismatch of header and body not refused',
    clause: transports('', 'Server Validation'),
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
