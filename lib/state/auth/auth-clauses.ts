import type { AuthStep, AuthVerdict } from '../../capture/auth-fact.ts';
import { clauseIn, mcp, V4, V5, type Clause, type ClausePlace } from '../../lint/clause.ts';

/** What a standard says about a line of an authorization, and what the server's author can do about it. */
export interface AuthRule {
  clause?: Clause;
  /** What to change on the server; absent where nothing is wrong with it. */
  fix?: string;
}

/** What a line of an authorization is about. */
export type AuthTopic = AuthStep | 'repeat';

/** What came of a line: as it was judged, or as its answer says by itself. */
export interface AuthFinding {
  topic: AuthTopic;
  verdict: AuthVerdict;
  reason: string;
}

interface Entry {
  topic: AuthTopic;
  /** Any, where absent. */
  verdicts?: readonly AuthVerdict[];
  reason?: RegExp;
  place: ClausePlace;
  fix?: string;
}

const PAGE = 'basic/authorization';
const NEW_PAGE = 'basic/authorization/authorization-server-discovery';
const NEW_SECURITY = 'basic/authorization/security-considerations';
const NEW_REGISTRATION = 'basic/authorization/client-registration';

function section(name: string, newPage = PAGE, newName = name): ClausePlace {
  return mcp(PAGE, name, { [V5]: { page: newPage, section: newName } });
}

function rfc(number: number, place: string): ClausePlace {
  const url = `https://www.rfc-editor.org/rfc/rfc${number}#section-${place}`;
  return { kind: 'standard', page: `RFC ${number}`, section: place, url };
}

const RESOURCE = section('Protected Resource Metadata Discovery Requirements', NEW_PAGE);
const SERVER = section('Authorization Server Metadata Discovery', NEW_PAGE);
const LOCATION = section('Authorization Server Location', NEW_PAGE);
const HTTPS = section('Communication Security', NEW_SECURITY);
const PKCE = section('Authorization Code Protection', NEW_SECURITY);
const AUDIENCE = section('Token Audience Binding and Validation', NEW_SECURITY);
const REGISTRATION = section('Client Registration Approaches', PAGE, 'Client Registration');
const REGISTERING = section('Dynamic Client Registration', NEW_REGISTRATION);
const SCOPES = section('Runtime Insufficient Scope Errors');
const WRONG: readonly AuthVerdict[] = ['passed-over', 'refused'];

/** The first that fits counts. */
const ENTRIES: readonly Entry[] = [
  {
    topic: 'challenge',
    reason: /no WWW-Authenticate/,
    place: rfc(9110, '15.5.2'),
    fix: 'A 401 has to carry `WWW-Authenticate: Bearer`, with `resource_metadata` in it: without it, clients have to guess.',
  },
  { topic: 'challenge', reason: /insufficient_scope/, place: SCOPES },
  { topic: 'challenge', place: RESOURCE },
  {
    topic: 'resource-metadata',
    reason: /names no authorization server$/,
    place: LOCATION,
    fix: 'List the issuer of at least one authorization server in `authorization_servers`.',
  },
  {
    topic: 'resource-metadata',
    verdicts: ['noted'],
    reason: /content type/,
    place: rfc(9728, '3.2'),
    fix: 'Send the document with `Content-Type: application/json`.',
  },
  {
    topic: 'resource-metadata',
    verdicts: ['noted'],
    reason: /does not name its resource/,
    place: rfc(9728, '2'),
    fix: 'Name the URL that clients connect to as `resource`: it is required.',
  },
  {
    topic: 'resource-metadata',
    verdicts: ['noted', 'refused'],
    reason: /^resource |spelt differently/,
    place: rfc(9728, '3.3'),
    fix: 'Make `resource` the URL that clients connect to, to the letter.',
  },
  {
    topic: 'resource-metadata',
    verdicts: WRONG,
    reason: /not HTTPS|begins with/,
    place: HTTPS,
    fix: 'Serve the metadata over HTTPS.',
  },
  {
    topic: 'resource-metadata',
    verdicts: WRONG,
    reason: /web page/,
    place: RESOURCE,
    fix: 'Route this path to the JSON document, or answer 404: a page for people answers everything there.',
  },
  {
    topic: 'resource-metadata',
    verdicts: WRONG,
    place: RESOURCE,
    fix: 'Serve the document here, or name the URL where it is as `resource_metadata` in the challenge.',
  },
  { topic: 'resource-metadata', place: RESOURCE },
  {
    topic: 'server-metadata',
    verdicts: WRONG,
    reason: /issuer/,
    place: rfc(8414, '3.3'),
    fix: 'The `issuer` of the document and the one that the resource names have to be identical, to the letter.',
  },
  {
    topic: 'server-metadata',
    reason: /PKCE|S256/,
    place: PKCE,
    fix: 'List `S256` in `code_challenge_methods_supported`; strict clients stop where it is not there.',
  },
  {
    topic: 'server-metadata',
    verdicts: ['refused'],
    reason: /not HTTPS|begins with|private|user name/,
    place: HTTPS,
    fix: 'All endpoints have to be HTTPS URLs that clients can reach; only this machine may do without.',
  },
  {
    topic: 'server-metadata',
    verdicts: ['noted'],
    reason: /content type/,
    place: rfc(8414, '3.2'),
    fix: 'Send the document with `Content-Type: application/json`.',
  },
  {
    topic: 'server-metadata',
    verdicts: WRONG,
    reason: /token endpoint|authorization endpoint/,
    place: rfc(8414, '2'),
    fix: 'Name `authorization_endpoint` and `token_endpoint` in the document.',
  },
  {
    topic: 'server-metadata',
    verdicts: WRONG,
    place: SERVER,
    fix: 'The authorization server has to publish its metadata in one of the places that are tried.',
  },
  { topic: 'server-metadata', place: SERVER },
  {
    topic: 'registration',
    verdicts: WRONG,
    reason: /HTTPS|no path|fragment|no URL/,
    place: section('Client ID Metadata Documents', NEW_REGISTRATION),
  },
  {
    topic: 'registration',
    verdicts: WRONG,
    place: REGISTERING,
    fix: 'Take clients without authentication at `registration_endpoint`, take client ID metadata documents, or hand out client ids by hand.',
  },
  { topic: 'registration', place: REGISTRATION },
  {
    topic: 'consent',
    verdicts: ['refused'],
    reason: /iss|issuer/,
    place: mcp('basic/authorization', 'Authorization Response Validation', {
      [V4]: { page: PAGE, section: 'Authorization Flow Steps' },
    }),
    fix: 'Send `iss` with the redirect, identical to the `issuer` of the metadata (RFC 9207).',
  },
  {
    topic: 'consent',
    verdicts: ['refused'],
    place: rfc(6749, '4.1.2'),
    fix: 'Return `state` as it came, once, and `code` or `error` with it.',
  },
  { topic: 'consent', place: section('Authorization Flow Steps') },
  {
    topic: 'token',
    verdicts: ['refused'],
    reason: /invalid_target/,
    place: section('Resource Parameter Implementation'),
    fix: 'Take the `resource` that the metadata of the server names, to the letter (RFC 8707).',
  },
  {
    topic: 'token',
    verdicts: ['refused'],
    place: rfc(6749, '5.2'),
    fix: 'The answer to a good request is 200 with `access_token` and `token_type`; an error is 400 or 401 with `error`.',
  },
  {
    topic: 'token',
    verdicts: ['noted'],
    place: rfc(6749, '5.1'),
    fix: 'Answer with `access_token`, `token_type` and `expires_in`, a number of seconds.',
  },
  { topic: 'token', place: section('Access Token Usage') },
  { topic: 'refresh', verdicts: ['refused'], place: rfc(6749, '5.2') },
  {
    topic: 'refresh',
    verdicts: ['noted'],
    place: rfc(6749, '5.1'),
    fix: 'Answer with `access_token`, `token_type` and `expires_in`, a number of seconds.',
  },
  { topic: 'refresh', place: rfc(6749, '6') },
  { topic: 'revocation', verdicts: ['used'], place: rfc(7009, '2') },
  {
    topic: 'revocation',
    place: rfc(7009, '2'),
    fix: 'Name a `revocation_endpoint`, and answer 200 to it, so that tokens end when their user signs out.',
  },
  {
    topic: 'repeat',
    verdicts: ['refused'],
    reason: /403/,
    place: SCOPES,
    fix: 'Name all scopes that this operation needs as `scope` of the challenge; the authorization server has to grant them.',
  },
  {
    topic: 'repeat',
    verdicts: ['refused'],
    place: AUDIENCE,
    fix: 'The server refuses a token that its own authorization server has just issued. Check the issuer, the audience, the keys and the clock that it validates tokens with.',
  },
  { topic: 'repeat', place: section('Token Requirements') },
];

/** What a standard says about a finding; `isModern` is whether the server speaks the modern era. */
export function ruleFor(finding: AuthFinding, isModern: boolean): AuthRule {
  const { topic, verdict, reason } = finding;
  const entry = ENTRIES.find(
    (one) =>
      one.topic === topic &&
      one.verdicts?.includes(verdict) !== false &&
      one.reason?.test(reason) !== false,
  );
  if (entry === undefined) return {};
  const clause = clauseIn(entry.place, isModern ? V5 : V4);
  return entry.fix === undefined ? { clause } : { clause, fix: entry.fix };
}

/** Every place that a rule names. */
export const AUTH_PLACES: readonly ClausePlace[] = ENTRIES.map(({ place }) => place);
