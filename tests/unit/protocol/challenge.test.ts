import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  challengeLines,
  challengeValues,
  parseChallenges,
} from '../../../lib/protocol/challenge.ts';

const URL_A = 'https://mcp.example.com/.well-known/oauth-protected-resource';

function read(...lines: string[]) {
  return parseChallenges(lines).challenges.map(({ scheme, token68, params }) => ({
    scheme,
    ...(token68 === undefined ? {} : { token68 }),
    params: params.map(({ name, value, notes }) => [name, value, ...notes]),
  }));
}

describe('legal challenges', () => {
  test('one challenge with quoted values and a token', () => {
    expect(read(`Bearer realm="OAuth", error=invalid_token, resource_metadata="${URL_A}"`)).toEqual(
      [
        {
          scheme: 'Bearer',
          params: [
            ['realm', 'OAuth'],
            ['error', 'invalid_token'],
            ['resource_metadata', URL_A],
          ],
        },
      ],
    );
  });

  test('several challenges in one line, and on several lines', () => {
    const both = [
      { scheme: 'Basic', params: [['realm', 'a, b']] },
      { scheme: 'Bearer', params: [['scope', 'x y']] },
    ];
    expect(read('Basic realm="a, b", Bearer scope="x y"')).toEqual(both);
    expect(read('Basic realm="a, b"', 'Bearer scope="x y"')).toEqual(both);
  });

  test('a scheme alone, and one with token68', () => {
    expect(read('Negotiate, NTLM TlRMTVNTUAAB==, Bearer')).toEqual([
      { scheme: 'Negotiate', params: [] },
      { scheme: 'NTLM', token68: 'TlRMTVNTUAAB==', params: [] },
      { scheme: 'Bearer', params: [] },
    ]);
  });

  test('space around the equals sign, a tab after the comma, empty list members', () => {
    expect(read(`, bearer resource_metadata = "${URL_A}" ,\tSCOPE=a,,`)).toEqual([
      {
        scheme: 'bearer',
        params: [
          ['resource_metadata', URL_A],
          ['SCOPE', 'a'],
        ],
      },
    ]);
  });

  test('escapes, and names of parameters inside of a description', () => {
    const [challenge] = parseChallenges([
      'Bearer error_description="say \\"resource_metadata=https://evil.example\\", Basic realm=x", not_resource_metadata="y"',
    ]).challenges;
    expect(challenge?.params.map(({ name }) => name)).toEqual([
      'error_description',
      'not_resource_metadata',
    ]);
    expect(challenge && challengeValues(challenge, 'resource_metadata')).toEqual([]);
    expect(challenge?.params[0]?.value).toContain('say "resource_metadata=https://evil.example"');
  });
});

describe('near-legal challenges (C145, C146)', () => {
  test('a name that comes twice is kept, and marked', () => {
    const line = `Bearer resource_metadata="${URL_A}", error="invalid_token", resource_metadata="${URL_A}/mcp"`;
    const [challenge] = parseChallenges([line]).challenges;
    expect(challenge && challengeValues(challenge, 'resource_metadata')).toEqual([
      URL_A,
      `${URL_A}/mcp`,
    ]);
    expect(challenge?.params.map(({ notes }) => notes)).toEqual([[], [], ['duplicate']]);
  });

  test('a URL without quotes, single quotes, no comma', () => {
    expect(read(`Bearer resource_metadata=${URL_A}, scope='a b' error="e"`)).toEqual([
      {
        scheme: 'Bearer',
        params: [
          ['resource_metadata', URL_A, 'not-quoted'],
          ['scope', 'a b', 'single-quoted'],
          ['error', 'e', 'no-comma-before'],
        ],
      },
    ]);
  });

  test('a quote that is not closed costs its parameter only', () => {
    const { challenges, ignored } = parseChallenges([
      `Bearer scope="a", resource_metadata="${URL_A}, error=x`,
      'Basic realm="b"',
    ]);
    expect(
      challenges.map(({ scheme, params }) => [scheme, params.map(({ name }) => name)]),
    ).toEqual([
      ['Bearer', ['scope']],
      ['Basic', ['realm']],
    ]);
    expect(ignored).toHaveLength(1);
  });

  test('what is no challenge is named, and the rest is read', () => {
    const { challenges, ignored } = parseChallenges(['realm="x", ()=, Bearer a=b']);
    expect(challenges).toEqual([
      { scheme: 'Bearer', params: [{ name: 'a', value: 'b', notes: [] }] },
    ]);
    expect(ignored.length).toBeGreaterThan(0);
  });
});

test('any text is read without an exception, and to its end', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...Array.from('aZ09=,"\'\\ \t/:é()-')) }),
      (line) => {
        const { challenges, ignored } = parseChallenges([line]);
        const isEmpty = /^[ \t,]*$/.test(line);
        expect(challenges.length + ignored.length > 0).toBe(!isEmpty);
      },
    ),
  );
});

test('what was written by the grammar is read back', () => {
  const token = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_-]{0,8}$/);
  const params = fc.uniqueArray(fc.tuple(token, fc.string()), {
    minLength: 1,
    selector: ([name]) => name.toLowerCase(),
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(token, params), { minLength: 1, maxLength: 4 }), (written) => {
      const line = written
        .map(([scheme, list]) => {
          const values = list.map(
            ([name, value]) => `${name}="${value.replaceAll(/[\\"]/g, '\\$&')}"`,
          );
          return `${scheme} ${values.join(', ')}`;
        })
        .join(', ');
      expect(read(line)).toEqual(written.map(([scheme, list]) => ({ scheme, params: list })));
    }),
  );
});

test('lines are found in any case', () => {
  const headers = [
    { name: 'WWW-Authenticate', value: 'A' },
    { name: 'date', value: 'x' },
    { name: 'www-authenticate', value: 'B' },
  ];
  expect(challengeLines(headers)).toEqual(['A', 'B']);
});
