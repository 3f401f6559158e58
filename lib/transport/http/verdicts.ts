import type { Problem } from '../../errors.ts';
import { diagnoseHead, type Expectation } from '../../protocol/diagnose.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { readExcerpt, replyFacts } from '../exchange/reply-body.ts';

/** A verdict waits this long for the reason that a body of no further use may hold, in milliseconds. */
const PATIENCE_MS = 500;

/** What an exchange was sent for, as far as its verdict needs it. */
export interface Judged {
  expects: Expectation;
  rpcMethod?: string;
}

/** Judges answers by their heads, and sees to the bodies that nobody needs. */
export interface Verdicts {
  /** Whether an answer is acceptable, which its head alone decides. */
  accepts(exchange: Exchange, expects: Expectation): boolean;
  /**
   * Says why an answer is not acceptable; the body of one that is stays unread. `read` is given the text of
   * one that is not, for which there is more patience, since it may be the response itself.
   */
  judge(
    exchange: Exchange,
    judged: Judged,
    read?: (text: string) => void,
  ): Promise<Problem | undefined>;
  /** Reads a body that is of no interest, or as much as it takes to know that; nobody waits for it. */
  dispose(exchange: Exchange): void;
  /** Gives up every body that is still being read. */
  close(): void;
}

/**
 * The verdicts of one connection; `hasSession` tells whether a request named a session. No body, however slow,
 * holds up what its status decides.
 */
export function createVerdicts(
  { sentOrigin }: { sentOrigin?: string },
  hasSession: (exchange: Exchange) => boolean,
): Verdicts {
  const unread = new Set<Exchange>();

  function readWhole(exchange: Exchange): Promise<string> {
    unread.add(exchange);
    return readExcerpt(exchange).finally(() => unread.delete(exchange));
  }

  function read(exchange: Exchange): Promise<string> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve(''), PATIENCE_MS);
    });
    const whole = readWhole(exchange).finally(() => clearTimeout(timer));
    return Promise.race([whole, late]);
  }

  function accepts({ head, mediaType }: Exchange, expects: Expectation): boolean {
    const { status } = head;
    const unsaid = { url: '', statusText: '', sentSession: false };
    return diagnoseHead({ ...unsaid, expects, status, contentType: mediaType }) === undefined;
  }

  return {
    accepts,
    async judge(exchange, judged, take) {
      if (accepts(exchange, judged.expects)) return undefined;
      const sent = {
        ...judged,
        url: exchange.request.url,
        sentSession: hasSession(exchange),
        ...(sentOrigin === undefined ? {} : { sentOrigin }),
      };
      const text = await (take === undefined ? read(exchange) : readWhole(exchange));
      take?.(text);
      return diagnoseHead(replyFacts(exchange, sent, text));
    },
    dispose: (exchange) => void read(exchange),
    close() {
      for (const exchange of unread) exchange.stop('close');
    },
  };
}
