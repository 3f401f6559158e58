import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { Header } from '../../../../lib/capture/store/stored-text.ts';
import { clauseIn, V4, V5 } from '../../../../lib/lint/clause.ts';
import { chainsOf } from '../../../../lib/state/auth/auth-chains.ts';
import { AUTH_PLACES, ruleFor } from '../../../../lib/state/auth/auth-clauses.ts';
import { toLadder } from '../../../../lib/state/auth/auth-ladder.ts';
import { toRefusals } from '../../../../lib/state/auth/auth-refusals.ts';
import { signOf } from '../../../../lib/state/auth/auth-signs.ts';
import { LogBuilder } from '../../../support/builders.ts';
import { AUTHORIZATION_HEADINGS } from '../../lint/spec-headings-authorization.ts';

const CHALLENGE: Header = { name: 'WWW-Authenticate', value: 'Bearer error="invalid_token"' };
const STARTED = {
  kind: 'auth-started',
  chain: 'a',
  reason: 'authorization',
  url: { text: 'http://127.0.0.1:3001/mcp' },
} as const;
const page = (step: number) =>
  ({ kind: 'auth-consent', chain: 'a', step, state: 'opened' }) as const;

function bearer(secret: string): Header {
  return {
    name: 'Authorization',
    value: 'Bearer ****',
    cuts: [{ offset: 7, length: 4, secret, from: 0 }],
  };
}

/** A request that is refused with a token, waits for a chain, and is repeated with another or the same one. */
function refusedTwice(second: string): LogBuilder {
  const log = new LogBuilder();
  const refuse = (httpId: string) => {
    log.add({ kind: 'http-response', httpId, status: 401, statusText: '', headers: [CHALLENGE] });
    log.end(httpId);
  };
  const first = log.call('1', 'tools/list', undefined, { headers: [bearer('aaaa')] });
  refuse(first);
  const waits = { httpId: first, chain: 'a' } as const;
  log.add({ kind: 'auth-challenged', ...waits, reason: 'authorization', secret: 'aaaa' });
  log.add(STARTED);
  log.add({ kind: 'auth-ended', chain: 'a', outcome: 'authorized' });
  log.add({ kind: 'auth-resolved', ...waits, outcome: 'repeat' });
  const links = { retryOf: first, attempt: 2, reason: 'authorization', authChain: 'a' };
  refuse(log.call('1', 'tools/list', undefined, { headers: [bearer(second)], links }));
  return log;
}

function read(log: LogBuilder) {
  const correlation = createCorrelation();
  correlation.apply(log.events);
  const record = correlation.auths.get('a')!;
  return { correlation, record, ...toLadder(record, correlation) };
}

describe('a token that was refused', () => {
  test('is stale where the repeat carries it again', () => {
    const { lines, record, correlation } = read(refusedTwice('aaaa'));
    expect(lines.map(({ token, isStale }) => [token, isStale])).toEqual([
      ['aaaa', false],
      ['aaaa', true],
    ]);
    expect(lines.map((line) => signOf(line, false).level)).toEqual(['', 'error']);
    expect(toRefusals(record, correlation)).toMatchObject({ isStale: true });
  });

  test('is not, where the repeat carries another one', () => {
    const { lines, record, correlation } = read(refusedTwice('bbbb'));
    expect(lines.map(({ isStale }) => isStale)).toEqual([false, false]);
    expect(toRefusals(record, correlation)).toMatchObject({
      first: { token: 'aaaa' },
      second: { token: 'bbbb' },
      isStale: false,
    });
  });
});

test('a login that was interrupted goes on in the same ladder', () => {
  const log = new LogBuilder();
  log.add(STARTED);
  log.add(page(3));
  log.restart('later');
  log.add({ ...page(3), state: 'interrupted' });
  expect(read(log).lines.map(({ status, isOpen }) => [status, isOpen])).toEqual([
    ['interrupted', false],
  ]);
  log.add(STARTED);
  log.add(page(4));
  expect(read(log).lines.at(-1)).toMatchObject({ status: 'waits for you', isOpen: true });
  log.add({ ...page(4), state: 'received' });
  log.add({ kind: 'auth-ended', chain: 'a', outcome: 'authorized' });
  const { lines, problem, record } = read(log);
  expect(lines.map(({ status }) => status)).toEqual(['interrupted', 'code received']);
  expect(problem).toBeUndefined();
  expect(record.item?.outcome).toBe('authorized');
});

test('what is judged without an exchange stands at the one that was sent in that step', () => {
  const log = new LogBuilder();
  log.add(STARTED);
  const links = { authChain: 'a', authStep: 2 };
  const url = 'http://127.0.0.1:3001/.well-known/oauth-protected-resource';
  const httpId = log.request(undefined, { purpose: 'discovery', method: 'GET', url, links });
  const problem = { code: 'network-refused', message: 'refused' } as const;
  log.add({ kind: 'http-end', httpId, end: { outcome: 'failed', problem } });
  log.add({
    kind: 'auth-step',
    chain: 'a',
    step: 2,
    what: 'resource-metadata',
    verdict: 'passed-over',
    reason: 'refused',
  });
  expect(read(log).lines).toMatchObject([
    { what: 'resource metadata', status: 'no response', verdicts: [{ reason: 'refused' }] },
  ]);
});

test('a question to the user is one line with its answer', () => {
  const log = new LogBuilder();
  log.add(STARTED);
  const question = { kind: 'assume-s256', issuer: 'https://as.example' } as const;
  const asked = { kind: 'auth-question', chain: 'a', step: 4, question } as const;
  log.add(asked);
  expect(read(log).lines).toMatchObject([{ what: 'assume S256?', isOpen: true, isOfUser: true }]);
  log.add({ ...asked, answer: 'no' });
  expect(read(log).lines).toMatchObject([{ what: 'assume S256?', isOpen: false, status: 'no' }]);
});

test('a host that is allowed is a step of its user, and one that is not stops there', () => {
  const log = new LogBuilder();
  log.add(STARTED);
  const host = 'https://as.example/*';
  log.add({ kind: 'permission-asked', chain: 'a', host });
  log.add({ kind: 'permission-denied', chain: 'a', host });
  log.add({
    kind: 'auth-step',
    chain: 'a',
    step: 2,
    what: 'permission',
    verdict: 'refused',
    reason: 'as.example',
  });
  const { lines, correlation, record } = read(log);
  expect(lines).toMatchObject([
    { what: 'permission', place: host, status: 'denied', isOfUser: true, isOpen: false },
  ]);
  // Its rows belong to it as well.
  const rows = correlation.items.filter(({ kind }) => kind === 'lifecycle');
  expect(rows.map((row) => chainsOf(row, correlation))).toEqual([[record], [record]]);
});

test('an imported log that points in a circle ends all the same', () => {
  const log = new LogBuilder();
  const one = log.call('1', 'ping', undefined, { links: { retryOf: 'c1-h2', authChain: 'a' } });
  log.call('1', 'ping', undefined, { links: { retryOf: one, authChain: 'a' } });
  log.add(STARTED);
  const { correlation, record } = read(log);
  for (const item of correlation.items) expect(chainsOf(item, correlation)).toEqual([record]);
});

test.each([
  ['server-metadata', 'refused', 'issuer https://a/, not https://a', 'RFC 8414', '3.3'],
  ['server-metadata', 'refused', 'does not announce PKCE with S256', 'basic/authorization', ''],
  ['server-metadata', 'passed-over', 'answered 404', 'basic/authorization', ''],
  ['registration', 'refused', 'answered 403', 'basic/authorization', ''],
  ['consent', 'refused', 'unexpected "iss"', 'basic/authorization', ''],
  ['consent', 'refused', 'unexpected "state"', 'RFC 6749', '4.1.2'],
  ['token', 'refused', 'invalid_target', 'basic/authorization', ''],
  ['token', 'refused', 'no usable token', 'RFC 6749', '5.2'],
  ['revocation', 'passed-over', 'answered 500', 'RFC 7009', '2'],
] as const)('%s %s: %s has a clause and a way out', (topic, verdict, reason, where, part) => {
  const legacy = ruleFor({ topic, verdict, reason }, false);
  const modern = ruleFor({ topic, verdict, reason }, true);
  expect(legacy.clause?.page).toBe(where);
  expect(legacy.clause?.section).toContain(part);
  expect(legacy.fix ?? '').not.toBe('');
  expect(modern.clause?.url).toMatch(/^https:\/\//);
});

test('every clause is a heading of the specification, or a section of an RFC', () => {
  const places = AUTH_PLACES.flatMap((place) =>
    [V4, V5].map((revision) => ({ kind: place.kind, ...clauseIn(place, revision) })),
  );
  expect(places.length).toBeGreaterThan(60);
  const unknown = places.filter(({ kind, revision, page, section, url }) =>
    kind === 'standard'
      ? !/rfc\d+#section-[\d.]+$/.test(url)
      : AUTHORIZATION_HEADINGS[revision]?.[page]?.includes(section) !== true,
  );
  expect(unknown).toEqual([]);
});
