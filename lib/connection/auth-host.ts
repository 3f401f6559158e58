import { AppError } from '../errors.ts';
import type { WireFact } from '../capture/wire-event.ts';
import type { AuthDoors, AuthExchange, AuthReply } from '../auth/auth-doors.ts';
import { createAuthorization, type Authorization } from '../auth/authorization.ts';
import type { Credentials } from '../auth/credentials.ts';
import type { AuthEngine } from '../auth/engine.ts';
import { openExchange, type ExchangeContext } from '../transport/exchange.ts';
import { createCollector } from '../transport/reply-body.ts';
import { createTokenSieve, LONGEST_TOKEN_BODY } from '../transport/token-sieve.ts';
import { timeLimit } from './time-limit.ts';

/** How long one place may take to say whether it has metadata, in milliseconds. */
const DISCOVERY_MS = 10_000;
/** How long an authorization server may take for what it has to work for, in milliseconds. */
const TOKEN_MS = 30_000;

export interface AuthHostOptions {
  /** What the exchanges of chains go through; the connection is that of the chain. */
  exchanges: Omit<ExchangeContext, 'connectionId' | 'authorizer'>;
  credentials: Credentials;
  /** Where the user is asked. */
  people: Pick<AuthDoors, 'consent' | 'redirectUri' | 'permission' | 'decide'>;
  /** The engine over these doors: in this process, or behind a port. */
  engine(doors: AuthDoors): AuthEngine;
  newId(): string;
  now(): number;
  exchangeMs?: number;
}

/** Authorization, with an engine that reaches the network and the log through the connection that needs it. */
export function createAuthHost(options: AuthHostOptions): Authorization {
  const { exchanges, credentials, people, now } = options;
  const connectionOf = new Map<string, string>();

  function record(chain: string, fact: WireFact): void {
    exchanges.recorder.record(fact, connectionOf.get(chain));
    if (fact.kind === 'auth-ended') connectionOf.delete(chain);
  }

  async function send(exchange: AuthExchange): Promise<AuthReply> {
    const { purpose, method, url, headers, body, chain, step } = exchange;
    const waitMs = options.exchangeMs ?? (purpose === 'discovery' ? DISCOVERY_MS : TOKEN_MS);
    const limit = timeLimit(waitMs, `${url} did not answer within ${waitMs / 1000} s.`);
    try {
      const opened = await openExchange(
        { ...exchanges, connectionId: connectionOf.get(chain) ?? '' },
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
  return createAuthorization({
    credentials,
    engine,
    newChain: options.newId,
    now,
    began: (chain, connectionId) => void connectionOf.set(chain, connectionId),
  });
}
