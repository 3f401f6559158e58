import type { RequestState } from './state.ts';
import { isRecord, requestKey } from './state.ts';
import type { Collector } from './collect.ts';
import { evidenceOf, type MessageFact, type PayloadFact } from './facts.ts';
import { rpcIdOf, shapeOf } from './payload.ts';
import type { Report } from './report.ts';
import { DETECTORS, runDetectors } from './run.ts';
import { trackMessage } from './track.ts';

/** Judges and remembers all messages of a payload. */
export function readPayload(report: Report, collector: Collector, payload: PayloadFact): void {
  const { connection, exchange, event, span } = payload;
  const evidence = evidenceOf(event, span);
  const key = String(event.sequence);
  const itemKey = collector.keyAt(event.sequence, key) ?? exchange.itemKey;
  runDetectors(report, DETECTORS.payload, payload, { connection, event, itemKey, evidence });
  for (const [index, value] of payload.parts.entries()) {
    const fact = toMessageFact(payload, value, index);
    const own = payload.isBatch ? `${key}.${index}` : key;
    fact.itemKey =
      collector.keyAt(event.sequence, own) ?? fact.request?.itemKey ?? exchange.itemKey;
    const place = { connection, event, itemKey: fact.itemKey, evidence };
    runDetectors(report, DETECTORS.message, fact, place);
    trackMessage(fact);
  }
}

/** A part of a payload as a message, with the request that it answers. */
export function toMessageFact(payload: PayloadFact, value: unknown, index: number): MessageFact {
  const members = isRecord(value) ? value : undefined;
  const shape = shapeOf(members);
  const rpcId = members === undefined ? undefined : rpcIdOf(members, payload.text, index);
  const method = members?.['method'];
  const { connection, direction, exchange } = payload;
  const fact: MessageFact = {
    connection,
    exchange,
    event: payload.event,
    direction,
    text: payload.text,
    isBatch: payload.isBatch,
    itemKey: exchange.itemKey,
    value,
    members,
    shape,
    method: typeof method === 'string' ? method : undefined,
    rpcId,
    isMatchedById: false,
    ...(payload.span === undefined ? {} : { span: payload.span }),
  };
  if (shape !== 'response') return fact;
  const asked = direction === 'incoming' ? 'outgoing' : 'incoming';
  const byId = rpcId === undefined ? undefined : connection.requests.get(requestKey(asked, rpcId));
  const request = byId ?? (direction === 'incoming' ? ofExchange(payload) : undefined);
  return request === undefined ? fact : { ...fact, request, isMatchedById: byId !== undefined };
}

/** On a POST the exchange itself says which request is answered. */
function ofExchange({ exchange }: PayloadFact): RequestState | undefined {
  const { requests } = exchange;
  return requests.find(({ answer }) => answer === undefined) ?? requests[0];
}
