import { bodyBytes, headerValue } from '../../capture/correlate/http-record.ts';
import { challengeLines, parseChallenges, type Challenge } from '../../protocol/challenge.ts';
import { revisionIn } from '../claims.ts';
import type { Revision } from '../clause.ts';
import type { Fact } from '../facts.ts';
import type { Finding, Severity } from '../issue.ts';
import { type ConnectionState, type ExchangeState } from '../state.ts';
import { isRecord } from '../../record.ts';

/** What an authorization server says of itself, and where. */
export interface Server {
  issuer: string;
  json: Record<string, unknown>;
}

/** A login as its page was opened. */
interface Login {
  parameters: URLSearchParams;
  /** The authorization server, where its metadata was read. */
  server: Server | undefined;
  /** What is wrong with what came back, so that its code must not be used. */
  fault?: 'issuer' | 'state';
}

/** What the rules need to remember of the authorization of one connection. */
export interface AuthMemory {
  /** The last exchange that was refused for want of a token, or of scopes. */
  challenged?: ExchangeState;
  /** An answer of 401 that does not say where the metadata is, as long as nobody knows whether it is found. */
  unpointed?: Fact<'http-response'>;
  /** Where challenges say that metadata of the resource is. */
  named: Set<string>;
  /** Authorization servers that the metadata of the resource names. */
  issuers: string[];
  servers: Server[];
  /** By client id: who has registered it. */
  clients: Map<string, string>;
  /** By fingerprint: who has handed it out. */
  credentials: Map<string, string>;
  /** By chain. */
  logins: Map<string, Login>;
  /** The server has taken a token. */
  hasToken: boolean;
}

/** The memories of all connections. */
export type Memories = (connection: ConnectionState) => AuthMemory;

/** Starts with nothing remembered. */
export function createMemories(): Memories {
  const memories = new WeakMap<ConnectionState, AuthMemory>();
  return (connection) => {
    const known = memories.get(connection);
    if (known !== undefined) return known;
    const memory: AuthMemory = {
      named: new Set(),
      issuers: [],
      servers: [],
      clients: new Map(),
      credentials: new Map(),
      logins: new Map(),
      hasToken: false,
    };
    memories.set(connection, memory);
    return memory;
  };
}

const utf8 = new TextDecoder();

/** The body of an answer as text. */
export function bodyText({ record }: ExchangeState): string {
  return utf8.decode(bodyBytes(record));
}

/** The JSON object that an answer holds. */
export function jsonIn(exchange: ExchangeState): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bodyText(exchange));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The form that a request holds. */
export function formIn({ record }: ExchangeState): URLSearchParams {
  const bytes = record.request.body?.bytes;
  return new URLSearchParams(bytes === undefined ? '' : utf8.decode(bytes));
}

/** The URL that an exchange went to, secrets masked as in the log. */
export function urlOf({ record }: ExchangeState): string {
  return record.request.url.text;
}

/** Whether an exchange is about MCP, not about authorization. */
export function isForServer({ record }: ExchangeState): boolean {
  const { purpose } = record.request;
  return ['message', 'stream', 'probe', 'terminate'].includes(purpose);
}

/** The challenges of an answer that are about tokens, and what in them was no challenge. */
export function tokenChallenges({ headers }: Fact<'http-response'>['event']): {
  challenges: Challenge[];
  ignored: string[];
} {
  const { challenges, ignored } = parseChallenges(challengeLines(headers));
  const isOurs = ({ scheme }: Challenge) => /^(bearer|dpop)$/i.test(scheme);
  return { challenges: challenges.filter(isOurs), ignored };
}

/** Whether a part of the challenge was cut out: then nobody knows what it said. */
export function isChallengeCut({ headers }: Fact<'http-response'>['event']): boolean {
  return headers.some(
    ({ name, cuts }) => name.toLowerCase() === 'www-authenticate' && cuts !== undefined,
  );
}

/** Whether a fingerprint tells one secret from another; files of other tools may have none. */
export function isTelling(secret: string): boolean {
  return !/^0+$/.test(secret);
}

/** Whether a request carried a token. */
export function isAuthorized({ record }: ExchangeState): boolean {
  return headerValue(record.request.headers, 'authorization') !== undefined;
}

/** The server whose metadata names this endpoint. */
export function serverAt({ servers }: AuthMemory, endpoint: string): Server | undefined {
  const path = withoutQuery(endpoint);
  return servers.findLast(({ json }) =>
    ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'].some(
      (name) => typeof json[name] === 'string' && withoutQuery(json[name]) === path,
    ),
  );
}

function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? url;
}

/** Whether a URL leads to this machine. */
export function isLoopback(url: URL): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}

/**
 * A finding that waits until the revision is known. Without one it is judged by that of the exchange that was
 * refused; `severityIn` tells where it has another severity than its rule.
 */
export function late(
  finding: Finding,
  connection: ConnectionState,
  memory: AuthMemory,
  severityIn: (revision: Revision) => Severity | undefined = () =>
    finding.severity ?? finding.rule.severity,
): Finding {
  const { challenged } = memory;
  return {
    ...finding,
    severityIn,
    ...(challenged === undefined ? {} : { revision: revisionIn(connection, challenged) }),
  };
}
