import type { Header } from '../../capture/store/stored-text.ts';
import type { RequestLinks } from '../../capture/wire-event.ts';
import type { HttpCall, HttpHead } from './http-door.ts';

/** What authorizes the requests of one connection. */
export interface Authorizer {
  /** Headers for one request, read anew for each; none while there is no token. */
  headers(call: Pick<HttpCall, 'method' | 'url'>): Header[] | Promise<Header[]>;
  /**
   * An answer asks for authorization. Resolves with the links of the one repeat that is due, or with
   * `undefined` where the answer stands; rejects with an `AppError` where authorization was tried in vain.
   */
  challenged(answer: Challenged): Promise<RequestLinks | undefined>;
  /** Sees the head of every answer, for what servers hand out with it. */
  heard?(url: string, head: HttpHead): void;
}

/** An answer that asks for authorization. */
export interface Challenged {
  httpId: string;
  url: string;
  head: HttpHead;
  /** As sent, credentials included. */
  headers: readonly Header[];
  /** Whether its request is a repeat that was authorized already: there will be no other one. */
  isRepeat: boolean;
  /** A fault that was put in on purpose: the server itself has asked for nothing. */
  isInjected: boolean;
  signal: AbortSignal;
}
