import { diagnoseElsewhere } from '../protocol/diagnose-end.ts';
import type { Message, Payload } from '../protocol/jsonrpc.ts';
import type {
  Direction,
  Item,
  MessageRef,
  Moment,
  NotificationItem,
  RequestItem,
  RpcId,
  StrayItem,
} from './items.ts';
import type { RequestLinks, WireEvent } from './wire-event.ts';

/** Where a payload came from, and what it may belong to. */
export interface PayloadSource {
  event: WireEvent;
  direction: Direction;
  message: MessageRef;
  /** The exchange, or the socket, that carried it. */
  httpId?: string;
  socketId?: string;
  /** The item of the exchange that carried it. */
  carrier: Item | undefined;
  links?: RequestLinks;
  /** Whether a response is for the request with its id only, and not for the carrier's. */
  byIdOnly?: boolean;
}

export interface MessageCorrelation {
  /** Finds or makes the items of a payload, and returns them: one, or one for each part of a batch. */
  place(payload: Payload, source: PayloadSource): Item[];
  /** Makes the row of an event that a resumed stream brought again. */
  repeat(source: PayloadSource, eventId: string): void;
}

/** Matches JSON-RPC messages: ids live in a space per connection and direction, and keep their JSON type. */
export function createMessageCorrelation(
  add: (item: Item) => void,
  changed: (item: Item) => void,
): MessageCorrelation {
  const pending = new Map<string, RequestItem>();
  const tokens = new Map<string, RequestItem>();

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
      ...(source.links?.replayOf === undefined ? {} : { replayOf: source.links.replayOf }),
    };
    pending.set(idKey(source, source.direction, message.id), item);
    const token = metaToken(message.params);
    if (token !== undefined) tokens.set(tokenKey(source, source.direction, token), item);
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
    const item: NotificationItem = {
      ...base(source, key),
      kind: 'notification',
      direction: source.direction,
      method: message.method,
      message: source.message,
      ...(parent === undefined ? {} : { parent: parent.key }),
      ...(summary === undefined ? {} : { summary }),
    };
    // What the other side said is complete as it arrives; what we say is complete when it is accepted.
    if (source.direction === 'incoming' || source.socketId !== undefined) item.ended = item.started;
    add(item);
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
    return source.carrier?.kind === 'request' ? source.carrier : undefined;
  }

  function placeResponse(
    message: Message & { kind: 'result' | 'error' },
    source: PayloadSource,
    key: string,
  ): Item {
    const request = requestOf(message.id, source);
    if (request === undefined || request.response !== undefined) {
      return stray(source, key, 'response', {
        code: 'body-not-rpc',
        message:
          request === undefined
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
    if (message.kind === 'result' && isToolFailure(message.result)) request.toolFailed = true;
    if (message.kind === 'error') {
      request.problem ??= {
        code: 'rpc-error',
        message: `${message.message === '' ? 'Error without a message' : message.message} (${message.code ?? 'no code'})`,
      };
    }
    pending.delete(idKey(source, request.direction, request.rpcId));
    changed(request);
    return request;
  }

  /** On a POST the exchange itself says which request is answered; elsewhere the id has to. */
  function requestOf(id: RpcId | null, source: PayloadSource): RequestItem | undefined {
    const { carrier } = source;
    const asked = source.direction === 'incoming' ? 'outgoing' : 'incoming';
    const byId = id === null ? undefined : pending.get(idKey(source, asked, id));
    if (byId !== undefined || source.byIdOnly === true) return byId;
    return carrier?.kind === 'request' && carrier.direction === asked ? carrier : undefined;
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
    place: (payload, source) => place(payload, source),
    repeat: (source, eventId) =>
      void stray(source, `${source.event.sequence}`, 'duplicate', {
        code: 'body-not-rpc',
        message: `The event ${eventId} came before; this time it is not acted on.`,
      }),
  };
}

/** The moment of an event, by both clocks. */
export function momentOf(event: WireEvent): Moment {
  return { wallTime: event.wallTime, monotonicTime: event.monotonicTime, bootId: event.bootId };
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

function idKey(source: PayloadSource, direction: Direction, id: RpcId): string {
  // What was asked on a socket is answered on it or never: a new one is a new start.
  return `${source.event.connectionId ?? ''} ${source.socketId ?? ''} ${direction} ${id}`;
}

function tokenKey(source: PayloadSource, direction: Direction, token: string | number): string {
  return `${source.event.connectionId ?? ''} ${direction} ${typeof token} ${token}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isToken(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function metaToken(params: unknown): string | number | undefined {
  const meta = isRecord(params) ? params['_meta'] : undefined;
  const token = isRecord(meta) ? meta['progressToken'] : undefined;
  return isToken(token) ? token : undefined;
}

function ownToken(params: unknown): string | number | undefined {
  const token = isRecord(params) ? params['progressToken'] : undefined;
  return isToken(token) ? token : undefined;
}

function targetOf(params: unknown): string | undefined {
  if (!isRecord(params)) return undefined;
  const target = params['name'] ?? params['uri'];
  return typeof target === 'string' ? target : undefined;
}

function isToolFailure(result: unknown): boolean {
  return isRecord(result) && result['isError'] === true;
}

function summaryOf(message: Message & { kind: 'notification' }): string | undefined {
  const { params } = message;
  if (!isRecord(params)) return undefined;
  switch (message.method) {
    case 'notifications/progress': {
      const total = params['total'];
      const text = typeof params['message'] === 'string' ? ` ${params['message']}` : '';
      return `${String(params['progress'])}${typeof total === 'number' ? ` of ${total}` : ''}${text}`;
    }
    case 'notifications/message': {
      const data = params['data'];
      return `${String(params['level'])}: ${typeof data === 'string' ? data : JSON.stringify(data)}`;
    }
    case 'notifications/cancelled':
      return typeof params['reason'] === 'string' ? params['reason'] : undefined;
    default:
      return typeof params['uri'] === 'string' ? params['uri'] : undefined;
  }
}
