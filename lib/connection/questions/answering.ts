import type { RpcId } from '../../capture/correlate/items.ts';
import type { WireFact } from '../../capture/wire-event.ts';
import type { Links } from '../links.ts';
import type { RoundsContext } from './rounds.ts';
import type { ServerRequests } from './server-requests.ts';

type By = 'policy' | 'user';

type Ask = RoundsContext['ask'];

export interface Answering {
  /** Sends an answer to a request of the server. */
  send(text: string, asked: { id: RpcId; method: string }, by: By): void;
  /** Notes who answered what a result asked for, or refused to. */
  note(carrierId: string, rpcId: string, by: By, isRefused: boolean): void;
  /** A way to get answers from there to what results and tasks ask for. */
  through(serverRequests: Pick<ServerRequests, 'ask'>): Ask;
}

/** Answers of ours, with who gave them in the log. */
export function createAnswering(
  links: Pick<Links, 'current'>,
  signal: AbortSignal,
  record: (fact: WireFact) => void,
  sent: () => void,
): Answering {
  function note(carrierId: string, rpcId: string, by: By, isRefused: boolean): void {
    const fact = { kind: 'server-request-answered', carrierId, rpcId, by } as const;
    record(isRefused ? { ...fact, refused: true } : fact);
  }

  return {
    note,
    through: (serverRequests) => (asked, askedBy, carrierId, until) =>
      serverRequests.ask({
        requests: asked.requests,
        askedBy,
        answered: (key, by, isRefused) => note(carrierId, key, by, isRefused),
        ...(until === undefined ? {} : { until }),
      }),
    send(text, { id, method }, by) {
      sent();
      links.current.transport
        .send({
          text,
          kind: 'response',
          method,
          signal,
          started: (carrierId) => note(carrierId, id, by, false),
        })
        // A refused answer is noted on its row; it ends nothing.
        .catch(() => undefined);
    },
  };
}
