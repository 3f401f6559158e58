import { challengeValues, parseChallenges, type Challenge } from '../protocol/challenge.ts';
import { scopesIn, union } from './scopes.ts';

/** What the challenges of an answer say about authorization, whichever schemes there are. */
export interface AuthChallenge {
  /** Where the metadata of the resource is; several where the header names several. */
  metadataUrls: string[];
  scopes: string[];
  error: string | undefined;
  description: string | undefined;
  /** Only tokens that are bound to a key are asked for (RFC 9449, 7.1). */
  wantsDpop: boolean;
}

const SCHEMES = new Set(['bearer', 'dpop']);

/** Reads the Bearer and DPoP challenges of an answer (RFC 6750, 3; RFC 9728, 5.1). */
export function readChallenge(lines: readonly string[]): AuthChallenge {
  const challenges = parseChallenges(lines).challenges.filter(isOurs);
  const all = (name: string) => challenges.flatMap((each) => challengeValues(each, name));
  const has = (scheme: string) => challenges.some((each) => each.scheme.toLowerCase() === scheme);
  return {
    metadataUrls: union(all('resource_metadata')),
    scopes: union(...all('scope').map((scope) => scopesIn(scope))),
    error: all('error')[0],
    description: all('error_description')[0],
    wantsDpop: has('dpop') && !has('bearer'),
  };
}

function isOurs({ scheme }: Challenge): boolean {
  return SCHEMES.has(scheme.toLowerCase());
}
