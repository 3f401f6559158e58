import type { RequestItem } from './items.ts';
import { askedBy, echoedBy } from './message-details.ts';
import type { RequestLinks, WireEvent } from '../wire-event.ts';

/** A call that the server answers with questions before it goes on: "Multi Round-Trip Requests" of 2026-07-28. */
export interface Chain {
  first: RequestItem;
  /** The rounds after the first, in order; a repeat of one has the number of that one. */
  later: RequestItem[];
  /** What its last round asks has not been answered yet, and may still be. */
  isWaiting: boolean;
}

/** The round that decides what became of a call. */
export function lastRound({ first, later }: Chain): RequestItem {
  return later.at(-1) ?? first;
}

/** Which requests are rounds of one call. */
export interface Rounds {
  /** By `key` of the first round. */
  readonly chains: ReadonlyMap<string, Chain>;
  /** Takes note of a request of ours; it may be a later round. */
  begin(item: RequestItem, params: unknown, links: RequestLinks | undefined): void;
  /** Takes note of the result of a request. */
  take(item: RequestItem, result: unknown): void;
  /** With a connection, or a life of the worker, ends also the waiting for answers. */
  heed(event: WireEvent): void;
}

interface Asked {
  chain: Chain;
  keys: string[];
  requestState: unknown;
}

/** Follows calls over their rounds; `requestOf` finds what an exchange carries. */
export function createRounds(
  requestOf: (httpId: string) => RequestItem | undefined,
  changed: (item: RequestItem) => void,
): Rounds {
  const chains = new Map<string, Chain>();
  const waiting = new Map<Chain, Asked>();

  function chainOf(item: RequestItem): Chain {
    const key = item.round?.first ?? item.key;
    const chain = chains.get(key) ?? { first: item, later: [], isWaiting: false };
    chains.set(key, chain);
    return chain;
  }

  function join(chain: Chain, item: RequestItem, number: number): void {
    stopWaiting(chain);
    item.round = { first: chain.first.key, number };
    chain.later.push(item);
  }

  function stopWaiting(chain: Chain): void {
    waiting.delete(chain);
    chain.isWaiting = false;
    // Of a later round, the first one changes with it.
    changed(lastRound(chain));
  }

  /** Without links, as on a socket, only what is echoed tells; two that could be meant are one too many. */
  function findWaiting(item: RequestItem, params: unknown): Chain | undefined {
    const echoed = echoedBy(params);
    if (echoed === undefined) return undefined;
    const found = [...waiting.values()].filter(
      ({ chain, keys, requestState }) =>
        chain.first.connectionId === item.connectionId &&
        chain.first.method === item.method &&
        chain.first.target === item.target &&
        requestState === echoed.requestState &&
        (requestState !== undefined || keys.length === echoed.keys.length) &&
        echoed.keys.every((key) => keys.includes(key)),
    );
    return found.length === 1 ? found[0]?.chain : undefined;
  }

  return {
    chains,
    begin(item, params, links) {
      if (item.direction === 'incoming') return;
      const before = links?.retryOf === undefined ? undefined : requestOf(links.retryOf);
      if (links?.retryOf !== undefined) {
        if (before === undefined) return;
        const number = before.round?.number ?? 1;
        if (links.reason === 'input-required') join(chainOf(before), item, number + 1);
        // A round that had to be repeated for another reason stays the same round.
        else if (before.round !== undefined) join(chainOf(before), item, number);
        return;
      }
      const chain = findWaiting(item, params);
      if (chain !== undefined) join(chain, item, (lastRound(chain).round?.number ?? 1) + 1);
    },
    take(item, result) {
      const asked = item.direction === 'outgoing' ? askedBy(result) : undefined;
      if (asked === undefined) return;
      const chain = chainOf(item);
      chain.isWaiting = true;
      waiting.set(chain, { chain, ...asked });
    },
    heed(event) {
      if (event.kind === 'server-request-answered' && event.refused === true) {
        const asked = requestOf(event.carrierId);
        for (const chain of waiting.keys()) if (lastRound(chain) === asked) stopWaiting(chain);
        return;
      }
      if (!ENDS.has(event.kind)) return;
      for (const chain of waiting.keys()) {
        const { connectionId, started } = lastRound(chain);
        const isOver =
          event.kind === 'worker-started'
            ? started.bootId !== event.bootId
            : connectionId === event.connectionId;
        if (isOver) stopWaiting(chain);
      }
    },
  };
}

const ENDS = new Set<WireEvent['kind']>([
  'connection-closed',
  'connection-failed',
  'worker-started',
]);
