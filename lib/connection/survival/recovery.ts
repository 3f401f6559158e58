import { delay } from '../../delay.ts';
import { AppError, isAboutAccess, type Problem } from '../../errors.ts';
import type { Reconnection } from '../../capture/store/stored-profile.ts';
import type { CloseCause, WireFact } from '../../capture/wire-event.ts';
import type { Network } from '../../transport/network.ts';
import { backoffMs } from '../../transport/http/reconnect.ts';
import type { SummaryKeeper } from '../summary.ts';

/** A channel that lives this long is no reason for haste, in milliseconds. */
const HEALTHY_MS = 10_000;

export interface RecoveryContext {
  connectionId: string;
  url: string;
  reconnection: Reconnection;
  network: Network | undefined;
  /** Ends with the context. */
  signal: AbortSignal;
  summary: SummaryKeeper;
  lose(problem: Problem): void;
  fail(error: AppError): void;
  close(cause: CloseCause, terminate: boolean): Promise<void>;
  record(fact: WireFact): void;
  /** The server's own delay for reconnecting, where its stream has named one. */
  retryMs(): number | undefined;
  /** Fails every open request with this problem. */
  abortRequests(problem: Problem): void;
  /** Opens the channel again and shakes hands; resolves with whether that worked. */
  startAnew(cause: string): Promise<boolean>;
  /** Remembers what is listened to; the result listens to it again. */
  keepSubscriptions(): () => void;
}

export interface Recovery {
  /** Takes the loss of the channel; `mayReconnect` is false where trying again would be wrong. */
  lost(problem: Problem, mayReconnect: boolean): Promise<void>;
  /** Tries again until the handshake works, or the connection has failed; resolves with whether it worked. */
  again(problem: Problem): Promise<boolean>;
}

/**
 * What to do when the one channel of a transport is gone: open requests fail, and a new handshake has to be
 * made, after a delay and as often as the profile allows: never earlier than the server asks for, and ever later
 * where the channel is lost again at once. Without a network no attempt is wasted.
 */
export function createRecovery(context: RecoveryContext): Recovery {
  const { summary, reconnection, connectionId, record, network, url, signal } = context;
  const carrierId = connectionId;
  let isRecovering = false;
  let upSince = -Infinity;
  /** How often in a row the channel was lost soon after it had been won back. */
  let hurried = 0;

  async function again(problem: Problem): Promise<boolean> {
    if (isRecovering) return false;
    isRecovering = true;
    try {
      return await reconnect(problem);
    } finally {
      isRecovering = false;
    }
  }

  async function reconnect(problem: Problem): Promise<boolean> {
    let attempt = 1;
    hurried = performance.now() - upSince < HEALTHY_MS ? hurried + 1 : 0;
    while (attempt <= reconnection.retries) {
      const ownMs = backoffMs(reconnection, attempt + hurried);
      const delayMs = Math.max(ownMs, context.retryMs() ?? 0);
      const askedBy = delayMs > ownMs ? 'server' : 'backoff';
      record({ kind: 'retry-scheduled', carrierId, delayMs, askedBy });
      try {
        await delay(delayMs, signal);
        await network?.online(url, signal, () => record({ kind: 'retry-held', carrierId }));
      } catch {
        return false;
      }
      if (await context.startAnew(problem.message)) {
        upSince = performance.now();
        return true;
      }
      // Nobody is asked a second time by a timer.
      if (isAboutAccess(summary.current.problem ?? problem)) break;
      if (network?.isOffline(url) !== true) attempt += 1;
    }
    context.fail(new AppError(summary.current.problem ?? problem));
    return false;
  }

  return {
    again,
    async lost(problem, mayReconnect) {
      const { state } = summary.current;
      const listenAgain = context.keepSubscriptions();
      context.abortRequests(problem);
      // A handshake fails by itself then, be it the first one or one of ours.
      if (isRecovering || (state !== 'connected' && state !== 'lost')) return;
      // The server ended it in order.
      if (problem.code === 'socket-ended') return context.close('server', false);
      record({ kind: 'connection-state', state: 'lost', cause: problem.message });
      context.lose(problem);
      if (!mayReconnect) return context.fail(new AppError(problem));
      if (await again(problem)) listenAgain();
    },
  };
}
