import { ALL, eventStream, HTTP as BOTH, mcp, MODERN, POLICY } from '../clause.ts';
import { STREAMABLE, transports, V4 } from '../clause.ts';
import type { Rule } from '../issue.ts';

const PAGE = 'basic/transports';
const HTTP = { revisions: STREAMABLE, transports: ['streamable-http'] } as const;
const SENDING = {
  ...HTTP,
  revisions: BOTH,
  clause: transports('Sending Messages to the Server', 'Sending Messages'),
} as const;
const MODERN_ONLY = { ...HTTP, revisions: MODERN, severity: 'warning' } as const;
const LISTENING = { ...HTTP, clause: mcp(PAGE, 'Listening for Messages from the Server') } as const;
const RESUMING = { ...HTTP, clause: mcp(PAGE, 'Resumability and Redelivery') } as const;

/** Answers and streams of Streamable HTTP. Ids from 20 on are checks of this tool's own. */
export const HTT = {
  contentType: {
    ...SENDING,
    id: 'HTT-01',
    severity: 'error',
    side: 'server',
    title: 'Answer that is neither JSON nor an event stream',
  },
  accepted: {
    ...SENDING,
    id: 'HTT-02',
    severity: 'error',
    side: 'server',
    title: 'Status 202 and what it is for',
  },
  getStatus: {
    ...LISTENING,
    id: 'HTT-03',
    severity: 'error',
    side: 'server',
    title: 'GET answered with neither a stream nor 405',
  },
  responseOnGet: {
    ...LISTENING,
    id: 'HTT-04',
    severity: 'error',
    side: 'server',
    title: 'Response on the GET stream',
  },
  twoStreams: {
    ...HTTP,
    id: 'HTT-04',
    severity: 'error',
    side: 'server',
    title: 'One message on two streams',
    clause: mcp(PAGE, 'Multiple Connections'),
  },
  afterResponse: {
    ...SENDING,
    clause: transports('Sending Messages to the Server', 'Receiving Messages'),
    id: 'HTT-05',
    severity: 'warning',
    side: 'server',
    title: 'Stream goes on after the response',
  },
  closedEarly: {
    ...SENDING,
    revisions: STREAMABLE,
    id: 'HTT-06',
    severity: 'warning',
    side: 'server',
    title: 'Stream ended without the response',
  },
  reconnectedEarly: {
    ...SENDING,
    id: 'HTT-07',
    severity: 'error',
    side: 'client',
    revisions: [V4],
    title: 'Reconnected earlier than the server asked',
  },
  eventId: {
    ...RESUMING,
    id: 'HTT-08',
    severity: 'error',
    side: 'server',
    title: 'Event id, or a replay, of another stream',
  },
  removedMethod: {
    ...MODERN_ONLY,
    id: 'HTT-03',
    side: 'server',
    title: 'GET or DELETE not answered with 405',
    clause: transports('', 'Earlier Streamable HTTP Revisions'),
  },
  resumable: {
    ...MODERN_ONLY,
    id: 'HTT-09',
    side: 'both',
    title: 'Resumption, which is gone',
    clause: transports('', 'Receiving Messages'),
  },
  cancelledByMessage: {
    ...MODERN_ONLY,
    id: 'HTT-09',
    side: 'client',
    title: 'Cancellation by a message of its own',
    clause: mcp('basic/patterns/cancellation', 'Transport-Specific Cancellation'),
  },
  mayBeHeldBack: {
    ...MODERN_ONLY,
    id: 'HTT-09',
    side: 'server',
    title: 'Stream that a proxy may hold back',
    clause: transports('', 'Receiving Messages'),
  },
  cut: {
    id: 'HTT-10',
    severity: 'warning',
    side: 'server',
    revisions: ALL,
    title: 'Message cut off',
    clause: eventStream('Interpreting an event stream', 'event-stream-interpretation'),
  },
  wrongEnd: {
    id: 'HTT-10',
    severity: 'warning',
    side: 'server',
    revisions: ALL,
    title: 'Body that does not end as it should',
    clause: {
      kind: 'standard',
      page: 'RFC 9112',
      section: '8. Handling Incomplete Messages',
      url: 'https://www.rfc-editor.org/rfc/rfc9112#section-8',
    },
  },
  overLimit: {
    id: 'HTT-10',
    severity: 'warning',
    side: 'server',
    revisions: ALL,
    title: 'Message over the size limit',
    clause: POLICY,
  },
  redelivered: {
    ...RESUMING,
    id: 'HTT-20',
    severity: 'warning',
    side: 'server',
    title: 'Event delivered again',
  },
  typeMismatch: {
    ...SENDING,
    id: 'HTT-21',
    severity: 'error',
    side: 'server',
    title: 'Body that is not what its content type says',
  },
  bodyKeptOpen: {
    ...SENDING,
    id: 'HTT-22',
    severity: 'warning',
    side: 'server',
    title: 'Body of a 202 kept open',
  },
  buffered: {
    id: 'HTT-23',
    severity: 'info',
    side: 'server',
    revisions: ALL,
    title: 'Events in one lump',
    clause: POLICY,
  },
  emptyStream: {
    ...HTTP,
    id: 'HTT-24',
    severity: 'warning',
    side: 'server',
    title: 'GET stream opened and closed empty',
    clause: POLICY,
  },
  endpointInPost: {
    ...HTTP,
    id: 'HTT-25',
    severity: 'warning',
    side: 'server',
    title: 'POST answered like a GET of HTTP+SSE',
    clause: mcp(PAGE, 'Backwards Compatibility'),
  },
  resumeRefused: {
    ...RESUMING,
    id: 'HTT-26',
    severity: 'warning',
    side: 'server',
    title: 'Resumption refused',
  },
  responseElsewhere: {
    ...SENDING,
    id: 'HTT-27',
    severity: 'error',
    side: 'server',
    title: 'Response on the answer to another request',
  },
} as const satisfies Record<string, Rule>;
