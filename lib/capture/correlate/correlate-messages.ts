import { diagnoseBody } from '../../protocol/diagnose.ts';
import { diagnoseElsewhere } from '../../protocol/diagnose-end.ts';
import { lookAlikes, responseId, type Message, type Payload } from '../../protocol/jsonrpc.ts';
import { resultTypeOf } from '../../protocol/result-type.ts';
import { toLine } from '../../text.ts';
import { withdraw } from './correlate-questions.ts';
import type { Rounds } from './correlate-rounds.ts';
import { idKey, idSpace, momentOf, tokenKey, type PayloadSource } from './correlate-source.ts';
import { createSubscriptions, type Subscriptions } from './correlate-subscriptions.ts';
import type { Item, NotificationItem, RequestItem, RpcId, StrayItem } from './items.ts';
import {
  aboutTask,
  createdTask,
  errorText,
  metaToken,
  ownToken,
  summaryOf,
  targetOf,
  toolFailureOf,
} from './message-details.ts';

export interface MessageCorrelation {
  /** Finds or makes the items of a payload, and returns them: one, or one for each part of a batch. */
  place(payload: Payload, source: PayloadSource): Item[];
  /** Makes the row of an event that a resumed stream brought again. */
  repeat(source: PayloadSource, eventId: string): void;
  readonly subscriptions: Subscriptions['subscriptions'];
}

/** Matches JSON-RPC messages: ids live in a space per connection and direction, and keep their JSON type. */
export function createMessageCorrelation(
  add: (item: Item) => void,
  changed: (item: Item) => void,
  rounds: Rounds,
): MessageCorrelation {
  const subscriptions = createSubscriptions();
  const pending = new Map<string, RequestItem>();
  const tokens = new Map<string, RequestItem>();
  const tasks = new Set<string>();

  function place(
    payload: Payload,
    source: PayloadSource,
    key = `${source.event.sequence}`,
  ): Item[] {
    switch (payload.kind) {
      case 'message':
        return [placeMessage(payload.message, source, key)];
      case 'batch':
        return payload.items.flatMap((entry, index) => place(entry, source, `${key}.${index}`));
      case 'not-json':
        return [
          stray(source, key, 'not-json', {
            code: 'body-not-json',
            message: `Not valid JSON from byte ${payload.offset} on: ${payload.error}.`,
          }),
        ];
      case 'not-rpc':
        refuse(payload.reason, payload.value, source);
        return [
          stray(source, key, 'not-rpc', {
            code: 'body-not-rpc',
            message: `JSON, but not a JSON-RPC message: ${payload.reason}.`,
          }),
        ];
    }
  }

  function placeMessage(message: Message, source: PayloadSource, key: string): Item {
    switch (message.kind) {
      case 'request':
        return placeRequest(message, source, key);
      case 'notification':
        return placeNotification(message, source, key);
      case 'result':
      case 'error':
        return placeResponse(message, source, key);
    }
  }

  function placeRequest(
    message: Message & { kind: 'request' },
    source: PayloadSource,
    key: string,
  ) {
    const target = targetOf(message.params);
    const task = aboutTask(message.method, message.params);
    const item: RequestItem = {
      ...base(source, key),
      kind: 'request',
      direction: source.direction,
      method: message.method,
      rpcId: message.id,
      message: source.message,
      outcome: 'pending',
      related: 0,
      ...(target === undefined ? {} : { target }),
      ...(task === undefined ? {} : { aboutTask: task }),
      ...(source.links?.replayOf === undefined ? {} : { replayOf: source.links.replayOf }),
    };
    pending.set(idKey(source, source.direction, message.id), item);
    const token = metaToken(message.params);
    if (token !== undefined) tokens.set(tokenKey(source, source.direction, token), item);
    rounds.begin(item, message.params, source.links);
    subscriptions.begin(item, message.params, idSpace(source));
    add(item);
    return item;
  }

  function placeNotification(
    message: Message & { kind: 'notification' },
    source: PayloadSource,
    key: string,
  ) {
    const parent = parentOf(message, source);
    const summary = summaryOf(message);
    const task = aboutTask(message.method, message.params);
    const item: NotificationItem = {
      ...base(source, key),
      kind: 'notification',
      direction: source.direction,
      method: message.method,
      message: source.message,
      ...(parent === undefined ? {} : { parent: parent.key }),
      ...(summary === undefined ? {} : { summary }),
      ...(task === undefined ? {} : { aboutTask: task }),
    };
    // What the other side said is complete as it arrives; what we say is complete when it is accepted.
    if (source.direction === 'incoming' || source.socketId !== undefined) item.ended = item.started;
    add(item);
    const withdrawn = withdraw(message, source, pending);
    if (withdrawn !== undefined) changed(withdrawn);
    const ended =
      source.direction === 'incoming'
        ? subscriptions.heed(message, parent, idSpace(source))
        : undefined;
    if (ended !== undefined) ended.ended = momentOf(source.event);
    if (ended !== undefined && ended !== parent) changed(ended);
    if (parent !== undefined) {
      parent.related += 1;
      changed(parent);
    }
    return item;
  }

  function parentOf(message: Message & { kind: 'notification' }, source: PayloadSource) {
    const token =
      message.method === 'notifications/progress' ? ownToken(message.params) : undefined;
    const asked = source.direction === 'incoming' ? 'outgoing' : 'incoming';
    if (token !== undefined) return tokens.get(tokenKey(source, asked, token));
    const subscription =
      source.direction === 'incoming'
        ? subscriptions.find(message.params, idSpace(source))
        : undefined;
    if (subscription !== undefined) return subscription;
    return source.carrier?.kind === 'request' ? source.carrier : undefined;
  }

  function placeResponse(
    message: Message & { kind: 'result' | 'error' },
    source: PayloadSource,
    key: string,
  ): Item {
    const request = requestOf(message.id, source);
    if (request === undefined || request.response !== undefined) {
      const isNameless = message.kind === 'error' && message.id === null;
      return stray(source, key, 'response', {
        code: 'body-not-rpc',
        message: isNameless
          ? `An error without an id: ${errorText(message)}.`
          : request === undefined
            ? `A response to id ${message.id ?? 'null'}, which no open request has.`
            : `A second response to id ${message.id ?? 'null'}; the first one counts.`,
      });
    }
    request.response = source.message;
    if (request.outcome === 'failed' && request.problem?.code === 'accepted-request') {
      request.outcome = 'pending';
      request.problem = diagnoseElsewhere(request.method);
    }
    if (request.outcome === 'pending') {
      request.outcome = message.kind;
      request.ended = momentOf(source.event);
    }
    if (message.kind === 'result') {
      const failure = toolFailureOf(message.result);
      if (failure !== undefined) request.toolFailure = failure;
      const resultType = resultTypeOf(message.result);
      if (resultType !== undefined) request.resultType = resultType;
      const task = createdTask(request.method, message.result);
      if (task !== undefined) ownTask(request, task);
      rounds.take(request, message.result);
    }
    if (message.kind === 'error') {
      request.problem ??= { code: 'rpc-error', message: errorText(message) };
    }
    pending.delete(idKey(source, request.direction, request.rpcId));
    changed(request);
    return request;
  }

  /** A server that gives an id twice: the task is that of the first call. */
  function ownTask(request: RequestItem, task: string): void {
    const key = `${request.connectionId ?? ''} ${task}`;
    if (tasks.has(key)) return;
    tasks.add(key);
    request.createdTask = task;
  }

  /** On a POST the exchange itself says which request is answered; elsewhere the id has to. */
  function requestOf(id: RpcId | null, source: PayloadSource): RequestItem | undefined {
    const { carrier } = source;
    const asked = source.direction === 'incoming' ? 'outgoing' : 'incoming';
    const isCarried = carrier?.kind === 'request' && carrier.direction === asked;
    // A replay has the id of its origin, which may still be open.
    if (isCarried && carrier.rpcId === id && carrier.response === undefined) return carrier;
    const byId = id === null ? undefined : pending.get(idKey(source, asked, id));
    if (byId !== undefined) return byId;
    if (isCarried && source.byIdOnly !== true) return carrier;
    // The id of another JSON type counts if only one request can be meant.
    const alike = (id === null ? [] : lookAlikes(id))
      .map((other) => pending.get(idKey(source, asked, other)))
      .filter((request) => request?.outcome === 'pending');
    return alike.length === 1 ? alike[0] : undefined;
  }

  /** What was meant as a response but is none: its request fails, and the text is a row of its own. */
  function refuse(reason: string, value: unknown, source: PayloadSource): void {
    const asked = source.direction === 'incoming' ? 'outgoing' : 'incoming';
    const { carrier } = source;
    const isCarried = carrier?.kind === 'request' && carrier.direction === asked;
    const own = isCarried && source.byIdOnly !== true ? carrier.rpcId : undefined;
    const key = idKey(source, asked, responseId(value, own) ?? '');
    const request = pending.get(key);
    if (request?.outcome !== 'pending') return;
    pending.delete(key);
    const body = { kind: 'not-rpc', reason } as const;
    request.outcome = 'failed';
    request.problem = diagnoseBody(body, request.method, toLine(value));
    request.ended = momentOf(source.event);
    changed(request);
  }

  function stray(
    source: PayloadSource,
    key: string,
    what: StrayItem['what'],
    problem: StrayItem['problem'],
  ): StrayItem {
    const item: StrayItem = {
      ...base(source, key),
      kind: 'stray',
      direction: source.direction,
      what,
      message: source.message,
      problem,
      ...(source.carrier === undefined ? {} : { parent: source.carrier.key }),
    };
    item.ended = item.started;
    add(item);
    return item;
  }

  return {
    subscriptions: subscriptions.subscriptions,
    place: (payload, source) => place(payload, source),
    repeat: (source, eventId) =>
      void stray(source, `${source.event.sequence}`, 'duplicate', {
        code: 'body-not-rpc',
        message: `The event ${eventId} came before; this time it is not acted on.`,
      }),
  };
}

function base(source: PayloadSource, key: string) {
  return {
    key,
    sequence: source.event.sequence,
    connectionId: source.event.connectionId,
    started: momentOf(source.event),
    revision: 0,
    ...(source.httpId === undefined ? {} : { httpId: source.httpId }),
    ...(source.socketId === undefined ? {} : { socketId: source.socketId }),
  };
}
