import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  AS_METADATA,
  createStage,
  ISSUER,
  metadata,
  OIDC_METADATA,
  PRM_ROOT,
  redirectWithCode,
  SERVER,
  type Page,
} from './stage.ts';

const EVIL = 'https://evil.example';
const prm = (resource: unknown, servers: unknown): Page => ({
  json: { resource, authorization_servers: servers },
});

/** What a server may answer anywhere: right, wrong, odd and hostile. */
const anyPage = fc.constantFrom<Page | undefined>(
  undefined,
  'no answer',
  { status: 500 },
  { status: 302, headers: [['location', `${EVIL}/`]] },
  { text: '<!doctype html>' },
  { json: null },
  { json: {} },
  prm(SERVER, [ISSUER]),
  prm(SERVER, [EVIL, ISSUER]),
  prm('https://mcp.example.com', [ISSUER]),
  prm(`${EVIL}/mcp`, [ISSUER]),
  prm(SERVER, ['javascript:alert(1)', 'http://10.0.0.1']),
  { json: metadata() },
  { json: metadata({ issuer: EVIL }) },
  { json: metadata({ token_endpoint: 'http://169.254.169.254/token' }) },
  { json: metadata({ registration_endpoint: `${EVIL}/register` }) },
  { json: metadata({ client_id_metadata_document_supported: true }) },
  { json: metadata({ code_challenge_methods_supported: undefined }) },
  { status: 201, json: { client_id: 'c', client_secret: 'the-client-secret' } },
  { status: 400, json: { error: 'invalid_client' } },
  { status: 400, json: { error: 'invalid_grant' } },
  { status: 400, json: { error: 'invalid_redirect_uri' } },
  { status: 400, json: { error: 'use_dpop_nonce' }, headers: [['DPoP-Nonce', 'n']] },
  {
    json: { access_token: 'the-access-token', token_type: 'bearer', refresh_token: 'the-refresh' },
  },
  { json: { access_token: 'the-access-token', token_type: 'dpop' } },
);

/** Where something is looked for, and what would be right there. */
const RIGHT: [url: string, page: Page | undefined][] = [
  [`${PRM_ROOT}/mcp`, prm(SERVER, [ISSUER])],
  [PRM_ROOT, undefined],
  [AS_METADATA, { json: metadata() }],
  [OIDC_METADATA, undefined],
  [`${EVIL}/.well-known/oauth-authorization-server`, { json: metadata({ issuer: EVIL }) }],
  [`${ISSUER}/register`, { status: 201, json: { client_id: 'c' } }],
  [`${EVIL}/register`, { status: 201, json: { client_id: 'c' } }],
  [`${ISSUER}/token`, { json: { access_token: 'the-access-token', refresh_token: 'the-refresh' } }],
];

const SECRET = /the-access-token|the-refresh|code_verifier|the-client-secret/;
const ALLOWED = new Set(['mcp.example.com', 'as.example.com', 'evil.example']);

test('whatever servers answer, a chain comes to its end, and nothing is sent where it must not be', async () => {
  const pages = fc.tuple(
    ...RIGHT.map(([, page]) =>
      fc.oneof({ weight: 3, arbitrary: fc.constant(page) }, { weight: 1, arbitrary: anyPage }),
    ),
  );
  const seen = { authorized: 0, failed: 0 };
  const challenges = fc.constantFrom(
    'Bearer',
    'DPoP',
    'Bearer scope="a"',
    `Bearer resource_metadata="${EVIL}/prm"`,
    'Bearer error="insufficient_scope", scope="b"',
  );
  const redirects = fc.constantFrom(
    (asked: URLSearchParams) => redirectWithCode(asked),
    (asked: URLSearchParams) => redirectWithCode(asked, { iss: EVIL }),
    (asked: URLSearchParams) => redirectWithCode(asked, { error: 'unauthorized_client' }),
    () => undefined,
  );
  await fc.assert(
    fc.asyncProperty(
      pages,
      fc.array(challenges, { minLength: 1, maxLength: 3 }),
      redirects,
      fc.boolean(),
      async (answers, asked, redirect, answer) => {
        const stage = createStage({
          pages: Object.fromEntries(answers.map((page, index) => [RIGHT[index]?.[0] ?? '', page])),
          settings: { clientMetadataUrl: 'https://me.example/client.json' },
          redirect,
          answer,
        });
        for (const challenge of asked) {
          const reason = challenge.includes('insufficient') ? 'step-up' : 'authorization';
          const before = stage.sent.length;
          const problem = await stage.authorize(challenge, reason);
          expect(problem?.code).not.toBe('internal');
          // One chain: all places once, two ways to register, two logins, a nonce each.
          expect(stage.sent.length - before).toBeLessThanOrEqual(24);
          seen[problem === undefined ? 'authorized' : 'failed'] += 1;
          const isHeld = stage.credentials.find(SERVER) !== undefined;
          expect(problem !== undefined || isHeld).toBe(true);
        }
        expect(stage.opened.length).toBeLessThanOrEqual(4 * asked.length);
        for (const { url, body = '', headers } of stage.sent) {
          const { protocol, host } = new URL(url);
          expect([protocol, ALLOWED.has(host)]).toEqual(['https:', true]);
          const isSecret = SECRET.test(`${body}${JSON.stringify(headers)}`);
          expect(isSecret && url !== `${ISSUER}/token`).toBe(false);
        }
        for (const { protocol } of stage.opened) expect(protocol).toBe('https:');
        const ended = stage.facts.filter(({ kind }) => kind === 'auth-ended').length;
        expect(ended).toBe(stage.facts.filter(({ kind }) => kind === 'auth-started').length);
      },
    ),
    { numRuns: 400 },
  );
  expect(Math.min(seen.authorized, seen.failed)).toBeGreaterThan(0);
});
