import { expect, test } from 'vitest';
import { expiryWords, jwtTimes, prettyJson } from '../../../../lib/state/auth/credential-words.ts';
import { readJwt } from '../../../../lib/state/auth/jwt.ts';

const part = (text: string) => Buffer.from(text).toString('base64url');
const HEADER = '{"alg":"ES256","typ":"at+jwt"}';
const CLAIMS = '{"sub":"Zoë ☃","aud":["a"],"exp":1796068103}';

test('a JWT is taken apart, to the letter', () => {
  const token = `${part(HEADER)}.${part(CLAIMS)}.sig`;
  expect(readJwt(token)).toEqual({ header: HEADER, claims: CLAIMS });
  expect(readJwt(`Bearer ${token}`)).toEqual({ header: HEADER, claims: CLAIMS });
});

test.each([
  'opaque',
  'a.b',
  'a.b.c.d',
  `${part(HEADER)}.${part('[1')}.x`,
  `${part(HEADER)}.${part('null')}.x`,
  `${part('"text"')}.${part(CLAIMS)}.x`,
  `${part(HEADER)}.%%%.x`,
  `${part(HEADER)}.${Buffer.from([0xff, 0xfe]).toString('base64url')}.x`,
])('what is no JWT is not read: %s', (token) => {
  expect(readJwt(token)).toBeUndefined();
});

test('times among the claims are told, and only those that are numbers of seconds', () => {
  expect(jwtTimes(CLAIMS)).toEqual([expect.stringMatching(/^Expires \(exp\): .*2026/)]);
  expect(jwtTimes('{"exp":"soon","iat":1e300,"nbf":0}')).toEqual([
    expect.stringMatching(/^Not valid before \(nbf\): .*1970/),
  ]);
  expect(jwtTimes('no json')).toEqual([]);
});

test('expiry is told from now on', () => {
  expect(expiryWords(undefined, 0)).toBe('not stated');
  expect(expiryWords(65_000, 5000)).toMatch(/^in 1 min 0 s, at /);
  expect(expiryWords(5000, 65_000)).toMatch(/^expired 1 min 0 s ago, at /);
});

test('JSON gets lines, and what is none stays', () => {
  expect(prettyJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(prettyJson('{')).toBe('{');
});
