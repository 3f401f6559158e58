import { AppError, type Problem } from '../errors.ts';
import type { Reconnection } from '../capture/stored-profile.ts';
import type { CloseCause, WireFact } from '../capture/wire-event.ts';
import type { ConnectionSummary } from '../port/contract.ts';
import { backoffMs, delay } from '../transport/reconnect.ts';

/** What a recovery does to its connection. */
interface Recoverable {
  readonly summary: ConnectionSummary;
  lose(problem: Problem): void;
  fail(error: AppError): void;
  close(cause: CloseCause, terminate: boolean): Promise<void>;
}

export interface RecoveryContext {
  connectionId: string;
  reconnection: Reconnection;
  /** Ends with the connection. */
  signal: AbortSignal;
  connection: Recoverable;
  record(fact: WireFact): void;
  /** Fails every open request with this problem. */
  abortRequests(problem: Problem): void;
  /** Opens the channel again and shakes hands; resolves with whether that worked. */
  startAnew(cause: string): Promise<boolean>;
}

/** Takes the loss of the channel; `mayReconnect` is false where trying again would be wrong. */
export type Recover = (problem: Problem, mayReconnect: boolean) => Promise<void>;

/**
 * What to do when the one channel of a transport is gone: open requests fail, and a new handshake has to be
 * made, after a delay and as often as the profile allows.
 */
export function createRecovery(context: RecoveryContext): Recover {
  const { connection, reconnection, connectionId, record } = context;
  let isRecovering = false;

  async function reconnect(problem: Problem): Promise<void> {
    for (let attempt = 1; attempt <= reconnection.retries; attempt += 1) {
      const delayMs = backoffMs(reconnection, attempt);
      record({ kind: 'retry-scheduled', carrierId: connectionId, delayMs, askedBy: 'backoff' });
      try {
        await delay(delayMs, context.signal);
      } catch {
        return;
      }
      if (await context.startAnew(problem.message)) return;
    }
    connection.fail(new AppError(connection.summary.problem ?? problem));
  }

  return async (problem, mayReconnect) => {
    const { state } = connection.summary;
    context.abortRequests(problem);
    // A handshake fails by itself then, be it the first one or one of ours.
    if (isRecovering || (state !== 'connected' && state !== 'lost')) return;
    // The server ended it in order.
    if (problem.code === 'socket-ended') return connection.close('server', false);
    record({ kind: 'connection-state', state: 'lost', cause: problem.message });
    connection.lose(problem);
    if (!mayReconnect) return connection.fail(new AppError(problem));
    isRecovering = true;
    try {
      await reconnect(problem);
    } finally {
      isRecovering = false;
    }
  };
}
