import type { HeldCredential } from '../../port/contract.ts';
import { formatRunning } from '../../text.ts';

/** How a client came to its id. */
export const CLIENT_SOURCES: Record<HeldCredential['clientSource'], string> = {
  'by-hand': 'entered by hand',
  'metadata-document': 'a client ID metadata document',
  registered: 'registered by itself',
};

/** Scopes as one text, also where the server named none. */
export function scopeWords(scopes: readonly string[]): string {
  return scopes.length === 0 ? 'none named' : scopes.join(' ');
}

/** When a token expires, as time from now; times are wall time in ms. */
export function expiryWords(expiresAt: number | undefined, now: number): string {
  if (expiresAt === undefined) return 'not stated';
  const at = new Date(expiresAt).toLocaleString();
  return expiresAt <= now
    ? `expired ${formatRunning(now - expiresAt)} ago, at ${at}`
    : `in ${formatRunning(expiresAt - now)}, at ${at}`;
}

/** JSON with line breaks; what is none stays as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

const TIMES: Record<string, string> = {
  iat: 'Issued',
  nbf: 'Not valid before',
  exp: 'Expires',
};

/** The times among the claims of a JWT (RFC 7519, 4.1), as people write them. */
export function jwtTimes(claims: string): string[] {
  let read: unknown;
  try {
    read = JSON.parse(claims);
  } catch {
    return [];
  }
  return Object.entries(TIMES).flatMap(([name, words]) => {
    const value = (read as Record<string, unknown>)[name];
    if (typeof value !== 'number') return [];
    const date = new Date(value * 1000);
    // Year 275760 is the last that a date can be.
    return Number.isNaN(date.getTime()) ? [] : [`${words} (${name}): ${date.toLocaleString()}`];
  });
}
