import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import { challenge, startAuthPeer, type AuthPeer } from '../../server/auth-peer.ts';
import { header } from '../../server/scripted-http.ts';
import { event, json, plain, result, stream } from '../../server/scripted-behaviour.ts';
import type { Reply } from '../../server/scripted.ts';
import { followToRedirect, REDIRECT_URI } from '../../support/authorized.ts';
import { play, type Scene } from './play.ts';

const USER = {};
const consents = (scene: Scene) =>
  scene.facts('auth-consent').filter(({ state }) => state === 'opened');
const posts = (scene: Scene, method: string) => scene.server.of(method);
const tokenOf = (request: { headers: [string, string][] }) =>
  request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
const grants = (peer: AuthPeer) => peer.tokenRequests().map((form) => form.get('grant_type'));
const summary = (scene: Scene) => scene.worker.summary(scene.id);

describe('a server that wants authorization', () => {
  test('is connected to after a login, with every step of it in the log', async () => {
    await using peer = await startAuthPeer();
    await using scene = await play(peer.protect(), { user: USER });
    expect(consents(scene)).toHaveLength(1);
    expect(posts(scene, 'initialize')).toHaveLength(2);
    const [first, second] = posts(scene, 'initialize');
    expect([first && tokenOf(first), second && tokenOf(second)]).toEqual([
      undefined,
      `Bearer ${[...peer.tokens.keys()][0]}`,
    ]);
    // One row for the request, whatever it took.
    const rows = scene.items('request').filter(({ method }) => method === 'initialize');
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ outcome: 'result' });
    const [chain] = scene.facts('auth-started');
    const purposes = scene
      .facts('http-request')
      .filter(({ links }) => links.authChain === chain?.chain)
      .map(({ purpose, links }) => [purpose, links.reason]);
    expect(purposes).toEqual([
      ['discovery', undefined],
      ['discovery', undefined],
      ['registration', undefined],
      ['token', undefined],
      ['message', 'authorization'],
    ]);
    expect(kindsOf(scene.worker.events)).toEqual([
      'auth-challenged',
      'auth-started',
      'auth-step challenge',
      'auth-step resource-metadata',
      'auth-step server-metadata',
      'auth-step registration',
      'auth-consent opened',
      'auth-consent received',
      'auth-step token',
      'auth-credential stored',
      'auth-ended authorized',
      'auth-resolved repeat',
    ]);
  });

  test('gets the token with every request, the end of its session included', async () => {
    await using peer = await startAuthPeer();
    await using scene = await play(peer.protect(), { user: USER, hasSessions: true });
    await scene.call();
    await scene.disconnect(true);
    const [token] = peer.tokens.keys();
    const toServer = scene.server.requests.filter(({ target }) => target === '/mcp').slice(1);
    expect(toServer.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'DELETE']);
    for (const request of toServer) expect(tokenOf(request)).toBe(`Bearer ${token}`);
    expect(peer.requests.map((request) => tokenOf(request)).filter(Boolean)).toEqual([]);
  });

  test('finds no secret of it in anything that is stored', async () => {
    await using peer = await startAuthPeer();
    await using scene = await play(peer.protect(), { user: USER });
    peer.expire();
    await scene.call();
    await scene.worker.recorder.flushed();
    const stored = JSON.stringify(scene.worker.blocks, (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    expect(peer.secrets.length).toBeGreaterThanOrEqual(7);
    for (const secret of peer.secrets) expect(stored).not.toContain(secret);
    // The fingerprints tell that the repeat carried another token.
    const sent = scene
      .facts('http-request')
      .filter(({ links }) => links.reason === 'authorization')
      .flatMap(({ headers }) => headers.filter(({ name }) => name === 'Authorization'));
    expect(new Set(sent.map(({ cuts = [] }) => cuts[0]?.secret)).size).toBe(2);
    const stale = scene.facts('auth-challenged').at(-1)?.secret;
    expect(stale).toBe(sent[0]?.cuts?.[0]?.secret);
  });

  test('is asked over HTTP+SSE, too, before its stream is open', async () => {
    await using peer = await startAuthPeer();
    await using scene = await play(peer.protect(), { user: USER, isHttpSse: true });
    expect(scene.server.of('GET').filter(({ target }) => target === '/sse')).toHaveLength(2);
    expect(consents(scene)).toHaveLength(1);
  });
});

describe('C166 Parallel requests with a token that is over', () => {
  test('share one refresh, and are all repeated', async () => {
    await using peer = await startAuthPeer();
    await using scene = await play(peer.protect(), { user: USER });
    peer.expire();
    const calls = await Promise.all(Array.from({ length: 6 }, () => scene.call('tools/list')));
    expect(calls.map(({ outcome }) => outcome)).toEqual(Array(6).fill('result'));
    expect(grants(peer)).toEqual(['authorization_code', 'refresh_token']);
    expect(posts(scene, 'tools/list')).toHaveLength(12);
    const chains = new Set(scene.facts('auth-challenged').map(({ chain }) => chain));
    expect(chains.size).toBe(2);
    expect(consents(scene)).toHaveLength(1);
  });

  test('two connections to one server share it as well', async () => {
    await using peer = await startAuthPeer();
    await using scene = await play(peer.protect(), { user: USER });
    const other = await scene.worker.connect(scene.server.url(), { openStream: false });
    await scene.worker.state(other, 'connected');
    expect(consents(scene)).toHaveLength(1);
    peer.expire();
    const { functions } = scene.worker.manager;
    await Promise.all([scene.call(), functions.send(other, 'tools/list', undefined)]);
    await scene.worker.until(
      () => scene.items('request').every(({ outcome }) => outcome === 'result'),
      'all answers',
    );
    expect(grants(peer)).toEqual(['authorization_code', 'refresh_token']);
  });
});

describe('C168 401 again with a fresh token', () => {
  test('ends after one login and one repeat, with both challenges', async () => {
    await using peer = await startAuthPeer();
    const never = (): Reply => challenge(401, 'error="invalid_token", error_description="no luck"');
    await using scene = await play(peer.protect({}, never), { user: USER, state: 'failed' });
    expect(posts(scene, 'initialize')).toHaveLength(2);
    expect(consents(scene)).toHaveLength(1);
    const { problem } = summary(scene);
    expect(problem).toMatchObject({ code: 'auth-rejected' });
    expect(problem?.message).toContain('no luck');
    const heads = scene.facts('http-response').filter(({ status }) => status === 401);
    expect(heads).toHaveLength(2);
    const [row] = scene.items('request');
    expect(row).toMatchObject({ outcome: 'failed', problem: { code: 'auth-rejected' } });
  });

  test('on the GET stream only: it is opened twice, and the connection lives', async () => {
    await using peer = await startAuthPeer();
    const notForStreams = peer.protect({}, ({ method }) =>
      method === 'GET' ? challenge(401, 'error="invalid_token"') : undefined,
    );
    await using scene = await play(notForStreams, { user: USER, openStream: true });
    const row = await scene.item('stream', ({ problem }) => problem !== undefined);
    expect(row.problem?.code).toBe('auth-rejected');
    expect(scene.items('stream')).toHaveLength(1);
    const gets = scene.server.of('GET').filter(({ target }) => target === '/mcp');
    expect(gets).toHaveLength(2);
    expect((await scene.call()).outcome).toBe('result');
    expect(summary(scene).state).toBe('connected');
  });
});

describe('C169 403', () => {
  const forbid = (parameters: string | undefined) => (): Reply =>
    parameters === undefined ? plain(403) : challenge(403, parameters);

  test.each([
    ['with no header', undefined],
    ['with another error', 'error="invalid_token"'],
    ['that has the word in a description only', 'error_description="insufficient_scope"'],
  ])('%s fails, and nobody is asked', async (_name, parameters) => {
    await using peer = await startAuthPeer();
    const script = peer.protect({ 'tools/list': forbid(parameters) });
    await using scene = await play(script, { user: USER });
    const call = await scene.call();
    expect(call).toMatchObject({ outcome: 'failed', problem: { code: 'http-forbidden' } });
    expect(posts(scene, 'tools/list')).toHaveLength(1);
    expect(consents(scene)).toHaveLength(1);
  });

  test('insufficient_scope: one step up, with all scopes together, and the call goes on', async () => {
    await using peer = await startAuthPeer();
    const script = peer.protect({}, ({ message }, scopes) => {
      if (!scopes.includes('mcp:admin') && message.method === 'tools/call') {
        return challenge(403, 'error="insufficient_scope", scope="mcp:admin"');
      }
      return undefined;
    });
    await using scene = await play(script, { user: USER, auth: CODE_WITH_SCOPE });
    const call = await scene.call('tools/call', '{"name":"admin"}');
    expect(call.outcome).toBe('result');
    expect(posts(scene, 'tools/call')).toHaveLength(2);
    expect([...peer.tokens.values()].at(-1)).toEqual(['mcp:basic', 'mcp:admin']);
    expect(grants(peer)).toEqual(['authorization_code', 'authorization_code']);
    expect(scene.facts('http-request').at(-1)?.links).toMatchObject({
      reason: 'step-up',
      attempt: 2,
    });
  });

  test('insufficient_scope without end: one step up, and no second one for the same scope', async () => {
    await using peer = await startAuthPeer();
    const more = 'error="insufficient_scope", scope="mcp:never"';
    const script = peer.protect({}, ({ message }) =>
      message.method === 'tools/call' ? challenge(403, more) : undefined,
    );
    await using scene = await play(script, { user: USER });
    expect(await scene.call('tools/call', '{}')).toMatchObject({
      outcome: 'failed',
      problem: { code: 'auth-rejected' },
    });
    expect(await scene.call('tools/call', '{}')).toMatchObject({
      outcome: 'failed',
      problem: { code: 'auth-scope' },
    });
    expect(consents(scene)).toHaveLength(2);
    expect(posts(scene, 'tools/call')).toHaveLength(3);
  });
});

const CODE_WITH_SCOPE = { grant: 'authorization-code', scope: 'mcp:basic' } as const;

describe('while the user is asked', () => {
  test('no limit of time runs', async () => {
    await using peer = await startAuthPeer();
    let thinksMs = 0;
    await using scene = await play(peer.protect(), {
      user: {
        async consent(_chain, url) {
          await delay(thinksMs);
          return followToRedirect(url);
        },
      },
      idleTimeoutMs: 300,
    });
    peer.expire();
    // The refresh token is of no use any more either.
    await fetch(`${peer.origin}/token`, { method: 'POST', body: usedUp(peer) });
    thinksMs = 700;
    expect((await scene.call()).outcome).toBe('result');
    expect(consents(scene)).toHaveLength(2);
    expect(scene.facts('deadline-fired')).toEqual([]);
  });

  test('denial ends the connection, and nobody is asked again', async () => {
    await using peer = await startAuthPeer();
    const deny = (_chain: string, url: string) => {
      const state = new URL(url).searchParams.get('state') ?? '';
      return Promise.resolve(`${REDIRECT_URI}?error=access_denied&state=${state}`);
    };
    await using scene = await play(peer.protect(), {
      user: { consent: deny },
      state: 'failed',
      transport: 'auto',
    });
    expect(summary(scene).problem).toMatchObject({ code: 'auth-denied' });
    expect(consents(scene)).toHaveLength(1);
    expect(posts(scene, 'initialize')).toEqual([]);
  });

  test('closing the connection leaves nothing pending', async () => {
    await using peer = await startAuthPeer();
    const user = { consent: () => new Promise<string>(() => undefined) };
    await using scene = await play(peer.protect(), { user, state: 'connecting' });
    await scene.fact('auth-consent');
    await scene.disconnect();
    await scene.worker.recorder.flushed();
    expect(scene.facts('auth-resolved')).toMatchObject([{ outcome: 'left' }]);
    expect(scene.items('request').map(({ outcome }) => outcome)).not.toContain('pending');
  });
});

test('C157 A place that never answers is passed over when its time is up', async () => {
  await using peer = await startAuthPeer();
  const script = peer.protect();
  await using scene = await play(
    { 'GET /.well-known/oauth-protected-resource/mcp': [{ ending: 'silent' }], ...script },
    { user: { exchangeMs: 300 } },
  );
  const step = scene.facts('auth-step').find(({ what }) => what === 'resource-metadata');
  expect(step).toMatchObject({ verdict: 'passed-over' });
  expect(step?.reason).toContain('did not answer within');
});

test('C181 401 to the probe: authorized, and probed again', async () => {
  await using peer = await startAuthPeer();
  const discovered = result(
    '{"supportedVersions":["2026-07-28"],"capabilities":{},"serverInfo":{"name":"s","version":"1"},"resultType":"complete","ttlMs":0,"cacheScope":"private"}',
  );
  const script = peer.protect({ 'server/discover': json(discovered) });
  await using scene = await play(script, { user: USER, transport: 'auto' });
  expect(summary(scene)).toMatchObject({ state: 'connected', era: 'modern' });
  expect(posts(scene, 'server/discover')).toHaveLength(2);
  expect(posts(scene, 'initialize')).toEqual([]);
});

test('a stream that answers a call goes on with the token that is good now', async () => {
  await using peer = await startAuthPeer();
  const script = peer.protect({
    'tools/list': stream(['id: e1\nretry: 1\ndata:\n\n']),
    GET: (request) =>
      header(request, 'last-event-id') === 'e1'
        ? stream([event(result('{"tools":[]}').replace('$id', '1'), 'e2')])
        : plain(405),
  });
  await using scene = await play(script, { user: USER });
  const resumed = scene.fact('retry-scheduled').then(() => peer.expire());
  const call = await scene.call();
  await resumed;
  expect(call.outcome).toBe('result');
});

function kindsOf(events: WireEvent[]): string[] {
  return events.flatMap((each) => {
    switch (each.kind) {
      case 'auth-challenged':
      case 'auth-started':
        return [each.kind];
      case 'auth-step':
        return [`${each.kind} ${each.what}`];
      case 'auth-consent':
        return [`${each.kind} ${each.state}`];
      case 'auth-credential':
        return [`${each.kind} ${each.change}`];
      case 'auth-ended':
      case 'auth-resolved':
        return [`${each.kind} ${each.outcome}`];
      default:
        return [];
    }
  });
}

/** The form of a refresh whose token is good for one use. */
function usedUp(peer: AuthPeer): URLSearchParams {
  const refreshToken = peer.secrets.findLast((secret) => secret.startsWith('refresh-')) ?? '';
  return new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken });
}
