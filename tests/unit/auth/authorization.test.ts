import { describe, expect, test } from 'vitest';
import { createAuthorization, type Authorization } from '../../../lib/auth/authorization.ts';
import {
  createCredentials,
  type Credential,
  type Credentials,
} from '../../../lib/auth/credentials.ts';
import { createDpopKey, dpopHeaders } from '../../../lib/auth/dpop.ts';
import type { AuthEngine, AuthTask } from '../../../lib/auth/engine.ts';
import type { Header } from '../../../lib/capture/store/stored-text.ts';
import type { WireFact } from '../../../lib/capture/wire-event.ts';
import { AppError, toProblem } from '../../../lib/errors.ts';
import type { Authorizer } from '../../../lib/transport/exchange/authorizer.ts';
import { ISSUER, metadata, SERVER } from './stage.ts';

const credential = (more: Partial<Credential> = {}): Credential => ({
  issuer: ISSUER,
  resource: SERVER,
  clientId: 'c',
  tokenType: 'bearer',
  accessToken: 'token-1',
  refreshToken: 'refresh-1',
  requestedScopes: [],
  grantedScopes: [],
  obtainedAt: 0,
  server: metadata(),
  ...more,
});

interface Bench {
  credentials: Credentials;
  authorization: Authorization;
  authorizer: Authorizer;
  facts: WireFact[];
  tasks: AuthTask[];
  refreshes: string[];
  now: number;
  /** How the engine goes on; by itself it stores `token-2`. */
  engine: Partial<AuthEngine>;
  save(change?: Partial<Credential>): Promise<void>;
}

function createBench(): Bench {
  const credentials = createCredentials();
  let chains = 0;
  const bench: Bench = {
    credentials,
    facts: [],
    tasks: [],
    refreshes: [],
    now: 1000,
    engine: {},
    save: (change) => credentials.store.save(SERVER, credential(change)),
  } as Partial<Bench> as Bench;
  const next = async () => {
    await bench.save({ accessToken: 'token-2', obtainedAt: bench.now });
    return 'authorized' as const;
  };
  bench.authorization = createAuthorization({
    credentials,
    engine: {
      authorize(task) {
        bench.tasks.push(task);
        return bench.engine.authorize?.(task) ?? next();
      },
      refresh(task) {
        bench.refreshes.push(task.chain);
        return bench.engine.refresh?.(task) ?? next();
      },
      goOn: (serverUrl) => bench.engine.goOn?.(serverUrl) ?? Promise.resolve('stands'),
      signOut: () => Promise.resolve(),
      prove: (proof) => dpopHeaders(proof, bench.now),
    },
    newChain: () => `chain-${(chains += 1)}`,
    now: () => bench.now,
    began: () => undefined,
    ended: () => undefined,
  });
  bench.authorizer = bench.authorization.authorizerFor({
    connectionId: 'c1',
    serverUrl: SERVER,
    settings: { grant: 'authorization-code' },
    asks: true,
    record: (fact) => void bench.facts.push(fact),
  });
  return bench;
}

const call = { method: 'POST', url: SERVER } as const;

function answer(status: 401 | 403, challenge: string, sent?: string, isRepeat = false) {
  const headers: Header[] = sent === undefined ? [] : [{ name: 'Authorization', value: sent }];
  return {
    httpId: 'h1',
    url: SERVER,
    head: { status, statusText: '', headers: [{ name: 'WWW-Authenticate', value: challenge }] },
    headers,
    isRepeat,
    isInjected: false,
    signal: new AbortController().signal,
  };
}

const valueOf = (headers: Header[]) => headers.map(({ name, value }) => `${name}: ${value}`);

describe('the token of a request', () => {
  test('is read for each one, and goes to no other origin', async () => {
    const { authorizer, save } = createBench();
    expect(await authorizer.headers(call)).toEqual([]);
    await save();
    expect(valueOf(await authorizer.headers(call))).toEqual(['Authorization: Bearer token-1']);
    await save({ accessToken: 'token-9' });
    expect(valueOf(await authorizer.headers(call))).toEqual(['Authorization: Bearer token-9']);
    for (const url of ['https://evil.example/mcp', 'http://mcp.example.com/mcp']) {
      expect(await authorizer.headers({ ...call, url })).toEqual([]);
    }
  });

  test('is refreshed before it is sent where its time is over, once for all who ask', async () => {
    const bench = createBench();
    await bench.save({ expiresAt: 500 });
    const all = await Promise.all([1, 2, 3].map(async () => bench.authorizer.headers(call)));
    expect(all.flatMap(valueOf)).toEqual(Array(3).fill('Authorization: Bearer token-2'));
    expect(bench.refreshes).toEqual(['chain-1']);
  });

  test('goes out as it is where that fails, and where it never had a time', async () => {
    const bench = createBench();
    bench.engine = {
      refresh: () => Promise.reject(new AppError({ code: 'auth-token', message: '' })),
    };
    await bench.save({ expiresAt: 500 });
    for (let turn = 0; turn < 3; turn += 1) {
      expect(valueOf(await bench.authorizer.headers(call))).toEqual([
        'Authorization: Bearer token-1',
      ]);
    }
    expect(bench.refreshes).toHaveLength(1);
    // `expires_in: 0` says nothing: it would be refreshed with every request.
    const other = createBench();
    await other.save({ obtainedAt: 500, expiresAt: 500 });
    await other.authorizer.headers(call);
    expect(other.refreshes).toEqual([]);
  });
});

describe('an answer that asks for authorization', () => {
  test('starts one chain for all who wait, and another one only after that', async () => {
    const bench = createBench();
    const { promise, resolve } = Promise.withResolvers<'authorized'>();
    bench.engine = { authorize: () => promise };
    const waiting = [1, 2, 3].map(() => bench.authorizer.challenged(answer(401, 'Bearer')));
    resolve('authorized');
    const repeat = { reason: 'authorization', authChain: 'chain-1' };
    expect(await Promise.all(waiting)).toEqual([repeat, repeat, repeat]);
    expect(bench.tasks).toHaveLength(1);
  });

  test('leads to a repeat at once where another request has got a new token meanwhile', async () => {
    const bench = createBench();
    await bench.save({ accessToken: 'token-2' });
    for (const sent of ['Bearer token-1', undefined]) {
      expect(await bench.authorizer.challenged(answer(401, 'Bearer', sent))).toMatchObject({
        reason: 'authorization',
      });
    }
    expect(bench.tasks).toEqual([]);
  });

  test('stands where its request was the repeat, and is not asked about again with the same token', async () => {
    const bench = createBench();
    await bench.save();
    const refused = (isRepeat: boolean) =>
      bench.authorizer
        .challenged(answer(401, 'Bearer error="invalid_token"', 'Bearer token-1', isRepeat))
        .catch((error: unknown) => toProblem(error).code);
    expect(await refused(true)).toBe('auth-rejected');
    expect(await refused(false)).toBe('auth-rejected');
    expect(bench.tasks).toEqual([]);
    // Another connection is another wish of the user.
    const other = bench.authorization.authorizerFor({
      connectionId: 'c2',
      serverUrl: SERVER,
      settings: { grant: 'authorization-code' },
      asks: true,
      record: () => undefined,
    });
    await other.challenged(answer(401, 'Bearer', 'Bearer token-1'));
    expect(bench.tasks).toHaveLength(1);
  });

  test('stands for a connection that is to ask nobody, but uses what there is', async () => {
    const bench = createBench();
    await bench.save();
    const quiet = bench.authorization.authorizerFor({
      connectionId: 'c2',
      serverUrl: SERVER,
      settings: { grant: 'authorization-code' },
      record: () => undefined,
    });
    expect(valueOf(await quiet.headers(call))).toEqual(['Authorization: Bearer token-1']);
    expect(await quiet.challenged(answer(401, 'Bearer', 'Bearer token-1'))).toBeUndefined();
    expect(bench.tasks).toEqual([]);
  });

  test('that was injected is taken up only where there is a token to lose', async () => {
    const bench = createBench();
    const injected = { ...answer(401, 'Bearer error="invalid_token"'), isInjected: true };
    expect(await bench.authorizer.challenged(injected)).toBeUndefined();
    await bench.save();
    const lost = { ...answer(401, 'Bearer', 'Bearer token-1'), isInjected: true };
    expect(await bench.authorizer.challenged(lost)).toMatchObject({ reason: 'authorization' });
    expect(bench.tasks).toHaveLength(1);
  });

  test('is given up by who has left, while the chain goes on', async () => {
    const bench = createBench();
    const { promise, resolve } = Promise.withResolvers<'authorized'>();
    bench.engine = { authorize: () => promise };
    const controller = new AbortController();
    const left = bench.authorizer.challenged({
      ...answer(401, 'Bearer'),
      signal: controller.signal,
    });
    const stays = bench.authorizer.challenged(answer(401, 'Bearer'));
    controller.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    resolve('authorized');
    expect(await stays).toMatchObject({ authChain: 'chain-1' });
    expect(
      bench.facts.flatMap((fact) => (fact.kind === 'auth-resolved' ? [fact.outcome] : [])),
    ).toEqual(['left', 'repeat']);
  });

  test('goes on with a login of an earlier life, which all who ask meanwhile wait for', async () => {
    const bench = createBench();
    const connection = { connectionId: 'c1', serverUrl: SERVER };
    expect(await bench.authorization.goOn(connection)).toBe(false);
    await bench.credentials.store.saveAttempt({
      chain: 'earlier',
      serverUrl: SERVER,
      settings: { grant: 'authorization-code' },
      server: metadata(),
      client: { issuer: ISSUER, id: 'c', method: 'none', source: 'registered' },
      resource: SERVER,
      scopes: [],
      redirectUri: 'https://extension.example/',
      wantsDpop: false,
      verifier: 'v',
      state: 's',
      step: 4,
    });
    bench.engine = { goOn: () => bench.save().then(() => 'authorized' as const) };
    const going = bench.authorization.goOn(connection);
    await Promise.resolve();
    const repeat = await bench.authorizer.challenged(answer(401, 'Bearer'));
    expect([await going, repeat]).toEqual([
      true,
      { reason: 'authorization', authChain: 'earlier' },
    ]);
    expect(bench.tasks).toEqual([]);
  });
});

describe('DPoP', () => {
  const read = (jwt: string | undefined) =>
    (jwt ?? '')
      .split('.')
      .slice(0, 2)
      .map(
        (part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>,
      );

  test('a proof is of one request, of one token, and signed with its key', async () => {
    const bench = createBench();
    const dpopKey = await createDpopKey();
    await bench.save({ tokenType: 'dpop', dpopKey });
    const url = `${SERVER}?q=1#f`;
    const [authorization, proof] = await bench.authorizer.headers({ ...call, url });
    const [again] = (await bench.authorizer.headers({ ...call, url })).slice(1);
    expect(authorization).toEqual({ name: 'Authorization', value: 'DPoP token-1' });
    const [header, claims] = read(proof?.value);
    expect(header).toEqual({ alg: 'ES256', typ: 'dpop+jwt', jwk: dpopKey.publicJwk });
    expect(claims).toMatchObject({ htm: 'POST', htu: SERVER, iat: 1 });
    expect(read(again?.value)[1]?.['jti']).not.toBe(claims?.['jti']);
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from('token-1')));
    expect(claims?.['ath']).toBe(hash.toString('base64url'));
    const curve = { name: 'ECDSA', namedCurve: 'P-256' };
    const key = await crypto.subtle.importKey('jwk', dpopKey.publicJwk, curve, false, ['verify']);
    const [head = '', body = '', signature = ''] = (proof?.value ?? '').split('.');
    const isSigned = await crypto.subtle.verify(
      { name: 'ECDSA', hash: 'SHA-256' },
      key,
      Buffer.from(signature, 'base64url'),
      Buffer.from(`${head}.${body}`),
    );
    expect(isSigned).toBe(true);
  });

  test('the nonce that a server gives is in the next proof, and one it asks for leads to a repeat', async () => {
    const bench = createBench();
    await bench.save({ tokenType: 'dpop', dpopKey: await createDpopKey() });
    const asks = 'DPoP error="use_dpop_nonce"';
    const unproven = bench.authorizer.challenged(answer(401, asks, 'DPoP token-1', true));
    await expect(unproven).rejects.toMatchObject({ problem: { code: 'auth-rejected' } });
    const wanted = answer(401, asks, 'DPoP token-1', true);
    wanted.headers.push({ name: 'DPoP', value: 'x.y.z' });
    const head = {
      ...wanted.head,
      headers: [...wanted.head.headers, { name: 'DPoP-Nonce', value: 'n1' }],
    };
    bench.authorizer.heard?.(SERVER, head);
    expect(await bench.authorizer.challenged({ ...wanted, head })).toMatchObject({
      reason: 'nonce',
    });
    const [, proof] = await bench.authorizer.headers(call);
    expect(read(proof?.value)[1]).toMatchObject({ nonce: 'n1' });
    expect(bench.tasks).toEqual([]);
  });
});
