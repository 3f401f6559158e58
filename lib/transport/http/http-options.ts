import type { Reconnection } from '../../capture/store/stored-profile.ts';
import type { Header } from '../../capture/store/stored-text.ts';
import type { ExchangeContext } from '../exchange/exchange.ts';
import type { TransportEvents } from '../transport.ts';

/** What every transport over HTTP is given. */
export interface HttpTransportOptions extends ExchangeContext {
  url: string;
  /** Headers of the profile, computed for each request. */
  headers(): Header[];
  /** `Origin` that our requests carry, for the wording of a refusal. */
  sentOrigin?: string;
  /** Limit on one SSE event and one JSON body, in bytes. */
  limitBytes: number;
  reconnection: Reconnection;
  events: TransportEvents;
}
