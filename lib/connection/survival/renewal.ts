import { toProblem, type Problem } from '../../errors.ts';
import type { Transport } from '../../transport/transport.ts';

export interface Renewal {
  /**
   * Starts a new session in place of the one that has ended; whoever comes late finds it done. Resolves with
   * whether there is a session to go on in.
   */
  renew(ended: string | undefined): Promise<boolean>;
  /** Forgets the session and shakes hands again. */
  startAnew(cause: string): Promise<boolean>;
  /** Whether a handshake is under way. */
  readonly isUnderWay: boolean;
  /** Resolves when no handshake is under way, however the last one ended. */
  settled(): Promise<unknown>;
}

export interface RenewalContext {
  transport(): Transport;
  /** Ends with the connection. */
  signal: AbortSignal;
  ended(cause: string): void;
  establish(): Promise<void>;
  failed(problem: Problem): void;
}

/** One new session at a time, however many requests were refused for the old one ("Session Management" 4). */
export function createRenewal(context: RenewalContext): Renewal {
  const { signal } = context;
  let renewing: Promise<boolean> | undefined;
  let handshake: Promise<boolean> | undefined;
  let underWay = 0;

  function startAnew(cause: string): Promise<boolean> {
    underWay += 1;
    handshake = shakeHands(cause).finally(() => (underWay -= 1));
    return handshake;
  }

  async function shakeHands(cause: string): Promise<boolean> {
    if (signal.aborted) return false;
    context.ended(cause);
    const transport = context.transport();
    transport.sessionId = undefined;
    transport.protocolVersion = undefined;
    try {
      await context.establish();
      return true;
    } catch (error) {
      context.failed(toProblem(error));
      return false;
    }
  }

  return {
    startAnew,
    get isUnderWay() {
      return underWay > 0;
    },
    settled: () => Promise.resolve(handshake),
    renew(ended) {
      if (renewing !== undefined) return renewing;
      if (context.transport().sessionId !== ended) return Promise.resolve(true);
      renewing = startAnew('The server answered 404.').finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
  };
}
