import { describe, expect, test } from 'vitest';
import { createCredentials, type HeldCredentials } from '../../lib/auth/credentials.ts';
import type { WireFact } from '../../lib/capture/wire-event.ts';
import type { AuthAsk, ConnectRequest } from '../../lib/port/contract.ts';
import { startAuthPeer, type AuthPeer } from '../server/auth-peer.ts';
import { startScripted, type Script, type ScriptedServer } from '../server/scripted.ts';
import { header } from '../server/scripted-http.ts';
import { followToRedirect, REDIRECT_URI, type TestAuth } from '../support/authorized.ts';
import { newHome, startTestWorker, type Home, type TestWorker } from '../support/connected.ts';

/** A worker that asks its user, a server, and an authorization server that it has no access to yet. */
interface Scene extends AsyncDisposable {
  peer: AuthPeer;
  server: ScriptedServer;
  worker: TestWorker;
  /** Pages that were opened. */
  opened: string[];
  /** What becomes of the page that is open: the URL of the redirect, or nothing where it is closed. */
  answer(redirect?: string): void;
  connect(options?: Partial<ConnectRequest>): Promise<string>;
  ask<Kind extends AuthAsk['kind']>(
    connectionId: string,
    kind: Kind,
  ): Promise<Extract<AuthAsk, { kind: Kind }>>;
  facts<Kind extends WireFact['kind']>(kind: Kind): Extract<WireFact, { kind: Kind }>[];
  allow(): Promise<void>;
  /** Stops the worker, and starts another one with what a browser keeps. */
  restart(): Promise<void>;
}

async function setUp(script?: Script): Promise<Scene> {
  const peer = await startAuthPeer();
  const server = await startScripted(script ?? peer.protect());
  const home: Home = newHome();
  const opened: string[] = [];
  let held: HeldCredentials | undefined;
  let page: PromiseWithResolvers<string | undefined> | undefined;
  const auth = (): TestAuth => ({
    credentials: createCredentials(structuredClone(held), (now) => {
      held = structuredClone(now);
      return Promise.resolve();
    }),
    login: {
      redirectUri: () => Promise.resolve(REDIRECT_URI),
      isWatched: () => false,
      open(url) {
        opened.push(url);
        page = Promise.withResolvers();
        return page.promise;
      },
    },
  });
  const start = async () => {
    const worker = await startTestWorker({}, home, undefined, auth());
    worker.granted.delete('*');
    worker.granted.add(`${server.origin}/*`);
    return worker;
  };
  const scene: Scene = {
    peer,
    server,
    worker: await start(),
    opened,
    answer: (redirect) => page?.resolve(redirect),
    connect: (options) => scene.worker.connect(server.url(), { openStream: false, ...options }),
    ask<Kind extends AuthAsk['kind']>(connectionId: string, kind: Kind) {
      type Wanted = Extract<AuthAsk, { kind: Kind }>;
      return scene.worker.until(() => {
        const { ask } = scene.worker.summary(connectionId).authorization ?? {};
        return ask?.kind === kind ? (ask as Wanted) : undefined;
      }, `ask ${kind}`);
    },
    facts: (kind) => scene.worker.events.filter((event) => event.kind === kind) as never,
    async allow() {
      scene.worker.granted.add(`${peer.origin}/*`);
      await scene.worker.manager.permissionsAdded();
    },
    async restart() {
      await scene.worker.recorder.flushed();
      scene.worker.kill();
      scene.worker = await start();
    },
    async [Symbol.asyncDispose]() {
      await scene.worker[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await peer[Symbol.asyncDispose]();
    },
  };
  return scene;
}

/** A connection that is logged in. */
async function loggedIn(scene: Scene, options: Partial<ConnectRequest> = {}): Promise<string> {
  await scene.allow();
  const id = await scene.connect(options);
  await scene.ask(id, 'consent');
  scene.answer(await followToRedirect(scene.opened.at(-1) ?? ''));
  await scene.worker.state(id, 'connected');
  return id;
}

const functionsOf = ({ worker }: Scene) => {
  const { functions } = worker.manager;
  if (functions.credentials === undefined) throw new Error('there is no authorization');
  return functions as Required<typeof functions>;
};

const grants = ({ peer }: Scene) => peer.tokenRequests().map((form) => form.get('grant_type'));

describe('access to the host of the authorization server', () => {
  test('is asked for when it is needed, and the login goes on once it is there', async () => {
    await using scene = await setUp();
    const id = await scene.connect();
    const ask = await scene.ask(id, 'permission');
    expect(ask.hostPattern).toBe(`${scene.peer.origin}/*`);
    expect(ask.url).toContain('/.well-known/oauth-authorization-server');
    expect(scene.peer.requests).toEqual([]);
    await scene.allow();
    await scene.ask(id, 'consent');
    expect(scene.facts('permission-asked')).toMatchObject([{ host: `${scene.peer.origin}/*` }]);
    expect(scene.facts('permission-granted')).toHaveLength(1);
    scene.answer(await followToRedirect(scene.opened[0] ?? ''));
    await scene.worker.state(id, 'connected');
    expect(scene.worker.summary(id).authorization).toBeUndefined();
  });

  test('is not there because a page says so', async () => {
    await using scene = await setUp();
    const id = await scene.connect();
    await scene.ask(id, 'permission');
    await functionsOf(scene).permissionAnswered(id, true);
    const { problem } = await scene.worker.state(id, 'failed');
    expect(problem).toMatchObject({ code: 'permission-denied' });
    expect(scene.peer.requests).toEqual([]);
  });

  test.each(['authAnswer', 'permissionAnswered'] as const)(
    'may be refused, by %s',
    async (call) => {
      await using scene = await setUp();
      const id = await scene.connect();
      await scene.ask(id, 'permission');
      await functionsOf(scene)[call](id, false);
      const { problem, authorization } = await scene.worker.state(id, 'failed');
      expect(problem?.message).toContain('needs access to');
      expect(authorization).toBeUndefined();
      expect(scene.facts('permission-denied')).toHaveLength(1);
      expect(scene.facts('auth-ended')).toMatchObject([{ outcome: 'failed' }]);
    },
  );

  test('is asked for again after a restart', async () => {
    await using scene = await setUp();
    const id = await scene.connect();
    await scene.ask(id, 'permission');
    await scene.restart();
    await scene.ask(id, 'permission');
    await scene.allow();
    await scene.ask(id, 'consent');
    scene.answer(await followToRedirect(scene.opened[0] ?? ''));
    await scene.worker.state(id, 'connected');
    expect(scene.opened).toHaveLength(1);
  });
});

describe('a login', () => {
  test('says whose page is open, and is shared by all connections to the server', async () => {
    await using scene = await setUp();
    await scene.allow();
    const first = await scene.connect();
    const { host } = await scene.ask(first, 'consent');
    expect(host).toBe(new URL(scene.peer.origin).host);
    const second = await scene.connect();
    await scene.ask(second, 'consent');
    await scene.worker.until(() => scene.facts('auth-challenged').length === 2);
    // The one that it began with may go.
    await scene.worker.manager.functions.disconnect(first, false);
    await scene.ask(second, 'consent');
    scene.answer(await followToRedirect(scene.opened[0] ?? ''));
    await scene.worker.state(second, 'connected');
    expect(scene.opened).toHaveLength(1);
  });

  test('that comes to nothing while a channel is opened again is not asked for once more', async () => {
    await using peer = await startAuthPeer();
    await using server = await startScripted(peer.protect(), { isHttpSse: true });
    await using scene = await setUp();
    scene.worker.granted.add('*');
    const id = await scene.worker.connect(server.url('/sse'), {
      transport: 'http-sse',
      reconnection: { initialDelayMs: 1, maxDelayMs: 1, factor: 1, retries: 5 },
    });
    await scene.ask(id, 'consent');
    scene.answer(await followToRedirect(scene.opened[0] ?? ''));
    await scene.worker.state(id, 'connected');
    peer.expire();
    server.drop();
    // The refresh token is good once only; another one asks for it in our place.
    await functionsOf(scene).forgetCredential(server.url('/sse'));
    await scene.ask(id, 'consent');
    scene.answer();
    const { problem } = await scene.worker.state(id, 'failed');
    expect(problem).toMatchObject({ code: 'auth-closed' });
    expect(scene.opened).toHaveLength(2);
  });

  test('is given up with the last connection that waits for it', async () => {
    await using scene = await setUp();
    await scene.allow();
    const id = await scene.connect();
    await scene.ask(id, 'consent');
    await scene.worker.manager.functions.disconnect(id, false);
    await scene.worker.until(() => scene.facts('auth-ended').length === 1);
    expect(scene.facts('auth-ended')).toMatchObject([{ outcome: 'failed' }]);
    expect(scene.worker.summary(id).authorization).toBeUndefined();
  });

  test('is given up when somebody says so, from either connection, and leaves nothing behind', async () => {
    await using scene = await setUp();
    await scene.allow();
    const first = await scene.connect();
    const second = await scene.connect();
    await scene.worker.until(() => scene.facts('auth-challenged').length === 2);
    await scene.ask(second, 'consent');
    await functionsOf(scene).authStop(second);
    for (const id of [first, second]) {
      const { problem } = await scene.worker.state(id, 'failed');
      expect(problem).toMatchObject({ code: 'auth-closed', message: 'The login was given up.' });
    }
    await scene.restart();
    expect(await functionsOf(scene).credentials()).toEqual([]);
    expect(scene.facts('auth-consent').map(({ state }) => state)).not.toContain('interrupted');
  });

  test('asks what only the user can decide', async () => {
    await using peer = await startAuthPeer();
    const guarded = peer.protect()['*'];
    await using scene = await setUp({
      '*': (request, nth) => {
        if (!request.target.startsWith('/.well-known/')) {
          return typeof guarded === 'function' ? guarded(request, nth) : undefined;
        }
        const resource = `http://${header(request, 'host')}`;
        const text = JSON.stringify({ resource, authorization_servers: [peer.origin] });
        return { headers: { 'Content-Type': 'application/json' }, body: [text] };
      },
    });
    scene.worker.granted.add(`${peer.origin}/*`);
    const id = await scene.connect();
    const { question } = await scene.ask(id, 'decision');
    expect(question).toEqual({ kind: 'parent-resource', resource: scene.server.origin });
    // That of another question.
    await functionsOf(scene).permissionAnswered(id, false);
    await functionsOf(scene).authAnswer(id, true);
    await scene.ask(id, 'consent');
    expect(new URL(scene.opened[0] ?? '').searchParams.get('resource')).toBe(scene.server.origin);
  });
});

describe('C173: a worker that is stopped while the user logs in', () => {
  async function interrupted(): Promise<{ scene: Scene; id: string }> {
    const scene = await setUp();
    await scene.allow();
    const id = await scene.connect();
    await scene.ask(id, 'consent');
    await scene.restart();
    scene.worker.granted.add(`${scene.peer.origin}/*`);
    await scene.ask(id, 'interrupted');
    return { scene, id };
  }

  test('opens nothing by itself; one click goes on with the same login', async () => {
    const { scene, id } = await interrupted();
    await using _scene = scene;
    const before = scene.server.requests.length;
    const [chain] = scene.facts('auth-started');
    expect(scene.facts('auth-consent').map(({ state }) => state)).toEqual([
      'opened',
      'interrupted',
    ]);
    expect(scene.worker.summary(id).authorization?.chain).toBe(chain?.chain);
    expect([scene.opened.length, scene.server.requests.length]).toEqual([1, before]);

    await functionsOf(scene).authGoOn(id);
    await scene.ask(id, 'consent');
    expect(scene.opened[1]).toBe(scene.opened[0]);
    scene.answer(await followToRedirect(scene.opened[1] ?? ''));
    await scene.worker.state(id, 'connected');
    expect(grants(scene)).toEqual(['authorization_code']);
    expect(new Set(scene.facts('auth-consent').map((fact) => fact.chain)).size).toBe(1);
  });

  test('can be given up then, and asks anew at the next connect', async () => {
    const { scene, id } = await interrupted();
    await using _scene = scene;
    await functionsOf(scene).authStop(id);
    const { problem } = await scene.worker.state(id, 'failed');
    expect(problem).toMatchObject({ code: 'auth-closed' });
    expect(scene.facts('auth-ended')).toMatchObject([{ outcome: 'failed' }]);
    const again = await scene.connect();
    await scene.ask(again, 'consent');
    expect(scene.opened[1]).not.toBe(scene.opened[0]);
  });

  test('ends the connection where the user then leaves', async () => {
    const { scene, id } = await interrupted();
    await using _scene = scene;
    await functionsOf(scene).authGoOn(id);
    await scene.ask(id, 'consent');
    scene.answer();
    const { problem } = await scene.worker.state(id, 'failed');
    expect(problem).toMatchObject({ code: 'auth-closed' });
    expect(scene.opened).toHaveLength(2);
  });

  test('holds nobody who disconnects', async () => {
    const { scene, id } = await interrupted();
    await using _scene = scene;
    await scene.worker.manager.functions.disconnect(id, true);
    await scene.worker.state(id, 'closed');
    await scene.worker.until(() => scene.facts('auth-ended').length === 1);
  });
});

describe('tokens that are held', () => {
  test('are listed without what is worth stealing', async () => {
    await using scene = await setUp();
    await loggedIn(scene, { auth: { grant: 'authorization-code', scope: 'a b' } });
    const list = await functionsOf(scene).credentials();
    expect(list).toMatchObject([
      {
        serverUrl: scene.server.url(),
        issuer: scene.peer.origin,
        resource: scene.server.url(),
        clientId: 'c',
        clientSource: 'registered',
        tokenType: 'bearer',
        requestedScopes: ['a', 'b'],
        hasRefreshToken: true,
        isOnDisk: false,
      },
    ]);
    const text = JSON.stringify(list);
    for (const secret of scene.peer.secrets) expect(text).not.toContain(secret);
    const [stored] = scene.facts('auth-credential');
    expect(list[0]?.fingerprint).toBe(stored?.secret);
  });

  test('outlive the worker, and need no login', async () => {
    await using scene = await setUp();
    const id = await loggedIn(scene);
    await scene.restart();
    await scene.worker.state(id, 'connected');
    await scene.worker.manager.functions.send(id, 'tools/list', undefined);
    await scene.worker.until(() => scene.facts('http-end').length > 0);
    expect([scene.opened.length, grants(scene).length]).toEqual([1, 1]);
  });

  test('are refreshed before they are sent where they look expired', async () => {
    await using scene = await setUp();
    const id = await loggedIn(scene);
    // A token that was over when it came is no case for a refresh.
    const [held] = await functionsOf(scene).credentials();
    await expect.poll(() => Date.now()).toBeGreaterThan(held!.obtainedAt);
    await functionsOf(scene).expireCredential(scene.server.url());
    await functionsOf(scene).send(id, 'tools/list', undefined);
    await expect.poll(() => grants(scene)).toEqual(['authorization_code', 'refresh_token']);
    expect(scene.facts('auth-challenged')).toHaveLength(1);
  });

  test('are refused where they are broken, and replaced after the 401', async () => {
    await using scene = await setUp();
    const id = await loggedIn(scene);
    await functionsOf(scene).corruptCredential(scene.server.url());
    await functionsOf(scene).send(id, 'tools/list', undefined);
    await expect.poll(() => scene.facts('auth-resolved').length).toBe(2);
    expect(scene.facts('auth-challenged')[1]).toHaveProperty('secret');
    expect(grants(scene)).toEqual(['authorization_code', 'refresh_token']);
    await scene.worker.recorder.flushed();
    expect(JSON.stringify(scene.worker.blocks)).not.toContain('oops');
  });

  test('are forgotten, with that in the log; the client is another matter', async () => {
    await using scene = await setUp();
    await loggedIn(scene);
    const registrations = () =>
      scene.peer.requests.filter(({ target }) => target === '/register').length;
    await functionsOf(scene).forgetCredential(scene.server.url());
    expect(await functionsOf(scene).credentials()).toEqual([]);
    expect(scene.facts('auth-credential').at(-1)).toMatchObject({
      change: 'dropped',
      reason: 'forgotten by hand',
    });
    // Nobody is there to ask for another one.
    await functionsOf(scene).signOut(scene.server.url());
    await loggedIn(scene);
    expect(registrations()).toBe(1);
    await functionsOf(scene).forgetCredential(scene.server.url());
    await functionsOf(scene).forgetClient(scene.peer.origin);
    await loggedIn(scene);
    expect(registrations()).toBe(2);
  });

  test('are signed out', async () => {
    await using scene = await setUp();
    const id = await loggedIn(scene);
    await functionsOf(scene).signOut(scene.server.url());
    expect(await functionsOf(scene).credentials()).toEqual([]);
    const [ended] = scene.worker.events.filter(
      (event) => event.kind === 'auth-ended' && event.outcome === 'signed-out',
    );
    expect(ended?.connectionId).toBe(id);
  });
});

describe('settings', () => {
  test('that want no authorization leave a 401 as it is', async () => {
    await using scene = await setUp();
    const id = await scene.connect({ auth: { grant: 'authorization-code', isOff: true } });
    const { problem } = await scene.worker.state(id, 'failed');
    expect(problem).toMatchObject({ code: 'http-unauthorized' });
    expect(scene.facts('auth-started')).toEqual([]);
  });

  test('say what to register by hand, and what to host', async () => {
    await using scene = await setUp();
    expect(await functionsOf(scene).redirectUris()).toEqual({
      identity: REDIRECT_URI,
      loopback: REDIRECT_URI,
    });
    const url = 'https://client.example/wirescope.json';
    expect(JSON.parse(await functionsOf(scene).clientMetadata(url))).toMatchObject({
      client_id: url,
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'none',
    });
  });
});
