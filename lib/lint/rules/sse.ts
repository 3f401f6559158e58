import { ALL, eventStream, LEGACY } from '../clause.ts';
import type { ClausePlace } from '../clause.ts';
import type { Rule } from '../issue.ts';

/** The transport stands in the first revision only, whatever revision is then negotiated over it. */
const TRANSPORT: ClausePlace = {
  kind: 'standard',
  page: '2024-11-05 basic/transports',
  section: 'HTTP with SSE',
  url: 'https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse',
};
const HTTP_SSE = { revisions: LEGACY, transports: ['http-sse'], clause: TRANSPORT } as const;
const ANY_STREAM = {
  revisions: ALL,
  clause: eventStream('Parsing an event stream', 'parsing-an-event-stream'),
} as const;

/** HTTP+SSE, and from 20 on what any event stream should be like. */
export const SSE = {
  endpoint: {
    ...HTTP_SSE,
    id: 'SSE-01',
    severity: 'error',
    side: 'server',
    title: 'No usable endpoint event',
  },
  otherOrigin: {
    ...HTTP_SSE,
    id: 'SSE-02',
    severity: 'error',
    side: 'server',
    title: 'Endpoint of another origin',
    clause: { kind: 'policy' },
  },
  misplaced: {
    ...HTTP_SSE,
    id: 'SSE-03',
    severity: 'warning',
    side: 'server',
    title: 'Message where HTTP+SSE has none',
  },
  lineEnds: {
    ...ANY_STREAM,
    id: 'SSE-20',
    severity: 'info',
    side: 'server',
    title: 'CR line ends',
  },
  ignoredLine: {
    ...ANY_STREAM,
    id: 'SSE-21',
    severity: 'info',
    side: 'server',
    title: 'Lines that are ignored',
    clause: eventStream('Interpreting an event stream', 'event-stream-interpretation'),
  },
  secondEndpoint: {
    ...HTTP_SSE,
    id: 'SSE-22',
    severity: 'warning',
    side: 'server',
    title: 'Second endpoint event',
  },
  otherName: {
    ...ANY_STREAM,
    id: 'SSE-23',
    severity: 'warning',
    side: 'server',
    transports: ['streamable-http'],
    title: 'Message under another event name',
    clause: eventStream('Interpreting an event stream', 'event-stream-interpretation'),
  },
} as const satisfies Record<string, Rule>;
