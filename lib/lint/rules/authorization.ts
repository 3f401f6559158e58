import { mcp, V2, V3, V4, V5, type ClausePlace } from '../clause.ts';
import type { Rule } from '../issue.ts';

const PAGE = 'basic/authorization';
const DISCOVERY = 'basic/authorization/authorization-server-discovery';
const SECURITY = 'basic/authorization/security-considerations';
const REGISTRATION = 'basic/authorization/client-registration';

function standard(number: number, section: string): ClausePlace {
  const url = `https://www.rfc-editor.org/rfc/rfc${number}.html#section-${section}`;
  return { kind: 'standard', page: `RFC ${number}`, section, url };
}

/** A section of the page about authorization that has a page of its own in the modern era. */
function moved(section: string, page: string, older: Partial<Record<string, string>> = {}) {
  return mcp(PAGE, section, {
    ...Object.fromEntries(
      Object.entries(older).map(([revision, name]) => [revision, { page: PAGE, section: name }]),
    ),
    [V5]: { page, section },
  });
}

const HTTP = { transports: ['streamable-http', 'http-sse'] } as const;

/** Authorization. Ids from 20 on are checks of this tool's own. */
export const AUT = {
  noPointer: {
    ...HTTP,
    id: 'AUT-01',
    severity: 'error',
    side: 'server',
    revisions: [V3, V4, V5],
    title: 'Refusal that does not say where tokens come from',
    clause: moved('Protected Resource Metadata Discovery Requirements', DISCOVERY, {
      [V3]: 'Authorization Server Location',
    }),
  },
  noServers: {
    ...HTTP,
    id: 'AUT-02',
    severity: 'error',
    side: 'server',
    revisions: [V3, V4, V5],
    title: 'Resource metadata without an authorization server',
    clause: moved('Authorization Server Location', DISCOVERY),
  },
  otherResource: {
    ...HTTP,
    id: 'AUT-02',
    severity: 'warning',
    side: 'server',
    revisions: [V3, V4, V5],
    title: 'Resource metadata of another resource',
    clause: standard(9728, '3.3'),
  },
  issuer: {
    ...HTTP,
    id: 'AUT-03',
    severity: 'error',
    side: 'server',
    revisions: [V3, V4, V5],
    title: 'Metadata of another issuer',
    clause: moved('Authorization Server Metadata Discovery', DISCOVERY, {
      [V3]: 'Server Metadata Discovery',
    }),
  },
  noS256: {
    ...HTTP,
    id: 'AUT-04',
    severity: 'error',
    side: 'server',
    revisions: [V4, V5],
    title: 'PKCE with S256 not announced',
    clause: moved('Authorization Code Protection', SECURITY),
  },
  noResource: {
    ...HTTP,
    id: 'AUT-05',
    severity: 'error',
    side: 'client',
    revisions: [V3, V4, V5],
    title: 'Request for a token that names no resource',
    clause: mcp(PAGE, 'Resource Parameter Implementation'),
  },
  noPkce: {
    ...HTTP,
    id: 'AUT-06',
    severity: 'error',
    side: 'client',
    revisions: [V2, V3, V4, V5],
    title: 'Login without PKCE and S256',
    clause: moved('Authorization Code Protection', SECURITY, {
      [V2]: 'Implementation Requirements',
    }),
  },
  state: {
    ...HTTP,
    id: 'AUT-06',
    severity: 'warning',
    side: 'client',
    revisions: [V3, V4, V5],
    title: 'Login whose state is not checked',
    clause: moved('Open Redirection', SECURITY),
  },
  insecure: {
    ...HTTP,
    id: 'AUT-07',
    severity: 'error',
    side: 'both',
    revisions: [V2, V3, V4, V5],
    title: 'Authorization over an unsafe URL',
    clause: moved('Communication Security', SECURITY, { [V2]: 'Security Considerations' }),
  },
  presented: {
    ...HTTP,
    id: 'AUT-07',
    severity: 'error',
    side: 'client',
    revisions: [V2, V3, V4, V5],
    title: 'Token not presented as it has to be',
    clause: mcp(PAGE, 'Token Requirements'),
  },
  response: {
    ...HTTP,
    id: 'AUT-08',
    severity: 'error',
    side: 'both',
    revisions: [V5],
    title: 'Redirect that does not name its issuer',
    clause: mcp(PAGE, 'Authorization Response Validation'),
  },
  applicationType: {
    ...HTTP,
    id: 'AUT-09',
    severity: 'error',
    side: 'client',
    revisions: [V5],
    title: 'Registration without an application type',
    clause: mcp(REGISTRATION, 'Application Type and Redirect URI Constraints'),
  },
  otherServer: {
    ...HTTP,
    id: 'AUT-09',
    severity: 'error',
    side: 'client',
    revisions: [V5],
    title: 'Credentials of another authorization server',
    clause: mcp(REGISTRATION, 'Authorization Server Binding'),
  },
  thinStepUp: {
    ...HTTP,
    id: 'AUT-10',
    severity: 'warning',
    side: 'server',
    revisions: [V4, V5],
    title: 'Scope challenge that says too little',
    clause: mcp(PAGE, 'Runtime Insufficient Scope Errors'),
  },
  offlineAccess: {
    ...HTTP,
    id: 'AUT-10',
    severity: 'warning',
    side: 'server',
    revisions: [V5],
    title: 'Resource that asks for offline_access',
    clause: mcp(PAGE, 'Refresh Tokens'),
  },
  retried: {
    ...HTTP,
    id: 'AUT-11',
    severity: 'warning',
    side: 'client',
    revisions: [V2, V3, V4, V5],
    title: 'Authorization retried again and again',
    clause: mcp(PAGE, 'Step-Up Authorization Flow', {
      [V2]: { page: PAGE, section: 'Error Handling' },
      [V3]: { page: PAGE, section: 'Error Handling' },
    }),
  },
  wrongStatus: {
    ...HTTP,
    id: 'AUT-11',
    severity: 'error',
    side: 'server',
    revisions: [V2, V3, V4, V5],
    title: 'Bad token not refused with 401',
    clause: mcp(PAGE, 'Token Handling'),
  },
  challenge: {
    ...HTTP,
    id: 'AUT-20',
    severity: 'warning',
    side: 'server',
    revisions: [V2, V3, V4, V5],
    title: 'Malformed challenge',
    clause: standard(9110, '11.6.1'),
  },
  metadata: {
    ...HTTP,
    id: 'AUT-21',
    severity: 'warning',
    side: 'server',
    revisions: [V2, V3, V4, V5],
    title: 'Well-known URL without metadata',
    clause: standard(8414, '3.2'),
  },
  token: {
    ...HTTP,
    id: 'AUT-22',
    severity: 'warning',
    side: 'server',
    revisions: [V2, V3, V4, V5],
    title: 'Odd answer of a token endpoint',
    clause: standard(6749, '5.1'),
  },
  registration: {
    ...HTTP,
    id: 'AUT-23',
    severity: 'warning',
    side: 'server',
    revisions: [V2, V3, V4, V5],
    title: 'Odd answer to a registration',
    clause: standard(7591, '3.2.1'),
  },
} as const satisfies Record<string, Rule>;
