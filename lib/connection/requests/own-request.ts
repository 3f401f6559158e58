import type { RpcId } from '../../capture/correlate/items.ts';
import type { Message } from '../../protocol/jsonrpc.ts';
import type { Deadline } from './deadline.ts';

export type Response = Message & { kind: 'result' | 'error' };

/** What of a request outlives its sending. */
export interface Asked {
  /** JSON text of its id. */
  rpcId: RpcId;
  method: string;
  /** Of a subscription, which can be made again. */
  paramsText?: string | undefined;
  /** As JSON text. */
  progressToken?: string | undefined;
  /** What carries it; of one that goes on, what carried it in an earlier life of the worker. */
  carrierId?: string | undefined;
}

/** A request of ours while it waits for its response, or anything of it is under way. */
export class OwnRequest {
  readonly rpcId: RpcId;
  readonly method: string;
  readonly paramsText: string | undefined;
  readonly progressToken: string | undefined;
  /** Given up without a word to the server. */
  readonly isQuiet: boolean;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: unknown) => void;
  /** Ends what carries it. */
  readonly controller = new AbortController();
  /** Whether what carried it is over: no response comes that way any more. */
  isOver = false;
  carrierId: string | undefined;
  hasStarted = false;
  readonly deadlines: Deadline[] = [];

  constructor(
    { rpcId, method, paramsText, progressToken, carrierId }: Asked,
    isQuiet: boolean,
    resolve: (response: Response) => void,
    reject: (error: unknown) => void,
  ) {
    this.rpcId = rpcId;
    this.method = method;
    this.paramsText = paramsText;
    this.progressToken = progressToken;
    this.carrierId = carrierId;
    this.isQuiet = isQuiet;
    this.resolve = resolve;
    this.reject = reject;
  }
}
