import { expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { Header } from '../../../../lib/capture/store/stored-text.ts';
import type { RequestLinks } from '../../../../lib/capture/wire-event.ts';
import { hasAuthFacts, toAuthFacts } from '../../../../lib/state/auth/auth-facts.ts';
import { LogBuilder } from '../log-builder.ts';

function bearer(secret: string): Header {
  const cuts = [{ offset: 7, length: 4, secret, from: 0 }];
  return { name: 'Authorization', value: 'Bearer ****', cuts };
}

function send(log: LogBuilder, headers: Header[], links: RequestLinks = {}): string {
  const httpId = log.request('{"jsonrpc":"2.0","id":1,"method":"tools/list"}', headers);
  const request = log.events.at(-1)!;
  if (request.kind === 'http-request') request.links = links;
  return httpId;
}

function refuse(log: LogBuilder, httpId: string, status: number, challenges: string[]): void {
  const headers = challenges.map((value) => ({ name: 'WWW-Authenticate', value }));
  log.wait(10).add({ kind: 'http-response', httpId, status, statusText: '', headers });
  log.end(httpId, 0);
}

function factsOf(log: LogBuilder, httpId: string) {
  const correlation = createCorrelation();
  correlation.apply(log.events);
  const item = correlation.items.find((each) => each.httpId === httpId)!;
  return toAuthFacts(correlation.https.get(httpId)!, item, correlation);
}

test('an exchange that was not refused has no auth facts', () => {
  const log = new LogBuilder().opened();
  const httpId = send(log, [bearer('aaaa')]);
  log.answer(httpId, '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}');
  expect(factsOf(log, httpId)).toBeUndefined();
});

test('challenges are read, several of them and with commas in quotes', () => {
  const log = new LogBuilder().opened();
  const httpId = send(log, []);
  refuse(log, httpId, 401, ['Bearer realm="a, b", scope="x y", Basic realm="c"', 'Negotiate abc=']);
  const facts = factsOf(log, httpId)!;
  expect(facts.headers).toHaveLength(2);
  expect(
    facts.parsed.challenges.map(({ scheme, token68, params }) => [
      scheme,
      token68 ?? params.map(({ name, value }) => `${name}=${value}`).join('; '),
    ]),
  ).toEqual([
    ['Bearer', 'realm=a, b; scope=x y'],
    ['Basic', 'realm=c'],
    ['Negotiate', 'abc='],
  ]);
  expect(facts.advice).toContain('The request carried no Authorization header.');
});

test('what was repeated is listed with the fingerprint of its credential, in order', () => {
  const log = new LogBuilder().opened();
  const first = send(log, [bearer('a91c')]);
  refuse(log, first, 401, ['Bearer error="invalid_token"']);
  const second = send(log, [bearer('7d02')], { retryOf: first, reason: 'auth', attempt: 2 });
  log.wait(5).answer(second, '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}');
  const lines = (httpId: string) =>
    factsOf(log, httpId)!.steps.map(
      ({ what, status, credential, isOwn }) =>
        `${what} ${status} ${credential}${isOwn ? ' (this)' : ''}`,
    );
  expect(lines(first)).toEqual([
    'POST /mcp 401 Bearer ‹a91c› (this)',
    'POST /mcp 200 Bearer ‹7d02›',
  ]);
  expect(lines(second)).toEqual([
    'POST /mcp 401 Bearer ‹a91c›',
    'POST /mcp 200 Bearer ‹7d02› (this)',
  ]);
  expect(factsOf(log, first)!.advice.join(' ')).toContain(
    'does not accept the credential Bearer ‹a91c›',
  );
});

test('all exchanges of an authorization chain stand together', () => {
  const log = new LogBuilder().opened();
  const ids = [1, 2, 3].map((authStep) => {
    const httpId = send(log, [], { authChain: 'c', authStep });
    log.answer(httpId, '{}');
    return httpId;
  });
  send(log, [], { authChain: 'other' });
  expect(factsOf(log, ids[1]!)!.steps.map(({ httpId }) => httpId)).toEqual(ids);
});

test('a missing scope and a missing challenge are said', () => {
  const log = new LogBuilder().opened();
  const narrow = send(log, [bearer('a91c')]);
  refuse(log, narrow, 403, ['Bearer error="insufficient_scope", scope="admin"']);
  const silent = send(log, [bearer('a91c')]);
  refuse(log, silent, 401, []);
  expect(factsOf(log, narrow)!.advice[0]).toContain('needs the scope “admin”');
  expect(factsOf(log, silent)!.advice[0]).toContain('names no way to authorize');
  const correlation = createCorrelation();
  correlation.apply(log.events);
  expect(hasAuthFacts(correlation.https.get(narrow)!)).toBe(true);
});
