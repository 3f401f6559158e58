import { AppError } from '../errors.ts';
import type { AuthQuestion } from '../capture/auth-fact.ts';
import type { Chain } from './chain.ts';
import { stringsIn } from './chain.ts';

/** No server needs more; a list of hundreds is a trap. */
const SERVERS = 8;

/** What is to be authorized, as its own metadata says (RFC 9728). */
export interface Resource {
  /** To the letter. */
  resource: string;
  /** Issuers, in the order of the metadata. */
  servers: string[];
  scopes?: string[];
  /** Only tokens that are bound to a key are taken. */
  needsDpop: boolean;
}

/**
 * Finds the metadata of the resource: where the challenge says, then by its path, then at the root. Nothing
 * found is `undefined`. Rejects with an `AppError` where it speaks of another resource. `accepted` is a resource
 * that the user has agreed to before.
 */
export async function findResource(
  chain: Chain,
  challengeUrls: readonly string[],
  accepted?: string,
): Promise<Resource | undefined> {
  const { serverUrl } = chain;
  const named = challengeUrls.filter((url) => URL.canParse(url, serverUrl));
  const urls = new Set([
    ...named.map((url) => new URL(url, serverUrl).href),
    ...wellKnownUrls(serverUrl),
  ]);
  for (const url of urls) {
    const found = await chain.getJson('resource-metadata', url);
    if (found === undefined) continue;
    const { json, httpId } = found;
    const listed = json['authorization_servers'];
    const servers = stringsIn(listed) ?? (typeof listed === 'string' ? [listed] : []);
    if (typeof listed === 'string') {
      const reason = '`authorization_servers` is a text, not a list';
      chain.judge('resource-metadata', 'noted', reason, httpId);
    }
    if (servers.length === 0) {
      chain.judge('resource-metadata', 'passed-over', 'names no authorization server', httpId);
      continue;
    }
    if (servers.length > SERVERS) {
      const reason = `names ${servers.length} authorization servers; the first ${SERVERS} count`;
      chain.judge('resource-metadata', 'noted', reason, httpId);
    }
    const resource = await checkResource(chain, json['resource'], httpId, accepted);
    const scopes = stringsIn(json['scopes_supported']);
    chain.judge('resource-metadata', 'used', `resource ${resource}`, httpId);
    return {
      resource,
      servers: servers.slice(0, SERVERS),
      ...(scopes === undefined ? {} : { scopes }),
      needsDpop: json['dpop_bound_access_tokens_required'] === true,
    };
  }
  return undefined;
}

/** Where a resource publishes its metadata unless it says otherwise (RFC 9728, 3.1): by its path, at the root. */
function wellKnownUrls(serverUrl: string): string[] {
  const { origin, pathname, search } = new URL(serverUrl);
  const root = `${origin}/.well-known/oauth-protected-resource`;
  const path = pathname === '/' ? '' : pathname;
  return path === '' && search === '' ? [root] : [`${root}${path}${search}`, root];
}

/**
 * A server's URL as the name of a resource: no fragment, no query, in which keys may stand, and no slash that
 * only a parser has added (RFC 8707, 2).
 */
export function canonicalResource(serverUrl: string): string {
  const { origin, pathname } = new URL(serverUrl);
  return pathname === '/' ? origin : `${origin}${pathname}`;
}

async function checkResource(
  chain: Chain,
  resource: unknown,
  httpId: string,
  accepted: string | undefined,
): Promise<string> {
  const { serverUrl } = chain;
  if (typeof resource !== 'string' || resource === '') {
    chain.judge('resource-metadata', 'noted', 'does not name its resource', httpId);
    return canonicalResource(serverUrl);
  }
  const fit = fitOf(resource, serverUrl);
  switch (fit.kind) {
    case 'same':
      return resource;
    case 'noted':
      chain.judge('resource-metadata', 'noted', fit.reason, httpId);
      return resource;
    case 'parent':
      if (resource === accepted) return resource;
      if (await decide(chain, { kind: 'parent-resource', resource })) return resource;
      chain.judge('resource-metadata', 'refused', `resource ${resource}`, httpId);
      throw new AppError({
        code: 'auth-refused',
        message: `A token for all of ${resource} was not wanted.`,
        advice: `The server at ${serverUrl} asks for no smaller one.`,
      });
    case 'other':
      chain.judge('resource-metadata', 'refused', `resource ${resource}: ${fit.reason}`, httpId);
      throw new AppError({
        code: 'auth-refused',
        message: `The metadata is about another resource: ${resource}, not ${serverUrl}.`,
        advice:
          'A token for it would be a token for somebody else. The server has to name its own URL as `resource` (RFC 9728, 3.3).',
      });
  }
}

type Fit = { kind: 'same' } | { kind: 'noted' | 'other'; reason: string } | { kind: 'parent' };

/** How the resource of the metadata goes with the URL that is connected to. */
function fitOf(resource: string, serverUrl: string): Fit {
  if (resource === serverUrl || resource === canonicalResource(serverUrl)) return { kind: 'same' };
  if (!URL.canParse(resource)) return { kind: 'other', reason: 'it is no URL' };
  const theirs = new URL(resource);
  const ours = new URL(serverUrl);
  if (theirs.origin !== ours.origin) return { kind: 'other', reason: 'another origin' };
  if (theirs.hash !== '') return { kind: 'other', reason: 'it has a fragment' };
  const [path, ourPath] = [theirs.pathname, ours.pathname].map(withoutSlash);
  if (path === ourPath) {
    if (theirs.search !== '' && theirs.search !== ours.search) {
      return { kind: 'other', reason: 'another query' };
    }
    return { kind: 'noted', reason: `${resource} is spelt differently from ${serverUrl}` };
  }
  const isAbove = path === '' || ourPath?.startsWith(`${path}/`) === true;
  if (isAbove && theirs.search === '') return { kind: 'parent' };
  return { kind: 'other', reason: 'another path' };
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}

/** Asks the user, with question and answer in the log. */
export async function decide(chain: Chain, question: AuthQuestion): Promise<boolean> {
  const { doors, id } = chain;
  const fact = { kind: 'auth-question', chain: id, step: chain.begin(), question } as const;
  doors.record(id, fact);
  const isAllowed = await doors.decide(id, question);
  doors.record(id, { ...fact, answer: isAllowed ? 'yes' : 'no' });
  return isAllowed;
}
