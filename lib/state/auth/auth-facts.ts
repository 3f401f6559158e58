import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { HttpRecord, Item } from '../../capture/correlate/items.ts';
import type { Header } from '../../capture/store/stored-text.ts';
import {
  challengeLines,
  challengeValues,
  parseChallenges,
  type Challenge,
  type ParsedChallenges,
} from '../../protocol/challenge.ts';
import { credentialOf } from './auth-exchange.ts';
import { durationBetween } from '../../capture/correlate/moments.ts';
import { httpStatus } from '../detail/http-status.ts';

/** One exchange of an authorization chain, or a request that was refused or repeated. */
export interface AuthStep {
  httpId: string;
  what: string;
  status: string;
  /** How it said who it is: the scheme and the fingerprint of the secret. */
  credential: string;
  durationMs: number | undefined;
  isOwn: boolean;
}

/** What the log holds about the authorization of one exchange. */
export interface AuthFacts {
  /** `WWW-Authenticate` headers, as sent. */
  headers: Header[];
  parsed: ParsedChallenges;
  steps: AuthStep[];
  /** What can be done about it. */
  advice: string[];
}

type Source = Pick<Correlation, 'https'>;

/** Undefined where an exchange was not refused for its credentials and belongs to no authorization chain. */
export function toAuthFacts(record: HttpRecord, item: Item, source: Source): AuthFacts | undefined {
  if (!hasAuthFacts(record)) return undefined;
  const headers = (record.received ?? record.response)?.headers ?? [];
  const parsed = parseChallenges(challengeLines(headers));
  return {
    headers: headers.filter(({ name }) => name.toLowerCase() === 'www-authenticate'),
    parsed,
    steps: relatedRecords(record, source).map((step) => toStep(step, record)),
    advice: adviceFor(record, item, parsed.challenges),
  };
}

/** Whether there is anything to show about the authorization of a row. */
export function hasAuthTab(item: Item, record: HttpRecord | undefined): boolean {
  if (item.kind === 'auth' || item.authChains !== undefined) return true;
  if (item.kind === 'lifecycle') return 'chain' in item.event && item.event.chain !== undefined;
  return record !== undefined && hasAuthFacts(record);
}

/** Cheap: whether there is anything to show. */
export function hasAuthFacts(record: HttpRecord): boolean {
  const status = httpStatus(record);
  const { authChain, reason } = record.request.links;
  return status === 401 || status === 403 || authChain !== undefined || isAboutAccess(reason);
}

function isAboutAccess(reason: string | undefined): boolean {
  return reason !== undefined && /auth|401|403|challenge|token|step-up/i.test(reason);
}

/** Those of its chain, and the requests that it repeats or that repeat it, in the order of the log. */
function relatedRecords(record: HttpRecord, { https }: Source): HttpRecord[] {
  const { authChain } = record.request.links;
  const found = new Set([record]);
  for (const other of https.values()) {
    const { links } = other.request;
    if (authChain !== undefined && links.authChain === authChain) found.add(other);
    if (links.retryOf !== undefined && [...found].some(({ httpId }) => httpId === links.retryOf)) {
      found.add(other);
    }
  }
  // What it repeats came before it, and so may what that repeats.
  for (let at = record; at.request.links.retryOf !== undefined;) {
    const before = https.get(at.request.links.retryOf);
    if (before === undefined || found.has(before)) break;
    found.add(before);
    at = before;
  }
  return [...found].toSorted((left, right) => left.request.sequence - right.request.sequence);
}

function toStep(step: HttpRecord, own: HttpRecord): AuthStep {
  const { request, end } = step;
  const path = URL.parse(request.url.text)?.pathname ?? request.url.text;
  const purpose = request.purpose === 'message' ? '' : `${request.purpose}: `;
  return {
    httpId: step.httpId,
    what: `${purpose}${request.method} ${path}`,
    status: statusWords(step),
    credential: credentialWords(step),
    durationMs: end === undefined ? undefined : durationBetween(request, end).ms,
    isOwn: step === own,
  };
}

function statusWords(record: HttpRecord): string {
  const status = httpStatus(record);
  if (status !== undefined) return String(status);
  return record.end === undefined ? 'pending' : 'no response';
}

function credentialWords(record: HttpRecord): string {
  const { scheme, fingerprint } = credentialOf(record);
  if (fingerprint !== undefined) return `${scheme} ‹${fingerprint}›`.trim();
  return scheme === '' ? 'none' : scheme;
}

function adviceFor(record: HttpRecord, item: Item, challenges: readonly Challenge[]): string[] {
  const status = httpStatus(record);
  if (status !== 401 && status !== 403) return [];
  const advice: string[] = [];
  const credential = credentialWords(record);
  if (challenges.length === 0 && status === 401) {
    advice.push(
      'The answer names no way to authorize: a 401 needs a WWW-Authenticate header (RFC 9110, 15.5.2).',
    );
  }
  for (const challenge of challenges) {
    const valueOf = (name: string) => challengeValues(challenge, name)[0];
    const metadata = valueOf('resource_metadata');
    const scope = valueOf('scope');
    const error = valueOf('error');
    if (error === 'insufficient_scope') {
      advice.push(
        `The credential ${credential} is valid, but does not allow this${scope === undefined ? '' : `: it needs the scope “${scope}”`}.`,
      );
    } else if (error === 'invalid_token' && credential !== 'none') {
      advice.push(`The server does not accept the credential ${credential}: it may have expired.`);
    }
    if (metadata !== undefined) {
      advice.push(`The server says at ${metadata} who gives out tokens for it.`);
    }
  }
  if (credential === 'none') advice.push('The request carried no Authorization header.');
  if ('problem' in item && item.problem?.advice !== undefined) advice.push(item.problem.advice);
  return advice;
}
