import type { BuiltCase } from './built-cases.ts';
import { SERVER, Steps } from './authorization-log.ts';

const OTHER = 'https://other.example.com';

/** A login with one step that is wrong; the handshake comes after it. */
function login(
  step: (steps: Steps) => void,
  revision = '2025-11-25',
  skipped: 'page' | 'token' | 'registration' | 'none' = 'none',
): BuiltCase[3] {
  return (log) => {
    log.opened(SERVER);
    const steps = new Steps(log);
    const refused = steps.refused();
    steps.resource();
    steps.authority();
    if (skipped !== 'registration') steps.registration();
    if (skipped !== 'page') steps.page();
    step(steps);
    if (skipped !== 'token') steps.token();
    steps.connected(revision, refused);
  };
}

function authorized(step: (steps: Steps, refused: string) => void): BuiltCase[3] {
  return (log) => {
    log.opened(SERVER);
    const steps = new Steps(log);
    step(steps, steps.loggedIn());
  };
}

/** Clients, ours included, that do wrong in an authorization; our own engine does none of it. */
export const AUTHORIZATION_CASES: readonly BuiltCase[] = [
  [
    'a login page without a resource',
    ['AUT-05 error client'],
    /login page is opened without the parameter `resource`/,
    login((steps) => steps.page({ resource: undefined }), '2025-11-25', 'page'),
  ],
  [
    'a token asked for without a resource',
    ['AUT-05 error client'],
    /asked for by authorization_code without the parameter `resource`/,
    login((steps) => steps.token({ resource: undefined }), '2025-11-25', 'token'),
  ],
  [
    'a refresh without a resource',
    ['AUT-05 error client'],
    /asked for by refresh_token without/,
    login((steps) => steps.token({ grant_type: 'refresh_token', resource: undefined })),
  ],
  [
    'a login without PKCE',
    ['AUT-06 error client'],
    /without a code_challenge/,
    login(
      (steps) => steps.page({ code_challenge: undefined, code_challenge_method: undefined }),
      '2025-03-26',
      'page',
    ),
  ],
  [
    'a login with plain PKCE',
    ['AUT-06 error client'],
    /with the method plain, not with S256/,
    login((steps) => steps.page({ code_challenge_method: undefined }), '2025-11-25', 'page'),
  ],
  [
    'a code used without its verifier',
    ['AUT-06 error client'],
    /without its code_verifier/,
    login((steps) => steps.token({ code_verifier: undefined }), '2025-11-25', 'token'),
  ],
  [
    'a login without a state',
    ['AUT-06 warning client'],
    /without a state/,
    login((steps) => steps.page({ state: undefined }), '2025-11-25', 'page'),
  ],
  [
    'a code of a redirect with another state',
    ['AUT-06 warning client'],
    /did not carry the state of the login/,
    login((steps) => steps.redirect({ state: 'another' })),
  ],
  [
    'a redirect URI of a scheme of its own',
    ['AUT-07 error client'],
    /redirect URI cursor:\/\/done is neither HTTPS nor on this machine/,
    login((steps) => steps.page({ redirect_uri: 'cursor://done' }), '2025-11-25', 'page'),
  ],
  [
    'a token in the URL',
    ['AUT-07 error client'],
    /carries its token in the URL/,
    authorized((steps) => void steps.sends(`${SERVER}?access_token=****`)),
  ],
  [
    'a request without the token',
    ['AUT-07 error client'],
    /came without a token, although the connection is authorized/,
    authorized((steps) => void steps.sends(SERVER, {}, false)),
  ],
  [
    'a code of another issuer that is used',
    ['AUT-08 error client', 'AUT-08 error server'],
    /comes from the issuer https:\/\/other[^]*did not name the issuer of the login/,
    login((steps) => steps.redirect({ iss: OTHER }), '2026-07-28', 'registration'),
  ],
  [
    'a registration without an application type',
    ['AUT-09 error client', 'SEC-03 info client'],
    /whether the client is a native or a web application/,
    login(
      (steps) => void steps.registration({ application_type: undefined }),
      '2026-07-28',
      'registration',
    ),
  ],
  [
    'a client of one authorization server at another',
    ['AUT-09 error client', 'SEC-03 info client'],
    /A client that https:\/\/as\.example\.com has given out was sent to https:\/\/other/,
    login((steps) => {
      steps.authority({}, OTHER);
      steps.token({}, OTHER);
    }, '2026-07-28'),
  ],
  [
    'a 401 answered by token after token',
    ['AUT-11 warning client'],
    /answered by another token 2 times for one request/,
    authorized((steps, first) => {
      const links = { attempt: 2, reason: 'authorization' };
      const second = steps.sends(SERVER, { ...links, retryOf: first });
      steps.sends(SERVER, { ...links, attempt: 3, retryOf: second });
    }),
  ],
];
