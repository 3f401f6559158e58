import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import { LogBuilder } from '../../support/builders.ts';

const utf8 = new TextEncoder();

const payload = btoa(
  JSON.stringify({
    sub: 'someone',
    iss: 'https://as.example.com',
    aud: 'mcp',
    exp: 1,
    scope: 'a b',
  }),
).replaceAll('=', '');
const PEM = `-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----`;

/** One secret of each class; where it stands first is what gives it away. */
export const SECRETS = {
  bearer: 'opaque-access-token-1',
  proxy: 'proxy-token-0123456',
  basic: 'basic-password-42!',
  cookie: 'cookie-value-123456',
  setCookie: 'set-cookie-value-77',
  session: '5f0c9a3e-session-id',
  apiKey: 'api-key-value-123456',
  contained: 'x-own-secret-value-1',
  csrf: 'csrf-token-value-12',
  subprotocol: 'ws.token.AbCdEf123456',
  userinfo: 'user:p%40ss-word-1',
  query: 'query-token 123/456',
  fragment: 'fragment-access-tok1',
  state: 'st4te-of-the-flow',
  code: 'auth-code-9f8e7d6c',
  verifier: 'verifier-verifier-1',
  clientSecret: 'client-secret-12345',
  refresh: 'rt-opaque-0123456789',
  registration: 'registration-token-1',
  deviceCode: 'device-code-value-1',
  password: 'pässwörd-ключ-"123"',
  memberKey: 'member-api-key-1234',
  variable: 'aws/Secret+Access+Key/1',
  nested: 'nested-in-json-12345',
  named: 'header-in-a-list-123',
  endpoint: 'endpoint-session-1234',
  jwt: `eyJhbGciOiJIUzI1NiJ9.${payload}.c2lnbmF0dXJlLW9mLWl0`,
  prefixed: 'ghp_0123456789abcdefABCDEF',
  pem: PEM,
  frame: 'frame-token-value-1',
} as const;

/** Ordinary words that have to stay, though some are called like secrets elsewhere. */
export const ORDINARY = ['ordinary-state', 'cursor-12345678', 'progress-token-1', 'Zürich'];

const all = Object.values(SECRETS);
const base64 = (text: string) => btoa(String.fromCharCode(...utf8.encode(text)));

/** Every secret where its name tells, and once more in every other place that a log has. */
export function seededLog(): WireEvent[] {
  const log = new LogBuilder();
  log.opened(`https://${SECRETS.userinfo}@mcp.example.com/mcp#access_token=${SECRETS.fragment}`);
  const call = log.request(
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'log_in',
        arguments: {
          password: SECRETS.password,
          state: ORDINARY[0],
          cursor: ORDINARY[1],
          text: JSON.stringify({ deep: JSON.stringify({ access_token: SECRETS.nested }) }),
          headers: [{ name: 'X-Api-Key', value: SECRETS.named }],
          env: { AWS_SECRET_ACCESS_KEY: SECRETS.variable },
        },
        _meta: { progressToken: ORDINARY[2] },
      },
    },
    {
      url: `https://mcp.example.com/mcp?token=${encodeURIComponent(SECRETS.query)}&page=2`,
      headers: [
        { name: 'Authorization', value: `Bearer ${SECRETS.bearer}` },
        { name: 'Proxy-Authorization', value: SECRETS.proxy },
        { name: 'Cookie', value: `sid=${SECRETS.cookie}; theme=dark` },
        { name: 'Mcp-Session-Id', value: SECRETS.session },
        { name: 'X-Api-Key', value: SECRETS.apiKey },
        { name: 'X-My-Secret-Thing', value: SECRETS.contained },
        { name: 'X-CSRF-Token', value: SECRETS.csrf },
      ],
    },
  );
  log.add({
    kind: 'http-received',
    httpId: call,
    statusLine: `HTTP/1.1 200 ${SECRETS.bearer}`,
    headers: [{ name: 'Set-Cookie', value: `a=${SECRETS.setCookie}; Path=/; HttpOnly` }],
  });
  log.head(call, 200, 'text/event-stream');
  log.sse(call, `event: endpoint\ndata: /message?sessionId=${SECRETS.endpoint}\n\n`);
  const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { apiKey: SECRETS.memberKey } });
  for (const piece of [answer.slice(0, -20), answer.slice(-20)]) log.chunk(call, piece);
  log.end(call);

  const basic = log.request(undefined, {
    method: 'GET',
    purpose: 'probe',
    headers: [{ name: 'Authorization', value: `Basic ${base64(`me:${SECRETS.basic}`)}` }],
  });
  log.answer(
    basic,
    `<html>${SECRETS.jwt} ${SECRETS.prefixed}\n${SECRETS.pem}</html>`,
    200,
    'text/html',
  );
  const token = log.request(
    new URLSearchParams({
      grant_type: 'authorization_code',
      code: SECRETS.code,
      code_verifier: SECRETS.verifier,
      client_secret: SECRETS.clientSecret,
      device_code: SECRETS.deviceCode,
    }).toString(),
    { purpose: 'token', url: 'https://as.example.com/token' },
  );
  log.answer(token, { refresh_token: SECRETS.refresh, expires_in: 3600 });
  const registration = log.request(
    { redirect_uris: ['https://c.example/cb'] },
    { purpose: 'registration', url: 'https://as.example.com/register' },
  );
  log.answer(registration, { registration_access_token: SECRETS.registration });
  log.add({
    kind: 'http-redirect',
    httpId: registration,
    status: 302,
    location: `/cb?state=${SECRETS.state}`,
    target: `https://c.example/cb?state=${SECRETS.state}`,
  });
  log.add({
    kind: 'socket-opening',
    socketId: 's1',
    url: { text: 'wss://mcp.example.com/' },
    subprotocols: ['mcp', SECRETS.subprotocol],
  });
  frame(
    log,
    'text',
    JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { api_key: SECRETS.frame } }),
  );
  for (const secret of all) spread(log, secret);
  return log.events;
}

/** Nothing but its value tells that this is a secret. */
function spread(log: LogBuilder, secret: string): void {
  const spelt = [
    secret,
    encodeURIComponent(secret),
    encodeURIComponent(encodeURIComponent(secret)),
    base64(secret),
    base64(`a${secret}b`),
    base64(`ab${secret}`),
    [...utf8.encode(secret)].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    JSON.stringify(JSON.stringify({ deep: secret })),
    JSON.stringify(secret).replaceAll(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  ];
  const call = log.request(
    { jsonrpc: '2.0', id: secret, method: 'tools/call', params: { name: 'echo', note: spelt } },
    {
      url: `https://mcp.example.com/of/${encodeURIComponent(secret)}?q=${encodeURIComponent(secret)}`,
      headers: [{ name: 'X-Other', value: secret.replaceAll(/[^ -~]/g, '?') }],
      links: { lastEventId: secret },
    },
  );
  log.add({ kind: 'http-response', httpId: call, status: 200, statusText: secret, headers: [] });
  log.sse(call, `: ${secret.replaceAll('\n', ' ')}\nid: ${encodeURIComponent(secret)}\n`);
  log.sse(call, `data: {"jsonrpc":"2.0","id":${JSON.stringify(secret)},"result":{"a":\n`);
  log.sse(call, `data: ${JSON.stringify(spelt)}}}\n\n`);
  log.chunk(call, utf8.encode(`cut ${secret}`).subarray(0, 9));
  log.chunk(call, utf8.encode(`cut ${secret}`).subarray(9));
  log.end(call, { outcome: 'cut', errorName: `net::ERR ${secret}` });
  frame(log, 'text', `{"text":${JSON.stringify(spelt)}}`);
  frame(log, 'binary', new Uint8Array([0, 255, ...utf8.encode(secret), 1]));
  const problem = {
    code: 'internal',
    message: `At ${secret}`,
    advice: secret,
    detail: secret,
  } as const;
  log.add({ kind: 'connection-failed', problem });
  log.add({ kind: 'connection-state', state: 'lost', cause: secret });
  log.add({ kind: 'gap', what: secret, why: secret });
  log.add({ kind: 'override-chosen', what: secret });
  log.add({ kind: 'storage-state', state: 'memory', reason: secret, advice: secret });
  log.add({ kind: 'capture-started', name: secret });
  log.add({
    kind: 'auth-step',
    chain: 'a',
    step: 1,
    what: 'token',
    verdict: 'refused',
    reason: secret,
  });
  log.add({
    kind: 'connection-chosen',
    transport: 'streamable-http',
    era: 'legacy',
    revision: '2025-06-18',
    serverName: secret,
    serverVersion: secret,
    evidence: [call],
  });
  log.add({
    kind: 'page-navigated',
    url: { text: `file:///home/${encodeURIComponent(secret)}/page.html` },
  });
  log.add({
    kind: 'socket-close',
    socketId: 's1',
    code: 4001,
    reason: secret,
    clean: false,
    by: 'server',
  });
}

function frame(log: LogBuilder, opcode: 'text' | 'binary', data: string | Uint8Array): void {
  const bytes = typeof data === 'string' ? utf8.encode(data) : data;
  log.add({ kind: 'socket-frame', socketId: 's1', direction: 'incoming', opcode, data: { bytes } });
}
