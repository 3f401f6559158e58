import { AppError, toProblem } from '../../errors.ts';
import type { WireFact } from '../../capture/wire-event.ts';
import type { AuthDoors, AuthExchange, AuthReply } from '../../auth/auth-doors.ts';
import {
  createAuthorization,
  type Authorization,
  type ChainOwner,
} from '../../auth/authorization.ts';
import type { Credentials } from '../../auth/credentials.ts';
import type { AuthEngine } from '../../auth/engine.ts';
import type { ExchangeContext } from '../../transport/exchange/exchange.ts';
import type { openExchange } from '../../transport/exchange/open-exchange.ts';
import { createCollector } from '../../transport/exchange/reply-body.ts';
import type { AuthAsks } from './auth-asks.ts';
import { createTokenSieve, LONGEST_TOKEN_BODY } from '../../transport/sieve/token-sieve.ts';
import type { timeLimit } from '../time-limit.ts';

/** How long one place may take to say whether it has metadata, in milliseconds. */
const DISCOVERY_MS = 10_000;
/** How long an authorization server may take for what it has to work for, in milliseconds. */
const TOKEN_MS = 30_000;

export interface AuthHostOptions {
  /** What the exchanges of chains go through; the connection is that of the chain. */
  exchanges: Omit<ExchangeContext, 'connectionId' | 'authorizer'>;
  openExchange: typeof openExchange;
  timeLimit: typeof timeLimit;
  credentials: Credentials;
  asks: AuthAsks;
  /** Where the user is asked. */
  people: Pick<AuthDoors, 'consent' | 'redirectUri' | 'permission' | 'decide'>;
  /** The engine over these doors: in this process, or behind a port. */
  engine(doors: AuthDoors): AuthEngine;
  newId(): string;
  now(): number;
  exchangeMs?: number;
}

export interface AuthHost extends Authorization, Pick<AuthDoors, 'redirectUri'> {
  credentials: Credentials;
  /**
   * Where an earlier life of the worker left a login, waits for somebody to go on with it, and for its end. Rejects
   * with an `AppError` where it is given up or fails.
   */
  takeUp(connection: Pick<ChainOwner, 'connectionId' | 'serverUrl'>): Promise<void>;
}

/** Authorization, with an engine that reaches the network and the log through the connection that needs it. */
export function createAuthHost(options: AuthHostOptions): AuthHost {
  const { exchanges, credentials, people, asks, now } = options;
  const takenUp = new Map<string, Promise<void>>();

  function record(chain: string, fact: WireFact): void {
    exchanges.recorder.record(fact, asks.ownerOf(chain)?.connectionId);
  }

  async function send(exchange: AuthExchange): Promise<AuthReply> {
    const { purpose, method, url, headers, body, chain, step } = exchange;
    const waitMs = options.exchangeMs ?? (purpose === 'discovery' ? DISCOVERY_MS : TOKEN_MS);
    const stopped = asks.signalOf(chain);
    stopped?.throwIfAborted();
    // What may have an effect there is not cut short.
    const parent = purpose === 'discovery' ? stopped : undefined;
    const message = `${url} did not answer within ${waitMs / 1000} s.`;
    const limit = options.timeLimit(waitMs, message, parent);
    try {
      const opened = await options.openExchange(
        { ...exchanges, connectionId: asks.ownerOf(chain)?.connectionId ?? '' },
        {
          purpose,
          method,
          url,
          headers,
          ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
          links: { authChain: chain, authStep: step },
          signal: limit.signal,
          ...(purpose === 'discovery' ? {} : { sieve: createTokenSieve, staysPut: true }),
        },
      );
      const collector = createCollector(LONGEST_TOKEN_BODY);
      const end = await opened.read((chunk) => (collector.add(chunk) ? undefined : 'limit'));
      if (end.outcome !== 'complete' && !(end.outcome === 'aborted' && end.cause === 'limit')) {
        throw new AppError({
          code: 'network-reset',
          message: `The answer of ${url} broke off.`,
          ...(end.outcome === 'cut' ? { detail: end.errorName } : {}),
        });
      }
      const { status, headers: answered } = opened.head;
      return {
        httpId: opened.httpId,
        status,
        headers: answered,
        text: collector.text(),
        ...(end.outcome === 'complete' ? {} : { isTooLarge: true }),
      };
    } catch (error) {
      throw new AppError(toProblem(error), { cause: error });
    } finally {
      limit.stop();
    }
  }

  const engine = options.engine({
    ...people,
    send,
    record,
    keepSecret: (value) => Promise.resolve(exchanges.keepSecret?.(value)),
    now,
    store: credentials.store,
  });
  const authorization = createAuthorization({
    credentials,
    engine,
    newChain: options.newId,
    now,
    began: asks.began,
    ended: asks.ended,
  });

  async function goOnLater(owner: Pick<ChainOwner, 'connectionId' | 'serverUrl'>): Promise<void> {
    const { connectionId, serverUrl } = owner;
    const attempt = await credentials.store.attempt(serverUrl);
    if (attempt === undefined) return;
    const { chain, step } = attempt;
    const { recorder } = exchanges;
    recorder.record({ kind: 'auth-consent', chain, step, state: 'interrupted' }, connectionId);
    try {
      await asks.interrupted(chain, { ...owner, isForPeople: true });
    } catch (error) {
      await credentials.store.dropAttempt(serverUrl);
      const problem = toProblem(error);
      recorder.record({ kind: 'auth-ended', chain, outcome: 'failed', problem }, connectionId);
      throw error;
    }
    await authorization.goOn(owner);
  }

  return {
    ...authorization,
    credentials,
    redirectUri: people.redirectUri,
    takeUp(owner) {
      const { serverUrl } = owner;
      const under = takenUp.get(serverUrl) ?? goOnLater(owner);
      takenUp.set(serverUrl, under);
      return under.finally(() => takenUp.delete(serverUrl));
    },
  };
}
