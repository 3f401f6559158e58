import { BriefMap } from '../../brief-map.ts';
import { AppError } from '../../errors.ts';
import type { RpcId } from '../../capture/correlate/items.ts';
import type { Recorder } from '../../capture/recorder.ts';
import type { DeadlineKind, RequestLinks } from '../../capture/wire-event.ts';
import { diagnoseBody } from '../../protocol/diagnose.ts';
import { diagnoseOtherAnswer, diagnoseSilence } from '../../protocol/diagnose-end.ts';
import { diagnoseSocketSilence } from '../../protocol/diagnose-socket.ts';
import { buildRequest, lookAlikes, responseId, type Payload } from '../../protocol/jsonrpc.ts';
import { toLine } from '../../text.ts';
import { ExchangeAbort } from '../../transport/exchange/exchange.ts';
import type { OutgoingMessage, ResumedMessage, StreamPosition } from '../../transport/transport.ts';
import type { OpenRequest } from '../survival/checkpoint.ts';
import type { Link, WriteRequest } from '../link.ts';
import { holdAll, startDeadline } from './deadline.ts';
import { OwnRequest, type Asked, type Response } from './own-request.ts';
import { progressTokenIn } from './progress-token.ts';
import { tellCancelled } from './cancellation.ts';

export interface RequestOptions {
  /** Restarted by progress; absent where an answer is not due at any time. */
  idle?: { kind: 'connect' | 'idle'; durationMs: number };
  /** Never restarted. */
  hardLimitMs?: number;
  /** Given up without a word to the server. */
  isQuiet?: true;
  links?: RequestLinks;
  headers?: OutgoingMessage['ownHeaders'];
  /** Called once it is on its way, with its id and that of what carries it. */
  started?(sent: { rpcId: RpcId; carrierId: string }): void;
}

/** What waits on after a restart waits as long as anything may. */
const RESUMED: RequestOptions = {
  idle: { kind: 'idle', durationMs: 60_000 },
  hardLimitMs: 10 * 60_000,
};

/** Our open requests on one connection: ids, deadlines, cancellation. */
export interface Requests {
  /** Resolves with the response; rejects with an `AppError` when there will be none. */
  send(method: string, paramsText: string | undefined, options: RequestOptions): Promise<Response>;
  /** Takes a response that arrived; false where no open request has its id. */
  respond(response: Response, replyTo: RpcId | undefined): boolean;
  /** Takes what was meant as a response but is none: its request fails. */
  refuse(payload: Payload & { kind: 'not-rpc' }, replyTo: RpcId | undefined): void;
  progress(token: string): void;
  /** The server ends a subscription, which it may do without a result (2026-07-28, basic/patterns). */
  endSubscription(rpcId: RpcId): void;
  cancel(rpcId: RpcId): void;
  /** The id that the next request gets. */
  readonly nextId: number;
  /** Takes up the count of an earlier life of the worker. */
  continueFrom(id: number): void;
  /** The requests that wait for a response; `positions` tells where their streams are. */
  open(positions?: ReadonlyMap<RpcId, StreamPosition>): OpenRequest[];
  /** Waits on for the response to a request that an earlier life has sent, with the same limits. */
  resume(
    request: OpenRequest,
    go: (message: ResumedMessage) => Promise<void> | undefined,
  ): Promise<Response>;
  /** Ends everything that is under way, and tells the server nothing. */
  abortAll(abort: ExchangeAbort): void;
}

/** Bookkeeping for the requests of one connection over its transport. */
export function createRequests(
  connectionId: string,
  recorder: Pick<Recorder, 'record'>,
  link: () => Link,
  write: WriteRequest,
): Requests {
  const pending = new BriefMap<RpcId, OwnRequest>();
  /** All that is under way: a stream may stay open after the response that it brought. */
  const underWay = new BriefMap<AbortController, AbortController>();
  let nextId = 0;

  function send(
    method: string,
    paramsText: string | undefined,
    options: RequestOptions,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      const id = nextId;
      nextId += 1;
      const { transport, era } = link();
      const written = write(era, method, paramsText);
      const asked: Asked = {
        rpcId: String(id),
        method,
        progressToken: progressTokenIn(paramsText),
      };
      if (method === 'subscriptions/listen') asked.paramsText = paramsText;
      const request = new OwnRequest(asked, options.isQuiet === true, resolve, reject);
      const text = buildRequest(id, method, written.paramsText);
      const message: OutgoingMessage = { ...enter(request, options), kind: 'request', text };
      if (written.headers !== undefined) message.headers = written.headers;
      if (options.links !== undefined) message.links = options.links;
      if (options.headers !== undefined) message.ownHeaders = options.headers;
      follow(request, transport.send(message));
    });
  }

  /** From now on its response is waited for; returns what its transport has to know. */
  function enter(request: OwnRequest, options: RequestOptions): ResumedMessage {
    const { rpcId, method, controller } = request;
    pending.set(rpcId, request);
    underWay.set(controller, controller);
    return {
      method,
      rpcId,
      signal: controller.signal,
      started: (carrierId) => begin(request, carrierId, options),
      held: (isHeld) => holdAll(request.deadlines, isHeld),
    };
  }

  /** `carried` settles when what carries the request is over. */
  function follow(request: OwnRequest, carried: Promise<void>): void {
    carried.then(
      () => over(request),
      (error: unknown) => {
        request.isOver = true;
        refuse(request, error);
        underWay.delete(request.controller);
      },
    );
  }

  function settle(request: OwnRequest, response: Response): void {
    if (leave(request)) request.resolve(response);
  }

  function refuse(request: OwnRequest, error: unknown): void {
    if (leave(request)) request.reject(error);
  }

  function leave(request: OwnRequest): boolean {
    if (pending.get(request.rpcId) !== request) return false;
    pending.delete(request.rpcId);
    for (const deadline of request.deadlines) deadline.stop();
    if (request.isOver) underWay.delete(request.controller);
    return true;
  }

  /** A response settles first; what carried the request may live on long after it, and then fail unheard. */
  function over(request: OwnRequest): void {
    const { rpcId, controller } = request;
    request.isOver = true;
    if (pending.get(rpcId) !== request) underWay.delete(controller);
    else if (link().transport.kind === 'streamable-http') {
      refuse(request, new AppError(diagnoseOtherAnswer(request.method)));
    } else rejectWhenAborted(controller.signal, (reason) => refuse(request, reason));
  }

  function begin(request: OwnRequest, carrierId: string, options: RequestOptions): void {
    // A redirect starts it anew under the same limits.
    if (request.hasStarted) return;
    request.hasStarted = true;
    request.carrierId = carrierId;
    const { rpcId } = request;
    options.started?.({ rpcId, carrierId });
    const { idle, hardLimitMs } = options;
    if (idle !== undefined) limit(request, carrierId, idle.kind, idle.durationMs);
    if (hardLimitMs !== undefined) limit(request, carrierId, 'hard', hardLimitMs);
  }

  function limit(
    request: OwnRequest,
    carrierId: string,
    kind: DeadlineKind,
    durationMs: number,
  ): void {
    const limited = { carrierId, rpcId: request.rpcId, connectionId };
    const expired = () => expire(request, durationMs);
    request.deadlines.push(startDeadline(recorder, limited, kind, durationMs, expired));
  }

  function expire(request: OwnRequest, waitedMs: number): void {
    const { method } = request;
    const facts = { rpcMethod: method, waitedMs, headStatus: undefined, receivedBytes: 0 };
    const problem =
      link().transport.kind === 'streamable-http'
        ? diagnoseSilence(facts)
        : diagnoseSocketSilence(method, waitedMs);
    stop(request, new ExchangeAbort('deadline', problem, waitedMs));
  }

  /** Ends an exchange and tells the server, which is not to take a broken link for a cancellation. */
  function stop(request: OwnRequest, abort: ExchangeAbort): void {
    if (request.controller.signal.aborted) return;
    request.controller.abort(abort);
    // "The initialize request MUST NOT be cancelled by clients" (basic/utilities/cancellation). Nor does a
    // legacy server take a notification before it.
    const { rpcId, method } = request;
    if (method === 'initialize' || method === 'server/discover' || request.isQuiet) return;
    const { transport } = link();
    if (transport.cancelsByClosing !== true) tellCancelled(transport, rpcId, abort, underWay);
  }

  /** Where many share a channel, an id of the wrong type counts if only one request can be meant. */
  function alike({ id }: Response): OwnRequest | undefined {
    const found = (id === null ? [] : lookAlikes(id)).flatMap((other) => pending.get(other) ?? []);
    return found.length === 1 ? found[0] : undefined;
  }

  return {
    send,
    get nextId() {
      return nextId;
    },
    continueFrom(id) {
      nextId = Math.max(nextId, id);
    },
    open(positions) {
      return [...pending].flatMap(([rpcId, { method, carrierId, paramsText, progressToken }]) => {
        if (carrierId === undefined) return [];
        const position = positions?.get(rpcId);
        return {
          rpcId,
          method,
          carrierId,
          ...(position === undefined ? {} : { position }),
          ...(paramsText === undefined ? {} : { paramsText }),
          ...(progressToken === undefined ? {} : { progressToken }),
        };
      });
    },
    resume: (request, go) =>
      new Promise((resolve, reject) => {
        const resumed = new OwnRequest(request, false, resolve, reject);
        const message = enter(resumed, RESUMED);
        follow(resumed, (async () => go(message))());
      }),
    respond(response, replyTo) {
      const byId = response.id === null ? undefined : pending.get(response.id);
      // One request a POST: what comes there answers it, whatever id it carries.
      const request = byId ?? (replyTo === undefined ? alike(response) : pending.get(replyTo));
      if (request !== undefined) settle(request, response);
      return request !== undefined;
    },
    refuse({ reason, value }, replyTo) {
      const request = pending.get(responseId(value, replyTo) ?? '');
      if (request === undefined) return;
      const body = { kind: 'not-rpc', reason } as const;
      refuse(request, new AppError(diagnoseBody(body, request.method, toLine(value))));
    },
    progress(token) {
      for (const request of pending.values()) {
        if (request.progressToken === token) request.deadlines[0]?.extend();
      }
    },
    endSubscription(rpcId) {
      const request = pending.get(rpcId);
      if (request?.method !== 'subscriptions/listen') return;
      const message = 'The server ended the subscription.';
      refuse(request, new AppError({ code: 'aborted', message }));
    },
    cancel(rpcId) {
      const request = pending.get(rpcId);
      if (request === undefined) return;
      const message = `\`${request.method}\` was cancelled by the user.`;
      stop(request, new ExchangeAbort('user', { code: 'aborted', message }));
    },
    abortAll(abort) {
      for (const controller of underWay.values()) controller.abort(abort);
    },
  };
}

/** A message that was only accepted has nothing of its own that an abort could end. */
function rejectWhenAborted(signal: AbortSignal, reject: (reason: unknown) => void): void {
  if (signal.aborted) reject(signal.reason);
  else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
}
