import { isRecord } from '../record.ts';
import { revisionOfMessage } from './claims.ts';
import type { Detect, MessageFact, PayloadFact } from './facts.ts';
import { rpcIdOf, shapeOf } from './payload.ts';
import { runDetectors, type Bench, type DetectorSet } from './run.ts';
import { requestKey, type RequestState } from './state.ts';
import { trackMessage } from './track.ts';

/** Judges and remembers all messages of a payload. */
export function readPayload({ report, collector, detectors }: Bench, payload: PayloadFact): void {
  const { connection, exchange, event, isBatch, revision } = payload;
  const span = payload.span === undefined ? {} : { span: payload.span };
  const key = String(event.sequence);
  const itemKey = collector.keyAt(event.sequence, key) ?? exchange.itemKey;
  const place = { connection, event, itemKey, revision, ...span };
  runDetectors(report, detectors.payload, payload, place);
  for (let index = 0; index < payload.parts.length; index += 1) {
    const fact = toMessageFact(payload, payload.parts[index], index);
    const own = isBatch ? collector.keyAt(event.sequence, `${key}.${index}`) : itemKey;
    const isOwn = own !== undefined && own !== exchange.itemKey;
    fact.itemKey = isOwn ? own : (fact.request?.itemKey ?? exchange.itemKey);
    place.itemKey = fact.itemKey;
    place.revision = fact.revision;
    runDetectors(report, detectors.message, fact, place);
    const ofShape = shapeDetectors(detectors, fact);
    if (ofShape.length > 0) runDetectors(report, ofShape, fact, place);
    trackMessage(fact);
    report.release(connection);
  }
}

function shapeDetectors(
  { requests, notifications, responses }: DetectorSet,
  { shape }: MessageFact,
): readonly Detect<MessageFact>[] {
  switch (shape) {
    case 'request':
      return requests;
    case 'notification':
      return notifications;
    case 'response':
      return responses;
    case 'none':
      return [];
  }
}

/** A part of a payload as a message, with the request that it answers. */
export function toMessageFact(payload: PayloadFact, value: unknown, index: number): MessageFact {
  const members = isRecord(value) ? value : undefined;
  const shape = shapeOf(members);
  const rpcId = members === undefined ? undefined : rpcIdOf(members, payload.text, index);
  const method = members?.['method'];
  const { connection, direction, exchange, event, text, isBatch } = payload;
  const fact: MessageFact = {
    connection,
    exchange,
    event,
    direction,
    revision: revisionOfMessage(connection, exchange, direction, members),
    text,
    isBatch,
    itemKey: exchange.itemKey,
    value,
    members,
    shape,
    method: typeof method === 'string' ? method : undefined,
    rpcId,
    isMatchedById: false,
  };
  if (payload.span !== undefined) fact.span = payload.span;
  if (shape !== 'response') return fact;
  const asked = direction === 'incoming' ? 'outgoing' : 'incoming';
  const own = exchange.record === undefined ? undefined : findById(exchange.requests, rpcId);
  const byId =
    own ?? (rpcId === undefined ? undefined : connection.requests.get(requestKey(asked, rpcId)));
  const request = byId ?? (direction === 'incoming' ? ofExchange(payload) : undefined);
  if (request !== undefined) {
    fact.request = request;
    fact.revision = request.revision;
  }
  fact.isMatchedById = byId !== undefined;
  return fact;
}

/** An id may be used again once it is answered (2026-07-28): the exchange knows its own. */
function findById(
  requests: readonly RequestState[],
  rpcId: string | undefined,
): RequestState | undefined {
  return rpcId === undefined ? undefined : requests.find((request) => request.rpcId === rpcId);
}

/** On a POST the exchange itself says which request is answered; on a channel of many only the id does. */
function ofExchange({ exchange }: PayloadFact): RequestState | undefined {
  const { requests, record } = exchange;
  if (record === undefined) return undefined;
  return requests.find(({ answer }) => answer === undefined) ?? requests[0];
}
