import type { AuthRecord } from '../../capture/correlate/auth-record.ts';
import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { HttpRecord, Item } from '../../capture/correlate/items.ts';
import type { EventOf } from '../../capture/wire-event.ts';

type Source = Pick<Correlation, 'https' | 'auths'>;

/** The authorizations that a row is, belongs to, or has waited for, in the order of the log. */
export function chainsOf(item: Item, { https, auths }: Source): AuthRecord[] {
  if (item.kind === 'auth') return listOf(auths.get(item.chain));
  if (item.kind === 'lifecycle') {
    return 'chain' in item.event ? listOf(auths.get(item.event.chain ?? '')) : [];
  }
  if ('direction' in item && item.direction === 'incoming') return [];
  const attempts = attemptsOf(item, https);
  const waits = new Set(attempts.map(({ httpId }) => httpId));
  const named = new Set(attempts.map(({ request }) => request.links.authChain));
  return [...auths.values()].filter(
    ({ chain, facts, item: row }) =>
      row !== undefined &&
      (named.has(chain) ||
        facts.some((fact) => fact.kind === 'auth-challenged' && waits.has(fact.httpId))),
  );
}

/** Every exchange that carried the message of a row, the first one first. */
function attemptsOf(item: Item, https: Source['https']): HttpRecord[] {
  const attempts: HttpRecord[] = [];
  for (let record = https.get(item.httpId ?? ''); record !== undefined;) {
    // An imported log may point in a circle.
    if (attempts.includes(record)) break;
    attempts.unshift(record);
    const { reason, causedBy, retryOf } = record.request.links;
    record = https.get((reason === 'redirect' ? causedBy : retryOf) ?? '');
  }
  return attempts;
}

function listOf(record: AuthRecord | undefined): AuthRecord[] {
  return record === undefined ? [] : [record];
}

/** What an authorization asked for and got. */
export interface AuthGrant {
  issuer?: string;
  clientId?: string;
  redirectUri?: string;
  /** Whom the token is for. */
  audience?: string;
  asked?: string[];
  granted?: string[];
  /** Fingerprint of the access token. */
  token?: string;
  /** Wall time, ms; absent where the server did not say, or nothing was granted. */
  expiresAt?: number;
}

/** Reads out of an authorization what was asked and granted; parts that the log does not tell are absent. */
export function toGrant({ facts, exchanges }: AuthRecord): AuthGrant {
  const page = facts.findLast((fact) => fact.kind === 'auth-consent' && fact.state === 'opened');
  const consent = page?.kind === 'auth-consent' ? URL.parse(page.url?.text ?? '') : null;
  const asked = consent?.searchParams ?? tokenRequest(exchanges);
  const stored = facts.findLast(isStored);
  const scope = asked?.get('scope') ?? undefined;
  return {
    ...present('issuer', stored?.issuer),
    ...present('clientId', asked?.get('client_id') ?? undefined),
    ...present('redirectUri', asked?.get('redirect_uri') ?? undefined),
    ...present('audience', stored?.resource ?? asked?.get('resource') ?? undefined),
    ...present('asked', scope?.split(' ')),
    ...present('granted', stored?.scopes),
    ...present('token', stored?.secret),
    ...present('expiresAt', stored?.expiresAt),
  };
}

function isStored(
  fact: AuthRecord['facts'][number],
): fact is EventOf<'auth-credential'> & { chain: string } {
  return fact.kind === 'auth-credential' && fact.change === 'stored';
}

function tokenRequest(exchanges: AuthRecord['exchanges']): URLSearchParams | undefined {
  const body = exchanges.findLast(({ purpose }) => purpose === 'token')?.body;
  return body && new URLSearchParams(new TextDecoder().decode(body.bytes));
}

function present<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): Partial<Record<Name, Value>> {
  // The name is a literal, which the type of a computed key forgets.
  return value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
}
