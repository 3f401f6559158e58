import { AppError, toProblem, type Problem } from '../errors.ts';
import type { AuthReason } from '../capture/auth-fact.ts';
import type { AuthSettings } from '../capture/auth-settings.ts';
import type { Header } from '../capture/store/stored-text.ts';
import type { RequestLinks, WireFact } from '../capture/wire-event.ts';
import { challengeLines } from '../protocol/challenge.ts';
import type { Authorizer, Challenged } from '../transport/exchange/authorizer.ts';
import type { HttpCall } from '../transport/exchange/http-door.ts';
import type { Credential, Credentials } from './credentials.ts';
import type { AuthEngine, AuthOutcome } from './engine.ts';

export interface AuthorizationOptions {
  credentials: Pick<Credentials, 'find' | 'store'>;
  engine: AuthEngine;
  newChain(): string;
  now(): number;
  /** A chain begins; what it does belongs to this connection. */
  began(chain: string, owner: ChainOwner): void;
  ended(chain: string): void;
}

/** Whose a chain is. */
export interface ChainOwner {
  connectionId: string;
  serverUrl: string;
  /** People are asked, and the chain is given up with the last connection to its server. */
  isForPeople: boolean;
}

/** What one connection is authorized for. */
export interface Authorized {
  connectionId: string;
  serverUrl: string;
  settings: AuthSettings;
  /** Absent means that nobody is asked for it: a token that is there is used. */
  asks?: true;
  record(fact: WireFact): void;
}

/** The authorizations of all connections. Those to the same server share tokens, and chains under way. */
export interface Authorization {
  authorizerFor(connection: Authorized): Authorizer;
  /** Goes on with a login that an earlier life of the worker has begun; false where there is none. */
  goOn(connection: Pick<Authorized, 'connectionId' | 'serverUrl'>): Promise<boolean>;
  /** Forgets the token of a server, and has it revoked where that can be. */
  signOut(connection: Omit<Authorized, 'record' | 'asks'>): Promise<void>;
}

interface Running {
  chain: string;
  over: Promise<AuthOutcome>;
  /** Asks nobody, so that requests may wait for it. */
  isQuick: boolean;
}

/** Starts with no chain under way. */
export function createAuthorization(options: AuthorizationOptions): Authorization {
  const { credentials, engine, now } = options;
  const running = new Map<string, Running>();
  /** The chain that a server's token came from. */
  const lastChains = new Map<string, string>();
  /** The token that was last refreshed before it was sent, by server: a failure is not repeated. */
  const triedInTime = new Map<string, string>();
  /** What servers want in the next proof, by origin. */
  const nonces = new Map<string, string>();

  /** Starts a chain, or joins the one that is under way for this server. */
  function run(
    { connectionId, serverUrl }: Pick<Authorized, 'connectionId' | 'serverUrl'>,
    isQuick: boolean,
    act: (chain: string) => Promise<AuthOutcome>,
    chain = options.newChain(),
  ): Running {
    const under = running.get(serverUrl);
    if (under !== undefined) return under;
    options.began(chain, { connectionId, serverUrl, isForPeople: !isQuick });
    // The request that needs it is in the log before its first step.
    const over = Promise.resolve()
      .then(() => ending(chain, act(chain)))
      .then((outcome) => {
        lastChains.set(serverUrl, chain);
        return outcome;
      })
      .finally(() => running.delete(serverUrl));
    // Who waits for it may have left.
    over.catch(() => undefined);
    const started = { chain, over, isQuick };
    running.set(serverUrl, started);
    return started;
  }

  function ending<Outcome>(chain: string, over: Promise<Outcome>): Promise<Outcome> {
    return over.finally(() => options.ended(chain));
  }

  /** A token whose time is over is refreshed before it is sent; where that fails, its 401 decides. */
  function refreshInTime(connection: Authorized, held: Credential): Promise<void> | undefined {
    const { serverUrl, settings } = connection;
    const { accessToken, refreshToken, obtainedAt, expiresAt = Infinity } = held;
    const under = running.get(serverUrl);
    if (under !== undefined) return under.isQuick ? quietly(under.over) : undefined;
    const isOver = expiresAt <= now() && expiresAt > obtainedAt && refreshToken !== undefined;
    if (!isOver || triedInTime.get(serverUrl) === accessToken) return undefined;
    triedInTime.set(serverUrl, accessToken);
    return quietly(
      run(connection, true, (chain) => engine.refresh({ chain, serverUrl, settings })).over,
    );
  }

  function authorizerFor(connection: Authorized): Authorizer {
    const { serverUrl, settings, record } = connection;
    /** A token that the server has refused although it was new: nothing is asked for it a second time. */
    let refused: { token: string; problem: Problem } | undefined;

    /** Where the token that is held came from. */
    const knownChain = () => lastChains.get(serverUrl) ?? options.newChain();

    /** No repeat is due, and this is why. */
    function stand({ httpId }: Challenged, problem: Problem): never {
      const chain = knownChain();
      record({ kind: 'auth-resolved', httpId, chain, outcome: 'stands', problem });
      throw new AppError(problem);
    }

    /** The one repeat was refused as well. */
    function giveUp(answer: Challenged, token: string | undefined): never {
      const { status, headers } = answer.head;
      const problem = refusedAgain(status, challengeLines(headers));
      if (token !== undefined && status === 401) refused = { token, problem };
      return stand(answer, problem);
    }

    async function wait(
      { httpId, signal }: Challenged,
      { chain, over }: Pick<Running, 'chain' | 'over'>,
      reason: AuthReason,
      token: string | undefined,
    ): Promise<RequestLinks | undefined> {
      const sent = token === undefined ? {} : { secret: token };
      record({ kind: 'auth-challenged', httpId, chain, reason, ...sent });
      let outcome: AuthOutcome;
      try {
        outcome = await Promise.race([over, aborted(signal)]);
      } catch (error) {
        const problem = toProblem(error);
        const left = signal.aborted ? 'left' : 'stands';
        record({ kind: 'auth-resolved', httpId, chain, outcome: left, problem });
        throw error;
      }
      const resolved = outcome === 'authorized' ? 'repeat' : 'stands';
      record({ kind: 'auth-resolved', httpId, chain, outcome: resolved });
      return outcome === 'authorized' ? { reason, authChain: chain } : undefined;
    }

    function present(call: Pick<HttpCall, 'method' | 'url'>): Header[] | Promise<Header[]> {
      const held = credentials.find(serverUrl);
      if (held === undefined) return [];
      const { tokenType, accessToken, dpopKey } = held;
      if (tokenType === 'bearer' || dpopKey === undefined) {
        return [{ name: 'Authorization', value: `Bearer ${accessToken}` }];
      }
      const nonce = nonces.get(new URL(call.url).origin);
      const { method, url } = call;
      return engine.prove({ key: dpopKey, accessToken, method, url, nonce });
    }

    return {
      headers(call) {
        const held = credentials.find(serverUrl);
        // No token goes to an origin other than the one that it was got for.
        if (held === undefined || new URL(call.url).origin !== new URL(serverUrl).origin) return [];
        const refreshed = refreshInTime(connection, held);
        return refreshed === undefined ? present(call) : refreshed.then(() => present(call));
      },
      heard(url, { headers }) {
        const nonce = headers.find(({ name }) => name.toLowerCase() === 'dpop-nonce');
        if (nonce !== undefined) nonces.set(new URL(url).origin, nonce.value);
      },
      async challenged(answer) {
        if (connection.asks !== true) return undefined;
        const { head, isRepeat } = answer;
        const lines = challengeLines(head.headers);
        const token = tokenIn(answer.headers);
        // Where no token was sent, there is none to try the loss of.
        if (answer.isInjected && token === undefined) return undefined;
        const isProven = answer.headers.some(({ name }) => name === 'DPoP');
        if (isProven && lines.some((line) => line.includes('use_dpop_nonce'))) {
          return { reason: 'nonce', authChain: knownChain() };
        }
        const reason = head.status === 403 ? 'step-up' : 'authorization';
        if (isRepeat) return giveUp(answer, token);
        if (refused !== undefined && refused.token === token) {
          return stand(answer, refused.problem);
        }
        const quick = running.get(serverUrl);
        if (quick?.isQuick === true) await quietly(quick.over);
        const held = credentials.find(serverUrl)?.accessToken;
        // Somebody else has got a new one while this request was under way.
        const isStale = held !== undefined && held !== token && !running.has(serverUrl);
        const under = isStale
          ? { chain: knownChain(), over: Promise.resolve('authorized' as const) }
          : run(connection, false, (id) =>
              engine.authorize({ chain: id, serverUrl, settings, reason, challenge: lines }),
            );
        return wait(answer, under, reason, token);
      },
    };
  }

  return {
    authorizerFor,
    async goOn(connection) {
      const { serverUrl } = connection;
      const attempt = await credentials.store.attempt(serverUrl);
      if (attempt === undefined) return false;
      await run(connection, false, () => engine.goOn(serverUrl), attempt.chain).over;
      return true;
    },
    async signOut({ connectionId, serverUrl, settings }) {
      const chain = options.newChain();
      options.began(chain, { connectionId, serverUrl, isForPeople: false });
      await ending(chain, engine.signOut({ chain, serverUrl, settings }));
    },
  };
}

/** The token that a request carried. */
function tokenIn(headers: readonly Header[]): string | undefined {
  const header = headers.find(({ name }) => name.toLowerCase() === 'authorization');
  return header?.value.replace(/^\S+ +/, '');
}

function refusedAgain(status: number, lines: string[]): Problem {
  const said = lines.length === 0 ? '' : `: ${lines.join(', ')}`;
  return {
    code: 'auth-rejected',
    message: `The authorization server issued a token, but the server refuses it (${status}${said}).`,
    advice:
      'It was repeated once, and is not repeated again. Does the server take tokens of this issuer, for this audience, with these scopes?',
    answer: { status },
  };
}

/** Resolves when it is over, whatever came of it. */
function quietly(promise: Promise<unknown>): Promise<void> {
  return promise.then(
    () => undefined,
    () => undefined,
  );
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
