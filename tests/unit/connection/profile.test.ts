import { describe, expect, test } from 'vitest';
import {
  checkProfile,
  keepSecrets,
  storedProfile,
  withoutSecretParams,
} from '../../../lib/connection/profile.ts';
import { freshProgressToken } from '../../../lib/state/replay/replay-token.ts';
import { AppError, type Problem } from '../../../lib/errors.ts';
import {
  DEFAULT_CONNECT,
  type ConnectRequest,
  type ProfileHeader,
} from '../../../lib/port/contract.ts';

const check = (url: string, headers: ProfileHeader[] = []) =>
  checkProfile({ ...DEFAULT_CONNECT, url, headers });

function problemOf(act: () => unknown): Problem {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return error.problem;
    throw error;
  }
  throw new Error('nothing was wrong');
}

const header = (name: string, value: string) => [{ name, value, secret: false }];

describe('a URL', () => {
  test.each([
    ['http://localhost:3001/mcp', 'http://localhost:3001/mcp'],
    ['  https://Example.COM/mcp  ', 'https://example.com/mcp'],
    ['localhost:3001/mcp', 'http://localhost:3001/mcp'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080/'],
    ['[::1]:8080/mcp', 'http://[::1]:8080/mcp'],
    ['mcp.example.com/mcp', 'https://mcp.example.com/mcp'],
    ['mcp.example.com:8443', 'https://mcp.example.com:8443/'],
    ['http://h/mcp?x=1#part', 'http://h/mcp?x=1'],
    ['http://bücher.example/', 'http://xn--bcher-kva.example/'],
  ])('%s is %s', (typed, url) => {
    expect(check(typed).url).toBe(url);
  });

  test.each([
    ['', 'url-invalid', 'no URL'],
    ['   ', 'url-invalid', 'no URL'],
    ['http://', 'url-invalid', 'http://'],
    ['not a url', 'url-invalid', 'not a url'],
    ['http://h:99999/', 'url-invalid', '99999'],
    ['ftp://h/mcp', 'url-unsupported', 'ftp'],
    ['file:///etc/passwd', 'url-unsupported', 'file'],
    ['http://user:pw@h/mcp', 'url-unsupported', 'user name or password'],
    ['http://user@h/mcp', 'url-unsupported', 'user name or password'],
  ])('%j is refused', (typed, code, words) => {
    const problem = problemOf(() => check(typed));
    expect(problem.code).toBe(code);
    expect(problem.message).toContain(words);
    expect(problem.advice).toBeTruthy();
  });

  test('that is refused for its password does not repeat it', () => {
    const problem = problemOf(() => check('http://user:hunter22@h/mcp'));
    expect(JSON.stringify(problem)).not.toContain('hunter22');
  });
});

describe('a header', () => {
  test.each([
    ['X-Api-Key', 'abc'],
    ['X-Empty', ''],
    ['X-Latin', 'caf\u00e9'],
  ])('%s: %j is taken', (name, value) => {
    expect(check('http://h/', header(name, value)).headers).toEqual(header(name, value));
  });

  test.each([
    ['', 'x'],
    ['With space', 'x'],
    ['Ümlaut', 'x'],
    ['X-Break', 'a\r\nEvil: 1'],
    ['X-Nul', 'a\0b'],
    ['X-Wide', 'naïve ✓'],
  ])('%j: %j is refused', (name, value) => {
    const problem = problemOf(() => check('http://h/', header(name, value)));
    expect(problem.code).toBe('header-invalid');
    expect(problem.message).toContain(`“${name}”`);
  });

  test('that is refused does not repeat its value', () => {
    const problem = problemOf(() =>
      check('http://h/', header('Authorization', 'Bearer hunter22✓')),
    );
    expect(JSON.stringify(problem)).not.toContain('hunter22');
  });
});

/** What is held as a secret because of a profile, and which headers are. */
function secretsOf(given: Partial<ConnectRequest>): string[] {
  const kept: string[] = [];
  keepSecrets(checkProfile({ ...DEFAULT_CONNECT, url: 'http://h/', ...given }), {
    markHeader: (name) => void kept.push(name),
    register(value) {
      kept.push(value);
      return value;
    },
  });
  return kept;
}

describe('the secrets of a profile', () => {
  test('are headers that the user calls so', () => {
    const [first, second] = ['X-Key', 'X-Open'].map((name) => ({
      name,
      value: 'v',
      secret: false,
    }));
    expect(secretsOf({ headers: [{ ...first!, secret: true }, second!] })).toEqual(['X-Key']);
  });

  test('are clients, keys and assertions that tokens are got with', () => {
    const auth = {
      grant: 'enterprise-managed',
      client: { id: 'c', secret: 'client secret', privateKeyPem: 'pem' },
      identityProvider: {
        issuer: 'https://idp',
        tokenEndpoint: 'https://idp/token',
        clientId: 'i',
        clientSecret: '',
        idToken: 'id token',
      },
      workloadToken: 'workload',
    } as const;
    const secrets = ['client secret', 'pem', 'id token', 'workload'];
    expect(secretsOf({ auth })).toEqual(secrets);
  });
});

describe('secrets in a URL', () => {
  test('are found by the name of their parameter', () => {
    const url = 'http://h/mcp?api_key=K1&page=2&access_token=a%20b&empty_key=&sessionId=s9';
    expect(secretsOf({ url })).toEqual(['K1', 'a b', 's9']);
  });

  test('are left out of what is kept, and nothing else is', () => {
    expect(withoutSecretParams('http://h/mcp?api_key=K1&page=2&token=x')).toBe(
      'http://h/mcp?api_key=&page=2&token=',
    );
    const harmless = 'http://h/mcp?q=a%20b&x=~';
    expect(withoutSecretParams(harmless)).toBe(harmless);
    expect(withoutSecretParams('http://h/?token=a&token=b')).not.toMatch(/[ab](&|$)/);
  });
});

test('a stored profile has no flags and no values of its own making', () => {
  const profile = check('http://h/mcp', [{ name: 'X-Key', value: 'k', secret: true }]);
  expect(storedProfile(profile)).toMatchObject({
    url: { text: 'http://h/mcp' },
    transport: 'auto',
    headers: [{ name: 'X-Key', value: 'k' }],
  });
});

describe('a progress token', () => {
  test.each([
    '{"_meta":{"progressToken":7}}',
    '{ "name" : "x", "_meta" : { "a":1, "progressToken" : "old" } , "big": 12345678901234567890 }',
  ])('is replaced and nothing else: %s', (text) => {
    const fresh = freshProgressToken(text)!;
    const [before, after] = text.split(/(?<="progressToken" ?: ?)(?:7|"old")/);
    expect(fresh.startsWith(before!)).toBe(true);
    expect(fresh.endsWith(after!)).toBe(true);
    const token = JSON.parse(fresh.slice(before!.length, fresh.length - after!.length)) as string;
    expect(token).toMatch(/^p-[0-9a-f]{8}$/);
    expect(freshProgressToken(text)).not.toBe(fresh);
  });

  test.each([undefined, '{}', '[]', '7', '{"_meta":{}}', '{"_meta":7}', 'not json'])(
    'that is not there stays away: %s',
    (text) => {
      expect(freshProgressToken(text)).toBe(text);
    },
  );
});
