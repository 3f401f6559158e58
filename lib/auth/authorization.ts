import { AppError, toProblem, type Problem } from '../errors.ts';
import type { AuthReason } from '../capture/auth-fact.ts';
import type { AuthSettings } from '../capture/auth-settings.ts';
import type { Header } from '../capture/stored-text.ts';
import type { RequestLinks, WireFact } from '../capture/wire-event.ts';
import { challengeLines } from '../protocol/challenge.ts';
import type { Authorizer, Challenged } from '../transport/authorizer.ts';
import type { Credentials } from './credentials.ts';
import { dpopHeaders } from './dpop.ts';
import type { AuthEngine } from './engine.ts';
import { readChallenge } from './read-challenge.ts';

export interface AuthorizationOptions {
  credentials: Pick<Credentials, 'find'>;
  engine: Pick<AuthEngine, 'authorize'>;
  newChain(): string;
  now(): number;
  /** A chain begins; what it does belongs to this connection. */
  began(chain: string, connectionId: string): void;
}

/** What one connection is authorized for. */
export interface Authorized {
  connectionId: string;
  serverUrl: string;
  settings: AuthSettings;
  record(fact: WireFact): void;
}

/** The authorizations of all connections. Those to the same server share tokens, and chains under way. */
export interface Authorization {
  authorizerFor(connection: Authorized): Authorizer;
}

interface Running {
  chain: string;
  over: Promise<void>;
}

/** Starts with no chain under way. */
export function createAuthorization(options: AuthorizationOptions): Authorization {
  const { credentials, engine, now } = options;
  const running = new Map<string, Running>();
  /** The chain that a server's token came from. */
  const lastChains = new Map<string, string>();
  /** What servers want in the next proof, by origin. */
  const nonces = new Map<string, string>();

  function run(
    { connectionId, serverUrl, settings }: Authorized,
    reason: AuthReason,
    challenge: string[],
  ): Running {
    const under = running.get(serverUrl);
    if (under !== undefined) return under;
    const chain = options.newChain();
    options.began(chain, connectionId);
    const over = engine
      .authorize({ chain, serverUrl, settings, reason, challenge })
      .then(() => void lastChains.set(serverUrl, chain))
      .finally(() => running.delete(serverUrl));
    // Who waits for it may have left.
    over.catch(() => undefined);
    const started = { chain, over };
    running.set(serverUrl, started);
    return started;
  }

  function authorizerFor(connection: Authorized): Authorizer {
    const { serverUrl, record } = connection;
    /** A token that the server has refused although it was new: nothing is asked for it a second time. */
    let refused: { token: string; problem: Problem } | undefined;

    /** The one repeat was refused as well. */
    function giveUp({ httpId, head }: Challenged, token: string | undefined): never {
      const problem = refusedAgain(head.status, challengeLines(head.headers));
      if (token !== undefined && head.status === 401) refused = { token, problem };
      const chain = lastChains.get(serverUrl) ?? '';
      record({ kind: 'auth-resolved', httpId, chain, outcome: 'stands', problem });
      throw new AppError(problem);
    }

    async function wait(
      { httpId, signal }: Challenged,
      { chain, over }: Running,
      reason: AuthReason,
      token: string | undefined,
    ): Promise<RequestLinks> {
      const sent = token === undefined ? {} : { secret: token };
      record({ kind: 'auth-challenged', httpId, chain, reason, ...sent });
      try {
        await Promise.race([over, aborted(signal)]);
      } catch (error) {
        const problem = toProblem(error);
        const outcome = signal.aborted ? 'left' : 'stands';
        record({ kind: 'auth-resolved', httpId, chain, outcome, problem });
        throw error;
      }
      record({ kind: 'auth-resolved', httpId, chain, outcome: 'repeat' });
      return { reason, authChain: chain };
    }

    return {
      headers(call) {
        const held = credentials.find(serverUrl);
        // No token goes to an origin other than the one that it was got for.
        if (held === undefined || new URL(call.url).origin !== new URL(serverUrl).origin) return [];
        const { tokenType, accessToken, dpopKey } = held;
        if (tokenType === 'bearer' || dpopKey === undefined) {
          return [{ name: 'Authorization', value: `Bearer ${accessToken}` }];
        }
        const nonce = nonces.get(new URL(call.url).origin);
        return dpopHeaders(dpopKey, accessToken, { ...call, nonce, now: now() });
      },
      heard(url, { headers }) {
        const nonce = headers.find(({ name }) => name.toLowerCase() === 'dpop-nonce');
        if (nonce !== undefined) nonces.set(new URL(url).origin, nonce.value);
      },
      async challenged(answer) {
        const { head, isRepeat } = answer;
        const lines = challengeLines(head.headers);
        const { error } = readChallenge(lines);
        const token = tokenIn(answer.headers);
        const chain = lastChains.get(serverUrl) ?? options.newChain();
        if (error === 'use_dpop_nonce' && token !== undefined) {
          return { reason: 'nonce', authChain: chain };
        }
        const reason = head.status === 403 ? 'step-up' : 'authorization';
        // Only the parameter itself counts, not the word in a description.
        if (reason === 'step-up' && error !== 'insufficient_scope') return undefined;
        if (isRepeat) return giveUp(answer, token);
        if (refused !== undefined && refused.token === token) throw new AppError(refused.problem);
        const held = credentials.find(serverUrl)?.accessToken;
        // Somebody else has got a new one while this request was under way.
        const isStale = held !== undefined && held !== token && !running.has(serverUrl);
        const under = isStale ? { chain, over: Promise.resolve() } : run(connection, reason, lines);
        return wait(answer, under, reason, token);
      },
    };
  }

  return { authorizerFor };
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

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
