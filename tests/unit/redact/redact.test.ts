import { createHash, createHmac } from 'node:crypto';
import {
  assert,
  constantFrom,
  json as anyJson,
  property,
  stringMatching,
  uint8Array,
} from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactHeader } from '../../../lib/redact/headers.ts';
import { redactPatterns } from '../../../lib/redact/patterns.ts';
import {
  countingPseudonyms,
  createPseudonyms,
  isPseudonym,
} from '../../../lib/redact/pseudonyms.ts';
import { hmacSha256, sha256 } from '../../../lib/redact/sha256.ts';
import { redactForm, redactUrl, redactUrlsIn } from '../../../lib/redact/url.ts';

const KEY = new Uint8Array(32).fill(7);
const TOKEN = 'r7Kx2mQ9vB4nT1zL8pWd';
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl';

function pseudonyms() {
  return createPseudonyms(KEY);
}

const header = (name: string, value: string) => redactHeader(name, value, pseudonyms());
const url = (text: string) => redactUrl(text, pseudonyms());
const urlsIn = (given: string) => redactUrlsIn(given, pseudonyms());
const text = (given: string) => redactPatterns(given, pseudonyms());
const HEX = '[0-9a-f]{10}';

test('the hash is SHA-256, and the code over it HMAC', () => {
  assert(
    property(uint8Array({ maxLength: 300 }), uint8Array({ maxLength: 100 }), (a, key) => {
      expect([...sha256(a)]).toEqual([...createHash('sha256').update(a).digest()]);
      expect([...hmacSha256(key, a)]).toEqual([...createHmac('sha256', key).update(a).digest()]);
    }),
  );
});

describe('pseudonyms', () => {
  test('are the first 40 bits of the code over class and value', () => {
    const hex = createHmac('sha256', KEY).update(`tok\0${TOKEN}`).digest('hex').slice(0, 10);
    expect(pseudonyms().of('tok', TOKEN)).toBe(`redacted~tok~${hex}`);
  });

  test('are one for one value whatever the place, and differ between keys', () => {
    const names = pseudonyms();
    expect(names.of('key', TOKEN)).toBe(names.of('tok', TOKEN));
    expect(createPseudonyms(new Uint8Array(32)).of('tok', TOKEN)).not.toBe(
      pseudonyms().of('tok', TOKEN),
    );
  });

  test('stand for values that only a fingerprint names, and for nothing else', () => {
    const names = pseudonyms();
    expect(names.ofFingerprint('sid', 'a91c')).toBe(names.ofFingerprint('tok', 'a91c'));
    expect(names.ofFingerprint('sid', 'a91c')).not.toBe(names.of('sid', 'a91c'));
  });

  test('are counted by class, without those that stood there before', () => {
    const names = countingPseudonyms(pseudonyms());
    const once = redactHeader('Cookie', 'a=1; b=2', names);
    redactHeader('Authorization', `Bearer ${TOKEN}`, names);
    redactHeader('Cookie', once, names);
    expect([...names.counts]).toEqual([
      ['cookie', 2],
      ['tok', 1],
    ]);
  });
});

describe('headers', () => {
  test.each([
    ['Authorization', `Bearer ${TOKEN}`, 'Bearer redacted~tok~'],
    ['PROXY-authorization', TOKEN, 'redacted~tok~'],
    ['Mcp-Session-Id', TOKEN, 'redacted~sid~'],
    ['X-Api-Key', 'short', 'redacted~key~'],
    ['x-csrf-token', TOKEN, 'redacted~csrf~'],
    [
      'Content-Digest',
      'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:',
      'redacted~digest~',
    ],
    ['ETag', '"33a64df551425fcc55e4d42a148795d9f25f89d4"', 'redacted~digest~'],
    ['DPoP', JWT, 'redacted~tok~'],
    ['X-My-Secret-Thing', TOKEN, 'redacted~key~'],
    ['x-custom-session', TOKEN, 'redacted~sid~'],
  ])('%s keeps no value', (name, value, begin) => {
    expect(header(name, value)).toMatch(new RegExp(`^${begin}${HEX}$`));
  });

  test('cookies keep names and attributes', () => {
    expect(header('Cookie', 'sid=abc; theme=dark; bare')).toMatch(
      new RegExp(
        `^sid=redacted~cookie~${HEX}; theme=redacted~cookie~${HEX}; redacted~cookie~${HEX}$`,
      ),
    );
    expect(header('Set-Cookie', 'sid=abc; Path=/; HttpOnly; Max-Age=60')).toMatch(
      new RegExp(`^sid=redacted~cookie~${HEX}; Path=/; HttpOnly; Max-Age=60$`),
    );
    expect(header('Set-Cookie', 'gone=; Max-Age=0')).toBe('gone=; Max-Age=0');
  });

  test('a subprotocol that is no known word may be a token', () => {
    expect(header('Sec-WebSocket-Protocol', `mcp, graphql-ws, ${TOKEN}`)).toMatch(
      new RegExp(`^mcp, graphql-ws, redacted~tok~${HEX}$`),
    );
  });

  test('URLs in Location and Link follow the rules of URLs', () => {
    expect(header('Location', 'https://a.example/cb?code=abc&page=2')).toMatch(
      new RegExp(`^https://a\\.example/cb\\?code=redacted~code~${HEX}&page=2$`),
    );
    expect(header('Link', '<https://u:p@a.example/?sid=1>; rel="next"')).toMatch(
      new RegExp(`^<https://redacted~userinfo~${HEX}@a\\.example/\\?sid=redacted~sid~${HEX}>; rel`),
    );
    expect(header('Referer', 'file:///home/me/secret/page.html')).toBe('file:///page.html');
  });

  test.each([
    ['Content-Type', 'application/json'],
    ['WWW-Authenticate', 'Bearer resource_metadata="https://a.example/.well-known/x", scope="a b"'],
    ['WWW-Authenticate', 'Bearer error_description="The token expired"'],
    ['MCP-Protocol-Version', '2025-11-25'],
    ['Accept', 'application/json, text/event-stream'],
    ['Authorization', ''],
  ])('%s stays', (name, value) => {
    expect(header(name, value)).toBe(value);
  });
});

describe('URLs', () => {
  test('keep all but userinfo and secret parameters, whatever their spelling', () => {
    expect(url('https://a.example/p?page=2&q=a%20b#top')).toBe(
      'https://a.example/p?page=2&q=a%20b#top',
    );
    expect(url('https://a.example/?%74oken=x%26y&X-Amz-Signature=1#access_token=z')).toMatch(
      new RegExp(
        `\\?%74oken=redacted~token~${HEX}&X-Amz-Signature=redacted~x-amz-signature~${HEX}#access_token=redacted~access-token~${HEX}$`,
      ),
    );
    expect(url('/relative?session_id=1')).toMatch(
      new RegExp(`^/relative\\?session_id=redacted~sid~${HEX}$`),
    );
    expect(url('https://a.example/?token=&token')).toBe('https://a.example/?token=&token');
  });

  test('the decoded value is what counts', () => {
    const names = pseudonyms();
    const session = redactHeader('Mcp-Session-Id', 'a b+c', names);
    expect(redactForm('sessionId=a+b%2Bc', names)).toBe(`sessionId=${session}`);
    expect(redactUrl('/?sid=a%20b%2Bc', names)).toBe(`/?sid=${session}`);
  });

  test('are found in a text that quotes them', () => {
    expect(
      redactUrlsIn('GET "http://u:p@a.example/?key=1" failed (see /x?key=2)', pseudonyms()),
    ).toMatch(
      new RegExp(
        `^GET "http://redacted~userinfo~${HEX}@a\\.example/\\?key=redacted~key~${HEX}" failed \\(see /x\\?key=2\\)$`,
      ),
    );
  });
});

describe('patterns', () => {
  test.each([
    ['a JWT', `say ${JWT}.`, /^say redacted~jwt~[0-9a-f]{10}\.$/],
    ['a JWT behind an escape', String.raw`"a\n${JWT}"`, /^"a\\nredacted~jwt~[0-9a-f]{10}"$/],
    ['a bearer token', `"Bearer ${TOKEN}"`, /^"Bearer redacted~tok~[0-9a-f]{10}"$/],
    ['basic credentials', 'basic dXNlcjpwYXNz=', /^basic redacted~tok~[0-9a-f]{10}$/],
    ['a key of OpenAI', `k=sk-proj-${TOKEN}`, /^k=redacted~tok~[0-9a-f]{10}$/],
    ['a token of GitHub', `ghp_${TOKEN}`, /^redacted~tok~[0-9a-f]{10}$/],
    ['an id of AWS', 'AKIAABCDEFGHIJKLMNOP', /^redacted~tok~[0-9a-f]{10}$/],
    [
      'a private key in JSON',
      String.raw`{"pem":"-----BEGIN RSA PRIVATE KEY-----\nMIIE+/=\n-----END RSA PRIVATE KEY-----\n"}`,
      /^\{"pem":"redacted~pem~[0-9a-f]{10}\\n"\}$/,
    ],
    [
      'a private key that was cut off',
      String.raw`{"pem":"-----BEGIN PRIVATE KEY-----\nMIIE"}`,
      /^\{"pem":"redacted~pem~[0-9a-f]{10}"\}$/,
    ],
  ])('%s goes', (_, given, expected) => {
    expect(text(given)).toMatch(expected);
  });

  test.each([
    'Bearer authentication is required',
    'Basic understanding.',
    'task-abcdefghijklmnopqrst',
    'Bearer error_description="x", resource_metadata="y"',
    '-----BEGIN PUBLIC KEY-----\nMIIE',
    'eyJ.eyJ.x',
  ])('%j stays', (given) => {
    expect(text(given)).toBe(given);
  });

  test('take time in proportion to the text, whatever is in it', () => {
    const hostile = ['eyJ', 'eyJa.', '-----BEGIN PRIVATE KEY-----', 'Bearer ', 'sk-', '%20', 'a']
      .map((part) => part.repeat(100_000))
      .join(' ');
    const started = performance.now();
    text(hostile);
    redactUrlsIn(hostile, pseudonyms());
    // A quadratic search over this would take minutes.
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

const secret = stringMatching(/^[A-Za-z0-9_-]{12,40}$/).filter(
  (value) => /\d/.test(value) && /[A-Z]/.test(value),
);
const plainText = stringMatching(/^[a-z ,.:;(){}[\]"'\\/-]{0,30}$/);

const PLACES: ((value: string, around: string) => [place: string, text: string])[] = [
  (value) => ['header Authorization', `Bearer ${value}`],
  (value) => ['header Authorization', value],
  (value) => ['header Cookie', `a=1; b=${value}; c=${value}`],
  (value) => ['header Set-Cookie', `a=${value}; Path=/`],
  (value) => ['header Mcp-Session-Id', value],
  (value) => ['header X-Other-Token', value],
  (value) => ['header Sec-WebSocket-Protocol', `mcp, 1.${value}`],
  (value) => ['header Location', `https://u:${value}@a.example/x`],
  (value) => ['url', `https://a.example/?a=1&refresh_token=${value}&b=2#state=${value}`],
  (value) => ['url', `/messages/?session_id=${value}`],
  (value) => ['form', `grant_type=x&client_secret=${value}`],
  (value, around) => ['text', `${around} Bearer ${value}`],
  (value, around) => ['text', `${around}\n"eyJ${value}.eyJ${value}.${value}"`],
  (value, around) => ['text', `${around} sk-${value}${value}`],
];

function redact(place: string, value: string, names = pseudonyms()): string {
  if (place === 'url') return redactUrl(value, names);
  if (place === 'form') return redactForm(value, names);
  if (place === 'text') return redactPatterns(value, names);
  return redactHeader(place.slice('header '.length), value, names);
}

test('no seeded secret survives, and redacting twice changes nothing', () => {
  assert(
    property(secret, plainText, constantFrom(...PLACES), (value, around, place) => {
      const [where, given] = place(value, around);
      const once = redact(where, given);
      expect(once).not.toContain(value);
      expect(redact(where, once)).toBe(once);
    }),
    { numRuns: 1000 },
  );
});

test('what is not secret keeps its place: equal values before are equal after, and no others', () => {
  assert(
    property(secret, secret, (first, second) => {
      const names = pseudonyms();
      const [a, b] = [first, second].map((value) => redactHeader('Mcp-Session-Id', value, names));
      expect(a === b).toBe(first === second);
      expect(isPseudonym(a ?? '')).toBe(true);
      const form = redactForm(`x=1&sid=${first}&sid=${second}&sid=${first}`, names);
      expect(form).toBe(`x=1&sid=${a}&sid=${b}&sid=${a}`);
      expect(redactHeader('Authorization', `Bearer ${first}`, names)).toBe(`Bearer ${a}`);
    }),
  );
});

test('JSON stays JSON, and only strings change in it', () => {
  assert(
    property(anyJson(), secret, (json, value) => {
      const given = `{"jsonrpc":"2.0","id":9007199254740993,"a":${json},"b":"Bearer ${value}"}`;
      const once = text(given);
      expect(once.startsWith('{"jsonrpc":"2.0","id":9007199254740993,')).toBe(true);
      expect(() => JSON.parse(once)).not.toThrow();
      expect(once).not.toContain(value);
    }),
  );
});

test.each([
  ['postgres://app:corr3ct-horse@db.example/x', 'corr3ct-horse'],
  ['"dsn":"amqps://u:p%40ss@h:5671/v"', 'p%40ss'],
  ['PATH=/bin\\nOPENAI_API_KEY=abc123def456\\nHOME=/root', 'abc123def456'],
  ["export DB_PASSWORD='hunter2hunter2'", 'hunter2hunter2'],
])('the password of an address, and a secret variable, do not stay: %s', (text, secret) => {
  const pseudonyms = createPseudonyms(new Uint8Array(32));
  const hidden = redactPatterns(text, pseudonyms);
  expect(hidden).not.toContain(secret);
  expect(hidden.slice(0, 8)).toBe(text.slice(0, 8));
  // What stands in for it is none.
  expect(redactPatterns(hidden, pseudonyms)).toBe(hidden);
});

test.each([
  'http://h:8080/a@b',
  'see redis://h:6379',
  'MAX_TOKEN=',
  'mailto:a@b',
  'A_TOKEN=$OTHER_TOKEN',
])('what only begins like one stays: %s', (text) => {
  expect(redactPatterns(text, createPseudonyms(new Uint8Array(32)))).toBe(text);
});

test.each([
  ['https://a.example/s/7c9e6679-7425-40de-944b-e07fc1f90ae7/mcp', true],
  ['https://a.example/s/MDdiYWJjLWRlZi0xMjM0LTU2Nzg5MGFiY2RlZg==/mcp', true],
  ['/messages/0af7651916cd43dd8448eb211c80319c?x=1', true],
  ['https://a.example/getUserAccountSettingsByIdentifierAndName', false],
  ['https://a.example/some-long-project-name-2024-beta1/mcp', false],
  ['https://a.example/2026-11-30T09-00-00Z-report1/mcp', false],
  ['https://a.example/.well-known/oauth-authorization-server/mcp', false],
])('a part of the path of %s that a machine has made up: %s', (given, isMadeUp) => {
  expect(url(given) !== given).toBe(isMadeUp);
  expect(urlsIn(`see ${given}`)).toBe(`see ${given}`);
});
