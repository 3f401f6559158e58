import type { AppError, Problem } from '../../errors.ts';
import type { CloseCause } from '../../capture/wire-event.ts';
import { ExchangeAbort } from '../../transport/exchange/exchange.ts';
import type { Network } from '../../transport/network.ts';
import { shownOf, type ConnectionCheckpoint } from './checkpoint.ts';
import { createLinkProbe, type ProbeLink } from './link-probe.ts';
import { createRecovery } from './recovery.ts';
import { revive, type ReviveContext } from './revive.ts';
import { isSubscription, subscribeAgain } from './subscribe-again.ts';
import type { SummaryKeeper } from '../summary.ts';

export interface CareParts extends Omit<ReviveContext, 'again' | 'problem'> {
  connectionId: string;
  network: Network | undefined;
  /** Ends with the connection. */
  signal: AbortSignal;
  summary: SummaryKeeper;
  lose(problem: Problem): void;
  fail(error: AppError): void;
  close(cause: CloseCause, terminate: boolean): Promise<void>;
}

/** What keeps a connection going through losses, doubts, and the death of the worker. */
export interface Care {
  /** Takes the loss of the one channel of a transport. */
  lost(problem: Problem, mayReconnect: boolean): void;
  probe: ProbeLink;
  /** Goes on where an earlier life of the worker was cut off. */
  revive(checkpoint: ConnectionCheckpoint, awayMs: number): Promise<void>;
  /** As long as not all is taken up, a later life has to begin with the same again. */
  complete(now: ConnectionCheckpoint | undefined): ConnectionCheckpoint | undefined;
}

/** Recovery, probing and revival of one connection. */
export function createCare(parts: CareParts): Care {
  const { profile, requests, calls, renewal, summary } = parts;
  let reviving: ConnectionCheckpoint | undefined;

  const recovery = createRecovery({
    ...parts,
    url: profile.url,
    reconnection: profile.reconnection,
    abortRequests: (problem) => requests.abortAll(new ExchangeAbort('close', problem)),
    startAnew: renewal.startAnew,
    retryMs: () => parts.links.current.transport.retryMs,
    keepSubscriptions() {
      const kept = requests.open().filter(isSubscription);
      return () => subscribeAgain(calls, kept, 'reopen');
    },
  });
  const probe = createLinkProbe({
    ...parts,
    lost: (problem) => void recovery.lost(problem, true),
  });

  return {
    lost: (problem, mayReconnect) => void recovery.lost(problem, mayReconnect),
    probe,
    async revive(checkpoint, awayMs) {
      const { problem } = checkpoint;
      summary.update(shownOf(checkpoint));
      summary.setState('connected');
      if (problem !== undefined) parts.lose(problem);
      reviving = checkpoint;
      const revived = { ...parts, again: recovery.again, problem: () => summary.current.problem };
      await revive(revived, checkpoint, awayMs);
      reviving = undefined;
      // What was lost before may be there again.
      if (summary.current.state === 'lost') await probe('restart');
    },
    complete(now) {
      if (now === undefined || reviving === undefined) return now;
      return { ...reviving, nextId: now.nextId };
    },
  };
}
