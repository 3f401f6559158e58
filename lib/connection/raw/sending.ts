import type { SendFunctions } from '../../port/send-contract.ts';
import { ExchangeAbort } from '../../transport/exchange/exchange.ts';
import { openExchange } from '../../transport/exchange/open-exchange.ts';
import { late } from '../late.ts';
import type { createRawSender, RawParts } from './raw-send.ts';
import { timeLimit } from '../time-limit.ts';

export interface SendingParts extends Omit<RawParts, 'openExchange' | 'timeLimit' | 'stopped'> {
  loadRaw(): Promise<typeof createRawSender>;
}

/** What the user sends: requests of a connection, and what he has written to the letter. */
export interface Sending {
  /** Something written to the letter is under way. */
  readonly isBusy: boolean;
  functions: SendFunctions;
}

/** The calls by which pages have something sent. */
export function createSending({ loadRaw, ...parts }: SendingParts): Sending {
  const raw = late(loadRaw, {
    ...parts,
    openExchange,
    timeLimit,
    stopped: () => new ExchangeAbort('user', { code: 'aborted', message: 'Stopped by the user.' }),
  });
  return {
    get isBusy() {
      return raw.made?.isBusy ?? false;
    },
    functions: {
      async send(connectionId, method, paramsText, { replayOf, ...own } = {}) {
        const links = replayOf === undefined ? {} : { replayOf };
        return parts.live(connectionId).send({ method, paramsText, ...own }, links);
      },
      sendRaw: (message, options) => raw.use((sender) => sender.sendRaw(message, options)),
      stopRaw: async (carrierId) => raw.made?.stopRaw(carrierId),
    },
  };
}
