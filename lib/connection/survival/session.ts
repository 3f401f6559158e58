import { toProblem, type Problem } from '../../errors.ts';
import type { RequestLinks, WireFact } from '../../capture/wire-event.ts';
import { mayRepeat } from '../../protocol/methods.ts';
import { ExchangeAbort } from '../../transport/exchange/exchange.ts';
import type { StreamPosition } from '../../transport/transport.ts';
import type { Calls } from '../requests/calls.ts';
import type { Health } from './health.ts';
import type { Links } from '../links.ts';
import type { Renewal } from './renewal.ts';
import type { Requests } from '../requests/requests.ts';
import type { Call } from '../questions/rounds.ts';
import type { ServerRequests } from '../questions/server-requests.ts';

export interface SessionContext {
  links: Links;
  calls: Calls;
  requests: Requests;
  serverRequests: ServerRequests;
  health: Health;
  renewal: Renewal;
  /** Whether a session that the server has forgotten is replaced. */
  renews: boolean;
  record(fact: WireFact): void;
}

/** What hangs on a session of the legacy eras, and ends with it. */
export interface Session {
  /** Keeps the optional stream open. No outcome of it ends the connection; its rows tell how it went. */
  listen(from?: Partial<StreamPosition>): Promise<void>;
  /** The stream could not be kept open; new circumstances are a reason to listen again. */
  readonly hasGivenUp: boolean;
  /** After the server has forgotten the session: at most one repeat, and only of what reads. */
  repeat(
    call: Call,
    links: RequestLinks,
    session: string | undefined,
    problem: Problem,
  ): Promise<void>;
  ended(cause: string): void;
  /** Stops listening. */
  abort(abort: ExchangeAbort): void;
}

/** Keeps the session of a connection, and its standalone stream once that is listened to. */
export function createSession(context: SessionContext): Session {
  const { links, calls, requests, serverRequests, health, renewal } = context;
  let listening = new AbortController();
  let hasGivenUp = false;

  return {
    get hasGivenUp() {
      return hasGivenUp;
    },
    async listen(from) {
      listening = new AbortController();
      hasGivenUp = false;
      const { transport } = links.current;
      const session = transport.sessionId;
      try {
        const status = await transport.listen(listening.signal, from);
        hasGivenUp = status === 'given-up';
        // A 404 with a session may mean that the session is gone, or only that there is no stream.
        if (status === 404 && session !== undefined)
          await calls.call({ method: 'ping', paramsText: undefined }, {});
      } catch (error) {
        if (toProblem(error).code === 'http-session-ended') await renewal.renew(session);
      }
    },
    async repeat(call, requestLinks, session, problem) {
      if (!context.renews) return health.doubt(problem);
      if (!(await renewal.renew(session)) || !mayRepeat(call.method)) return;
      try {
        await calls.call(call, { ...requestLinks, attempt: 2, reason: 'session' });
      } catch (error) {
        health.doubt(toProblem(error));
      }
    },
    ended(cause) {
      const { kind } = links.current.transport;
      if (kind !== 'websocket') context.record({ kind: 'session-ended', cause });
      const abort = new ExchangeAbort('close', { code: 'aborted', message: cause });
      listening.abort(abort);
      // Where all comes over one stream, nothing more comes for what was asked over it.
      if (kind === 'http-sse') requests.abortAll(abort);
      serverRequests.clear();
    },
    abort: (abort) => listening.abort(abort),
  };
}
