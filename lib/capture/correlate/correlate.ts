import { applyToConnections } from './connection-record.ts';
import { createAuthWaits, type AuthLog } from './correlate-auth.ts';
import { lifecycleItem, wordLifecycle, wordStreamEnd } from '../lifecycle.ts';
import { createSocketCorrelation } from './correlate-sockets.ts';
import { createMessageCorrelation } from './correlate-messages.ts';
import { endQuestions } from './correlate-questions.ts';
import { createRestarts } from './correlate-restart.ts';
import { createRounds, type Chain } from './correlate-rounds.ts';
import type { PayloadSource } from './correlate-source.ts';
import type { Subscription } from './correlate-subscriptions.ts';
import {
  attemptBefore,
  eventText,
  isJson,
  keepHead,
  messageText,
  newHttpRecord,
  type HeadEvent,
} from './http-record.ts';
import type { ConnectionRecord, HttpRecord, Item, SocketRecord, StreamEvent } from './items.ts';
import { isEventStream, isModernRefusal } from './judge.ts';
import { createResumption } from './resumption.ts';
import { exchangeItem, isToldByRow, settle, unsettle } from './settle.ts';
import { createSharedChannels } from './shared-channels.ts';
import { classifyPayload, holdsMessage } from '../../protocol/jsonrpc.ts';
import type { EventOf, WireEvent } from '../wire-event.ts';

/** What the log means, derived event by event. Applying the same events in order always gives the same. */
export interface Correlation extends AuthLog {
  /** In order of the first event of each. Append only; items change in place, and their `revision` grows. */
  readonly items: readonly Item[];
  readonly https: ReadonlyMap<string, HttpRecord>;
  readonly sockets: ReadonlyMap<string, SocketRecord>;
  readonly connections: ReadonlyMap<string, ConnectionRecord>;
  /** Calls of several rounds, by `key` of the first. */
  readonly chains: ReadonlyMap<string, Chain>;
  /** By `key` of the `subscriptions/listen` request. */
  readonly subscriptions: ReadonlyMap<string, Subscription>;
  /** Applies consecutive events; returns the items that are new or changed. */
  apply(events: readonly WireEvent[]): Set<Item>;
}

/** An empty correlation. Never throws on what it reads: what has no meaning here is left to the raw views. */
export function createCorrelation(): Correlation {
  const items: Item[] = [];
  const https = new Map<string, HttpRecord>();
  const connections = new Map<string, ConnectionRecord>();
  /** The item that an exchange carries. */
  const carried = new Map<string, Item>();
  /** What else it carries, where a batch was sent. */
  const alsoCarried = new Map<string, Item[]>();
  const open = new Set<Item>();
  const resumption = createResumption(carried);
  const shared = createSharedChannels(open, change);
  let touched = new Set<Item>();
  const { requestOf } = resumption;
  const restarts = createRestarts({ open, connections, https, add, change, reopen, requestOf });
  const rounds = createRounds(requestOf, change);
  const messages = createMessageCorrelation(add, change, rounds);
  const sockets = createSocketCorrelation(messages, add, change);
  const waits = createAuthWaits(carried, settleEnd, { add, change, reopen });

  function add(item: Item): void {
    items.push(item);
    touched.add(item);
    if (item.ended === undefined && item.kind !== 'lifecycle') open.add(item);
  }

  function change(item: Item): void {
    item.revision += 1;
    touched.add(item);
    if (item.ended !== undefined) open.delete(item);
    // The first row of a call says what became of the last.
    const first = item.kind === 'request' && item.round && rounds.chains.get(item.round.first);
    if (first) change(first.first);
  }

  /** An exchange that seemed to be over goes on with another one: a redirect is followed. */
  function reopen(item: Item): void {
    // Its response came on another exchange.
    if (item.kind === 'request' && item.response !== undefined) return change(item);
    unsettle(item);
    open.add(item);
    change(item);
  }

  function applyEvent(event: WireEvent): void {
    switch (event.kind) {
      case 'http-request':
        return applyRequest(event);
      case 'http-queued':
      case 'http-released':
      case 'http-sent':
      case 'http-received':
      case 'http-connection':
      case 'http-response':
      case 'http-redirect':
        return applyHead(event);
      case 'http-chunk':
        return applyChunk(event);
      case 'http-end':
        return applyEnd(event);
      case 'sse-event':
      case 'sse-comment':
      case 'sse-retry':
      case 'sse-ignored':
      case 'sse-discarded':
        return applyStreamEvent(event);
      case 'deadline-started':
      case 'deadline-extended':
      case 'deadline-fired':
        if (sockets.takeDeadline(event)) return;
        https.get(event.carrierId)?.deadlines.push(event);
        if (event.kind === 'deadline-fired') shared.expire(carried.get(event.carrierId), event);
        return touch(event.carrierId);
      case 'fault-injected':
        https.get(event.carrierId)?.faults.push(event);
        sockets.takeFault(event);
        touch(event.carrierId);
        return applyOther(event);
      case 'socket-opening':
      case 'socket-open':
      case 'socket-frame':
      case 'socket-close':
        return sockets.apply(event);
      case 'server-request-answered':
        shared.noteAnswer(event);
        return applyOther(event);
      case 'endpoint-announced':
        shared.announce(event);
        return applyOther(event);
      case 'retry-scheduled': {
        const request = requestOf(event.carrierId);
        if (request?.outcome === 'failed' && request.response === undefined) reopen(request);
        return applyOther(event);
      }
      default:
        return applyOther(event);
    }
  }

  function applyRequest(event: EventOf<'http-request'>): void {
    const { httpId } = event;
    https.set(httpId, newHttpRecord(event));
    waits.note(event);
    const before = attemptBefore(event) ?? '';
    const followed = carried.get(before);
    if (followed !== undefined) return follow(followed, before, httpId);
    const [item, ...others] = carriedItems(event);
    if (item !== undefined) carried.set(httpId, item);
    if (others.length > 0) alsoCarried.set(httpId, others);
  }

  function follow(item: Item, fromHttpId: string, httpId: string): void {
    carried.set(httpId, item);
    resumption.move(fromHttpId, httpId);
    const others = alsoCarried.get(fromHttpId) ?? [];
    if (others.length > 0) alsoCarried.set(httpId, others);
    for (const moved of [item, ...others]) {
      // Our answer to a request of the server may be redirected too; the request stays where it came.
      if (moved.httpId !== fromHttpId) continue;
      moved.httpId = httpId;
      reopen(moved);
    }
  }

  function carriedItems(event: EventOf<'http-request'>): Item[] {
    const { httpId } = event;
    if (event.purpose === 'message') {
      const message = { in: 'request', httpId } as const;
      return messages.place(classifyPayload(messageText(https, message) ?? ''), {
        event,
        direction: 'outgoing',
        message,
        httpId,
        carrier: undefined,
        links: event.links,
      });
    }
    const item = exchangeItem(event);
    if (item.kind === 'stream') resumption.follow(item, event);
    add(item);
    return [item];
  }

  function applyHead(event: HeadEvent): void {
    const record = https.get(event.httpId);
    if (record === undefined) return;
    keepHead(record, event);
    if (event.kind === 'http-redirect') applyOther(event);
    if (event.kind === 'http-response') {
      const item = carried.get(event.httpId);
      const isOpen = event.status === 200 && isEventStream(record);
      if (item?.kind === 'stream' && isOpen) item.outcome = 'open';
    }
    touch(event.httpId);
  }

  function applyChunk(event: EventOf<'http-chunk'>): void {
    const record = https.get(event.httpId);
    if (record === undefined) return;
    record.chunks.push(event);
    record.sizeBytes = Math.max(record.sizeBytes, event.offset + event.data.bytes.length);
    touch(event.httpId);
  }

  function applyStreamEvent(event: StreamEvent): void {
    const record = https.get(event.httpId);
    if (record === undefined) return;
    record.stream.push(event);
    touch(event.httpId);
    if (event.kind !== 'sse-event') return;
    const isRepeated = resumption.isRepeated(record, event);
    const text = eventText(record, event);
    if (!holdsMessage(event.event, text)) return;
    const request = requestOf(event.httpId);
    const source: PayloadSource = {
      event,
      direction: 'incoming',
      message: { in: 'event', httpId: event.httpId, sequence: event.sequence },
      httpId: event.httpId,
      carrier: request ?? carried.get(event.httpId),
      // What a stream replays may belong to others, so there only the id counts.
      byIdOnly: record.request.purpose === 'stream',
    };
    if (isRepeated) messages.repeat(source, event.id ?? '');
    else messages.place(classifyPayload(text), source);
  }

  function applyEnd(event: EventOf<'http-end'>): void {
    const record = https.get(event.httpId);
    if (record === undefined) return;
    record.end = event;
    if (!waits.keepEnd(event)) settleEnd(event);
  }

  function settleEnd(event: EventOf<'http-end'>): void {
    const record = https.get(event.httpId);
    if (record === undefined) return;
    if (record.sizeBytes > 0 && (isJson(record) || isModernRefusal(record)))
      placeBody(record, event);
    const item = carried.get(event.httpId);
    if (item === undefined) return;
    const wasOpen = item.kind === 'stream' && item.outcome === 'open';
    for (const ended of [item, ...(alsoCarried.get(event.httpId) ?? [])]) {
      if (!shared.settle(ended, record, event)) settle(ended, record, event);
      waits.explain(ended, event.httpId);
      change(ended);
    }
    if (item.kind === 'stream') {
      const request = resumption.settle(item, record, event);
      if (request !== undefined) change(request);
      shared.streamEnded(item, event);
    }
    if (wasOpen) add(lifecycleItem(event, wordStreamEnd(event.end)));
  }

  function placeBody(record: HttpRecord, event: EventOf<'http-end'>): void {
    const { httpId } = record;
    const message = { in: 'body', httpId } as const;
    const payload = classifyPayload(messageText(https, message) ?? '');
    const carrier = carried.get(httpId);
    if (isToldByRow(payload, record, carrier)) return;
    messages.place(payload, { event, direction: 'incoming', message, httpId, carrier });
  }

  function applyOther(event: WireEvent): void {
    applyToConnections(connections, event);
    rounds.heed(event);
    endQuestions(event, open, change);
    if (restarts.apply(event) || waits.apply(event) || sockets.takeReplay(event)) return;
    const wording = wordLifecycle(event);
    if (wording !== undefined) add(lifecycleItem(event, wording));
  }

  function touch(httpId: string): void {
    const item = carried.get(httpId);
    if (item !== undefined) change(item);
    for (const other of alsoCarried.get(httpId) ?? []) change(other);
  }

  return {
    items,
    https,
    sockets: sockets.sockets,
    connections,
    chains: rounds.chains,
    subscriptions: messages.subscriptions,
    auths: waits.auths,
    apply(events) {
      touched = new Set();
      for (const event of events) {
        applyEvent(event);
        restarts.saw(event);
      }
      return touched;
    },
  };
}
