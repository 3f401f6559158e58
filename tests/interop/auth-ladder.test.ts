import { describe, expect, test } from 'vitest';
import type { AuthRecord } from '../../lib/capture/correlate/auth-record.ts';
import type { Item } from '../../lib/capture/correlate/items.ts';
import { chainsOf, toGrant } from '../../lib/state/auth/auth-chains.ts';
import { lineMs, toLadder, type LadderLine } from '../../lib/state/auth/auth-ladder.ts';
import { toRefusals } from '../../lib/state/auth/auth-refusals.ts';
import { signOf } from '../../lib/state/auth/auth-signs.ts';
import { authStateWords, authTimes } from '../../lib/state/auth/auth-state.ts';
import { authText } from '../../lib/state/auth/auth-text.ts';
import { challenge, startAuthPeer, type AuthPeer } from '../server/auth-peer.ts';
import type { RawRequest } from '../server/scripted-http.ts';
import type { Reply, Script } from '../server/scripted.ts';
import { followToRedirect, REDIRECT_URI } from '../support/authorized.ts';
import { play, type PlayOptions, type Scene } from './cases/play.ts';

const USER = {};
const WEB_PAGE: Reply = {
  headers: { 'Content-Type': 'text/html' },
  body: ['<!doctype html><title>App</title>'],
};

/** Authorizations in the order of the log. */
function chains({ worker }: Scene): AuthRecord[] {
  return [...worker.correlation.auths.values()].filter(({ item }) => item !== undefined);
}

function last(scene: Scene): AuthRecord {
  const record = chains(scene).at(-1);
  if (record === undefined) throw new Error('there is no authorization');
  return record;
}

const stateOf = (record: AuthRecord) => record.item && authStateWords(record.item, record);

/** A line as one text, without what differs from run to run. */
function tell(line: LadderLine, isStop = false): string {
  const { what, place, status, token } = line;
  const path = place.replace(/^127\.0\.0\.1:\d+/, 'AS');
  const parts = [signOf(line, isStop).sign, what, path, status, token && 'token'];
  return parts.filter((part) => part !== undefined && part !== '').join(' ');
}

function ladderOf(scene: Scene, record = last(scene)): string[] {
  const { lines, problem } = toLadder(record, scene.worker.correlation);
  return lines.map((line, index) => tell(line, problem && index === lines.length - 1));
}

async function playWith(
  peer: AuthPeer,
  script: Script = peer.protect(),
  options: PlayOptions = {},
): Promise<Scene> {
  const scene = await play(script, { user: USER, ...options });
  await scene.worker.recorder.flushed();
  return scene;
}

/** The peer's own script, with something in place of some of its answers. */
function instead(script: Script, answer: (request: RawRequest) => Reply | undefined): Script {
  const own = script['*'];
  if (typeof own !== 'function') throw new Error('the script answers everything by itself');
  return { '*': (request, nth) => answer(request) ?? own(request, nth) };
}

const LOGIN = [
  '✓ challenge /mcp 401',
  '✓ resource metadata /.well-known/oauth-protected-resource/mcp 200',
  '✓ server metadata AS/.well-known/oauth-authorization-server 200',
  '✓ register AS/register 201',
  '✓ log in AS code received',
  '✓ token AS/token 200 token',
  '✓ repeat /mcp 200 token',
];

describe('the ladder of an authorization', () => {
  test('of a login tells every step, with the time of its user apart', async () => {
    await using peer = await startAuthPeer();
    await using scene = await playWith(peer);
    expect(ladderOf(scene)).toEqual(LOGIN);
    const record = last(scene);
    expect(stateOf(record)).toBe('logged in');
    const { totalMs = 0, userMs = 0 } = (record.item && authTimes(record.item, record)) ?? {};
    const { lines, problem } = toLadder(record, scene.worker.correlation);
    expect(problem).toBeUndefined();
    const ofUser = lines.filter(({ isOfUser }) => isOfUser);
    expect(ofUser.map((line) => lineMs(line))).toEqual([userMs]);
    expect(totalMs).toBeGreaterThan(userMs);
    // The token that came is the one that is sent.
    expect(lines.at(-1)?.token).toBe(lines.at(-2)?.token);
    expect(
      lines.every(({ verdicts }) => verdicts.every(({ clause }) => clause !== undefined)),
    ).toBe(true);
    expect(lines.flatMap(({ verdicts }) => verdicts.flatMap(({ fix }) => fix ?? []))).toEqual([]);
  });

  test('belongs to the request that caused it, to its steps, and to all who waited', async () => {
    await using peer = await startAuthPeer();
    await using scene = await playWith(peer);
    peer.expire();
    const calls = await Promise.all(Array.from({ length: 3 }, () => scene.call('tools/list')));
    const record = last(scene);
    const { correlation } = scene.worker;
    for (const call of calls) expect(chainsOf(call, correlation)).toEqual([record]);
    const steps = correlation.items.filter((item: Item) => item.kind === 'http');
    expect(new Set(steps.flatMap((step) => chainsOf(step, correlation)))).toEqual(
      new Set(chains(scene)),
    );
    const { lines } = toLadder(record, correlation);
    expect(lines[0]).toMatchObject({ what: 'challenge', others: 2 });
    expect(lines.filter(({ topic }) => topic === 'repeat')).toHaveLength(3);
  });

  test('of a refresh shows the old token at the challenge, and the new one after it', async () => {
    await using peer = await startAuthPeer();
    await using scene = await playWith(peer);
    peer.expire();
    await scene.call();
    const record = last(scene);
    expect(stateOf(record)).toBe('refreshed');
    expect(ladderOf(scene)).toEqual([
      '✓ challenge /mcp 401 token',
      ...LOGIN.slice(1, 3),
      '✓ refresh AS/token 200 token',
      '✓ repeat /mcp 200 token',
    ]);
    const tokens = toLadder(record, scene.worker.correlation).lines.flatMap(
      ({ token }) => token ?? [],
    );
    expect(new Set(tokens).size).toBe(2);
    expect(tokens[1]).toBe(tokens[2]);
  });

  test('of a step up names the scopes that were asked and granted', async () => {
    await using peer = await startAuthPeer();
    const script = peer.protect({}, ({ message }, scopes) =>
      message.method === 'tools/call' && !scopes.includes('mcp:admin')
        ? challenge(403, 'error="insufficient_scope", scope="mcp:admin"')
        : undefined,
    );
    const auth = { grant: 'authorization-code', scope: 'mcp:basic' } as const;
    await using scene = await playWith(peer, script, { auth });
    await scene.call('tools/call', '{"name":"admin"}');
    const record = last(scene);
    expect(stateOf(record)).toBe('stepped up');
    expect(toGrant(record)).toMatchObject({
      issuer: peer.origin,
      audience: scene.server.url('/mcp'),
      asked: ['mcp:basic', 'mcp:admin'],
      granted: ['mcp:basic', 'mcp:admin'],
      clientId: 'c',
      redirectUri: REDIRECT_URI,
    });
    const [first] = toLadder(record, scene.worker.correlation).lines;
    expect(first?.verdicts[0]?.clause?.section).toBe('Runtime Insufficient Scope Errors');
  });

  test('of a token that the server refuses stops at the repeat, with both challenges', async () => {
    await using peer = await startAuthPeer();
    const never = (): Reply => challenge(401, 'error="invalid_token", realm="mcp"');
    await using scene = await playWith(peer, peer.protect({}, never), { state: 'failed' });
    const record = last(scene);
    expect(ladderOf(scene).at(-1)).toBe('✗ repeat /mcp 401 token');
    const { problem, lines } = toLadder(record, scene.worker.correlation);
    expect(problem?.code).toBe('auth-rejected');
    expect(lines.at(-1)?.verdicts[0]).toMatchObject({
      verdict: 'refused',
      clause: { section: 'Token Audience Binding and Validation' },
    });
    const refusals = toRefusals(record, scene.worker.correlation);
    expect(refusals).toMatchObject({
      first: { status: 401 },
      second: { status: 401 },
      names: ['Bearer resource_metadata', 'Bearer error', 'Bearer realm'],
      isStale: false,
    });
    expect(refusals?.first.token).toBeUndefined();
    expect(refusals?.second.token).toBeDefined();
  });

  test('of a denial stops at the login', async () => {
    await using peer = await startAuthPeer();
    const consent = (_chain: string, url: string) =>
      Promise.resolve(
        `${REDIRECT_URI}?error=access_denied&state=${new URL(url).searchParams.get('state')}`,
      );
    await using scene = await playWith(peer, undefined, { user: { consent }, state: 'failed' });
    expect(stateOf(last(scene))).toBe('denied');
    expect(ladderOf(scene)).toEqual([...LOGIN.slice(0, 4), '✗ log in AS denied']);
  });

  test('of a window that was closed, of a host that was not allowed', async () => {
    await using peer = await startAuthPeer();
    const closed = { consent: () => Promise.resolve(undefined) };
    await using one = await playWith(peer, undefined, { user: closed, state: 'failed' });
    expect(stateOf(last(one))).toBe('closed');
    expect(ladderOf(one).at(-1)).toBe('✗ log in AS closed');
    const denied = { permission: () => Promise.resolve(false) };
    await using other = await playWith(peer, undefined, { user: denied, state: 'failed' });
    expect(stateOf(last(other))).toBe('denied');
    expect(ladderOf(other).at(-1)).toBe('✗ permission');
  });

  test('tells what was passed over, what was refused, why, and what to change', async () => {
    await using peer = await startAuthPeer();
    const script = instead(peer.protect(), ({ target }) => {
      if (target.startsWith('/.well-known/oauth-protected-resource/')) return WEB_PAGE;
      if (!target.startsWith('/.well-known/oauth-protected-resource')) return undefined;
      const document = { resource: 'https://evil.example', authorization_servers: [peer.origin] };
      return { headers: { 'Content-Type': 'text/plain' }, body: [JSON.stringify(document)] };
    });
    await using scene = await playWith(peer, script, { state: 'failed' });
    expect(stateOf(last(scene))).toBe('failed');
    expect(ladderOf(scene)).toEqual([
      '✓ challenge /mcp 401',
      '– resource metadata /.well-known/oauth-protected-resource/mcp 200',
      '✗ resource metadata /.well-known/oauth-protected-resource 200',
    ]);
    const { lines, problem } = toLadder(last(scene), scene.worker.correlation);
    expect(problem?.code).toBe('auth-refused');
    const verdicts = lines.slice(1).flatMap((line) => line.verdicts);
    expect(verdicts.map(({ verdict, clause }) => [verdict, clause?.page, clause?.section])).toEqual(
      [
        [
          'passed-over',
          'basic/authorization',
          'Protected Resource Metadata Discovery Requirements',
        ],
        ['noted', 'RFC 9728', '3.2'],
        ['refused', 'RFC 9728', '3.3'],
      ],
    );
    expect(verdicts.map(({ fix = '' }) => fix)).toEqual([
      expect.stringContaining('404'),
      expect.stringContaining('application/json'),
      expect.stringContaining('`resource`'),
    ]);
  });

  test('is copied as text, with what to change, and without a secret', async () => {
    await using peer = await startAuthPeer();
    const never = (): Reply => challenge(401, 'error="invalid_token"');
    await using scene = await playWith(peer, peer.protect({}, never), { state: 'failed' });
    const record = last(scene);
    const text = authText(record, toLadder(record, scene.worker.correlation));
    expect(text.split('\n')[0]).toMatch(/^Authorization: logged in · /);
    expect(text).toMatch(/^7\. ✗ repeat {2}\/mcp {2}401 {2}token ‹\w+› {2}/m);
    expect(text).toMatch(/^ {3}refused: answered 401.*\(https:\/\/modelcontextprotocol\.io.*\)$/m);
    expect(text).toContain('To change: The server refuses a token');
    expect(text).toContain('Stopped: The authorization server issued a token');
    for (const secret of peer.secrets) expect(text).not.toContain(secret);
  });

  test('a 401 without a challenge is said to be one', async () => {
    await using peer = await startAuthPeer();
    const script = instead(peer.protect(), ({ target, headers }) => {
      const isBare = !headers.some(([name]) => name.toLowerCase() === 'authorization');
      return target === '/mcp' && isBare ? { status: 401, body: [] } : undefined;
    });
    await using scene = await playWith(peer, script);
    const [first] = toLadder(last(scene), scene.worker.correlation).lines;
    expect(first?.verdicts).toContainEqual(
      expect.objectContaining({ verdict: 'noted', reason: 'no WWW-Authenticate header' }),
    );
  });

  test('while the user is asked, it waits for them', async () => {
    await using peer = await startAuthPeer();
    const answer = Promise.withResolvers<void>();
    const user = {
      async consent(_chain: string, url: string) {
        await answer.promise;
        return followToRedirect(url);
      },
    };
    await using scene = await playWith(peer, undefined, { user, state: 'connecting' });
    await scene.fact('auth-consent');
    expect(stateOf(last(scene))).toBe('waits for you');
    expect(ladderOf(scene).at(-1)).toBe('◌ log in AS waits for you');
    expect(last(scene).item?.ended).toBeUndefined();
    answer.resolve();
    await scene.worker.state(scene.id, 'connected');
    await scene.worker.recorder.flushed();
    expect(ladderOf(scene)).toEqual(LOGIN);
  });

  test('of a sign-out tells what was revoked', async () => {
    await using peer = await startAuthPeer();
    await using scene = await playWith(peer);
    const { signOut } = scene.worker.manager.functions;
    await signOut?.(scene.server.url());
    await scene.worker.recorder.flushed();
    const record = last(scene);
    expect(stateOf(record)).toBe('signed out');
    expect(ladderOf(scene)).toEqual(['– revoke', '✓ token dropped signed out token']);
    const { lines } = toLadder(record, scene.worker.correlation);
    expect(lines[0]?.verdicts[0]).toMatchObject({
      reason: 'the server names no revocation endpoint',
      clause: { page: 'RFC 7009' },
    });
  });

  test('of client credentials asks nobody, and says what the token endpoint refuses', async () => {
    await using peer = await startAuthPeer();
    const client = { id: 'machine', secret: 'a-secret-of-a-machine' };
    const auth = { grant: 'client-credentials', client } as const;
    await using scene = await playWith(peer, undefined, { auth, state: 'failed' });
    expect(ladderOf(scene)).toEqual([...LOGIN.slice(0, 3), '✓ client', '✗ token AS/token 400']);
    const record = last(scene);
    const token = toLadder(record, scene.worker.correlation).lines.at(-1);
    expect(token?.verdicts).toMatchObject([{ verdict: 'refused', reason: 'invalid_grant' }]);
    expect(toGrant(record)).toMatchObject({ audience: scene.server.url('/mcp') });
    expect(JSON.stringify(toGrant(record))).not.toContain(client.secret);
  });
});
