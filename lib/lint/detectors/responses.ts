import { V5 } from '../clause.ts';
import type { Detectors, MessageFact } from '../facts.ts';
import { evidenceOf } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { nameOf, senderOf } from './rpc.ts';
import { HTT } from '../rules/http.ts';
import { RPC } from '../rules/rpc.ts';
import { msBetween, requestKey, type RequestState } from '../state.ts';

/** Whether a GET stream may carry the response: only where it resumes the stream of that request. */
export function isResponseOnGet(fact: MessageFact): boolean {
  const { exchange, request, direction, connection } = fact;
  if (connection.transport !== 'streamable-http') return false;
  if (direction === 'outgoing' || exchange.record?.request.purpose !== 'stream') return false;
  if (exchange.root === exchange) return exchange.resumes === undefined;
  return request !== undefined && request.exchange.root !== exchange.root;
}

function responseOnGet(fact: MessageFact): Finding | undefined {
  const { request } = fact;
  if (fact.shape !== 'response' || !isResponseOnGet(fact)) return undefined;
  // Nobody asked for an error without an id: that is a rule of its own.
  if (request === undefined && fact.rpcId === undefined) return undefined;
  const head = request?.exchange.head;
  const accepted = head?.status === 202 ? ', after the request had been answered 202' : '';
  const twice = request?.answer === undefined ? '' : ', although it had been answered already';
  return {
    rule: HTT.responseOnGet,
    side: 'server',
    message: `${capital(nameOf(fact))} came on the GET stream${accepted}${twice}; it belongs on the answer to the POST.`,
    ...(request === undefined ? {} : { itemKey: fact.itemKey }),
  };
}

/** A response that cannot be where it came: that POST asked for another one. */
function responseElsewhere(fact: MessageFact): Finding | undefined {
  const { request, exchange, connection, direction } = fact;
  if (fact.shape !== 'response' || direction === 'outgoing' || request === undefined)
    return undefined;
  if (connection.transport !== 'streamable-http' || !fact.isMatchedById) return undefined;
  const [own] = exchange.requests;
  if (exchange.record?.request.purpose !== 'message' || own === undefined) return undefined;
  if (exchange.requests.includes(request) || request.answer !== undefined) return undefined;
  return {
    rule: HTT.responseElsewhere,
    side: 'server',
    message: `${capital(nameOf(fact))} (id ${request.rpcId}) came on the answer to the POST of \`${own.method}\` (id ${own.rpcId}).`,
    advice: 'Every POST is answered on its own exchange: who asked there waits in vain.',
  };
}

function unmatched(fact: MessageFact): Finding | undefined {
  const { request, rpcId } = fact;
  if (fact.shape !== 'response' || fact.isMatchedById || rpcId === undefined) return undefined;
  const twin = request ?? twinOf(fact);
  if (twin !== undefined && unquoted(twin.rpcId) === unquoted(rpcId)) {
    return {
      rule: RPC.answersNothing,
      side: senderOf(fact),
      message: `The id type differs: sent ${twin.rpcId}, got ${rpcId}.`,
      advice: 'A response must repeat the id of the request exactly, a number as a number.',
    };
  }
  return {
    rule: RPC.answersNothing,
    side: senderOf(fact),
    message:
      request === undefined
        ? `A response has the id ${rpcId}, which no request has.`
        : `${capital(nameOf(fact))} has the id ${rpcId}; the request has ${request.rpcId}.`,
  };
}

/** A request whose id differs only in its JSON type. */
function twinOf({ connection, direction, rpcId }: MessageFact): RequestState | undefined {
  const id = unquoted(rpcId ?? '');
  const other = rpcId?.startsWith('"') ? id : JSON.stringify(id);
  return connection.requests.get(
    requestKey(direction === 'incoming' ? 'outgoing' : 'incoming', other),
  );
}

function unquoted(rpcId: string): string {
  return rpcId.replaceAll('"', '');
}

function secondAnswer(fact: MessageFact): Finding | undefined {
  const { request, connection, exchange } = fact;
  const first = request?.answer;
  if (fact.shape !== 'response' || request === undefined || first === undefined) return undefined;
  if (isResponseOnGet(fact) || first.isOnGet) return undefined;
  const isSameStream = first.exchange === exchange;
  const isLegacy = fact.revision !== V5;
  const twoStreams = isLegacy && !isSameStream && connection.transport === 'streamable-http';
  return {
    rule: twoStreams ? HTT.twoStreams : RPC.answersNothing,
    side: senderOf(fact),
    message: `\`${request.method}\` (id ${request.rpcId}) was answered a second time${isSameStream ? '' : ', on another stream'}; the first answer counts.`,
    evidence: [evidenceOf(fact.event, fact.span), evidenceOf(first.event)],
  };
}

function lateAnswer(fact: MessageFact): Finding | undefined {
  const { request } = fact;
  if (fact.shape !== 'response' || request?.stopped === undefined) return undefined;
  if (request.answer !== undefined) return undefined;
  const seconds = (msBetween(request.event, fact.event) / 1000).toFixed(1);
  return {
    rule: RPC.answersNothing,
    severity: 'info',
    side: senderOf(fact),
    message: `The answer to \`${request.method}\` came ${seconds} s after it was sent, when it ${request.stopped}; it is not used.`,
  };
}

function idReused(fact: MessageFact): Finding | undefined {
  const { connection, rpcId, exchange, direction } = fact;
  if (fact.shape !== 'request' || rpcId === undefined) return undefined;
  const before = connection.requests.get(requestKey(direction, rpcId));
  if (before === undefined || before.generation !== connection.generation) return undefined;
  // In the modern era an id is free again once it is answered, and only clients ask.
  const isModern = fact.revision === V5;
  if (isModern && (direction === 'incoming' || isOver(before))) return undefined;
  // A request that was refused, or sent again after a login, has not been used up.
  if ((before.exchange.head?.status ?? 0) >= 400) return undefined;
  if (exchange.record?.request.links.retryOf !== undefined) return undefined;
  const evidence = [evidenceOf(fact.event, fact.span), evidenceOf(before.event)];
  const isCopy =
    direction === 'incoming' &&
    before.exchange !== exchange &&
    before.text === fact.text &&
    connection.transport === 'streamable-http';
  if (isCopy) {
    return {
      rule: HTT.twoStreams,
      side: 'server',
      message: `The request ${nameOf(fact)} with the id ${rpcId} came on two streams.`,
      evidence,
    };
  }
  return {
    rule: RPC.idReused,
    // Without a session a server may take every POST for another client.
    ...(connection.session === undefined && direction === 'incoming'
      ? { severity: 'warning' as const }
      : {}),
    side: senderOf(fact),
    message: `The id ${rpcId} of ${nameOf(fact)} ${isModern ? 'is still in use' : 'was used before'}, by \`${before.method}\`.`,
    advice: isModern
      ? 'As long as a request is not answered, no other one may have its id.'
      : 'Within a session every request of one side needs an id of its own.',
    evidence,
  };
}

/** Nobody waits for it any more. */
function isOver({ answer, stopped, exchange }: RequestState): boolean {
  return answer !== undefined || stopped !== undefined || exchange.end !== undefined;
}

/** A sentence that begins with the name of a message. */
export function capital(text: string): string {
  return text.replace(/^./, (letter) => letter.toUpperCase());
}

/** Which request a response answers, and whether it may. */
export const RESPONSE_DETECTORS: Detectors = {
  message: [responseOnGet, responseElsewhere, unmatched, secondAnswer, lateAnswer, idReused],
};
