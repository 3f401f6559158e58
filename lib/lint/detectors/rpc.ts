import { decodeUtf8 } from '../../text.ts';
import { isRecord } from '../../record.ts';
import type { Detectors, MessageFact, PayloadFact } from '../facts.ts';
import { evidenceOf } from '../facts.ts';
import type { Finding, Side } from '../issue.ts';
import { V1, V2 } from '../clause.ts';
import { parsePayload, shown } from '../payload.ts';
import { HTT } from '../rules/http.ts';
import { RPC } from '../rules/rpc.ts';
import { requestKey } from '../state.ts';

/** Methods that are requests; any other call without an id is a notification. */
const REQUEST_METHOD =
  /^(initialize|ping|(server|subscriptions|tools|resources|prompts|roots|tasks|completion|logging|sampling|elicitation)\/)/;

/** The side that sent a message, and that is blamed for its faults. */
export function senderOf({ direction }: Pick<PayloadFact, 'direction'>): Side {
  return direction === 'incoming' ? 'server' : 'client';
}

/** How a message is called in a sentence. */
export function nameOf(fact: MessageFact): string {
  if (fact.shape === 'response') {
    return fact.request === undefined ? 'a response' : `the response to \`${fact.request.method}\``;
  }
  return fact.method === undefined ? 'a message' : `\`${fact.method}\``;
}

function onStream({ exchange }: Pick<PayloadFact, 'exchange'>, what: string): string {
  return `${exchange.id} ${what}`;
}

function notJson(fact: PayloadFact): Finding | undefined {
  const { fault, text } = fact;
  if (fault === undefined) return undefined;
  if (fact.event.kind === 'http-end' && /^\s*(event|data|id|retry)?:/.test(text)) {
    return {
      rule: HTT.typeMismatch,
      side: senderOf(fact),
      message: 'The body is called application/json, but it is an event stream.',
      advice: 'Send the content type text/event-stream with it.',
    };
  }
  return {
    rule: RPC.notRpc,
    side: senderOf(fact),
    group: onStream(fact, fault.message),
    message:
      text === ''
        ? 'The body is empty; it should hold one JSON value.'
        : `The text is not one JSON value: ${fault.message}, at offset ${fault.offset}.`,
    advice: 'Each body, and the data of each event, must be exactly one JSON value.',
  };
}

function byteOrderMark(fact: PayloadFact): Finding | undefined {
  if (fact.text.charCodeAt(0) !== 0xfeff) return undefined;
  return {
    rule: RPC.byteOrderMark,
    side: senderOf(fact),
    group: 'mark',
    message: 'The JSON begins with a byte order mark, which not every reader takes.',
  };
}

function batch(fact: PayloadFact): Finding | undefined {
  if (!fact.isBatch) return undefined;
  const { revision } = fact;
  const count = fact.parts.length;
  const initializes = fact.parts.some((part) => isRecord(part) && part['method'] === 'initialize');
  if (revision === V2 && !initializes && count > 0) return undefined;
  return {
    rule: RPC.batch,
    side: senderOf(fact),
    severity: revision === V1 ? 'warning' : 'error',
    group: onStream(fact, 'batch'),
    message:
      revision === V2
        ? `A batch of ${count} ${initializes ? 'holds `initialize`' : 'messages is empty'}, which 2025-03-26 does not allow.`
        : `A batch array of ${count} messages was sent; only 2025-03-26 has batches, and ${revision} is spoken here.`,
    advice: 'Send each message by itself.',
  };
}

function notRpc(fact: MessageFact): Finding | undefined {
  const { members, value, shape } = fact;
  if (shape !== 'none' && members?.['jsonrpc'] === '2.0') return undefined;
  const reason =
    members === undefined
      ? wordNoObject(value)
      : shape !== 'none'
        ? `its \`jsonrpc\` is ${shown(members['jsonrpc'])}, not "2.0"`
        : 'method' in members
          ? `its method is ${shown(members['method'])}, not a string`
          : 'it has neither method nor result nor error';
  return {
    rule: RPC.notRpc,
    side: senderOf(fact),
    group: onStream(fact, reason),
    message: `The JSON ${shown(value)} is not a JSON-RPC message: ${reason}.`,
    ...(shape === 'none' && fact.direction === 'incoming' && fact.event.kind === 'sse-event'
      ? { advice: 'Keep-alives belong in comment lines, which begin with a colon.' }
      : {}),
  };
}

function wordNoObject(value: unknown): string {
  const isTwice = typeof value === 'string' && parsePayload(value).parts.some(isRecord);
  if (isTwice) return 'it is a string that holds JSON, so it was encoded twice';
  return `it is ${Array.isArray(value) ? 'an array' : shown(value)}, not an object`;
}

function badId(fact: MessageFact): Finding | undefined {
  const { members, method } = fact;
  if (members === undefined || method === undefined || !('id' in members)) return undefined;
  const { id } = members;
  if (method.startsWith('notifications/')) {
    return {
      rule: RPC.badId,
      side: senderOf(fact),
      group: `notification ${method}`,
      message: `The notification \`${method}\` carries the id ${shown(id)}; with an id it is a request.`,
      advice: 'Leave the id out.',
    };
  }
  const isGood = typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id));
  if (isGood) return undefined;
  return {
    rule: RPC.badId,
    side: senderOf(fact),
    message: `The request \`${method}\` has the id ${shown(id)}; it must be a string or an integer.`,
  };
}

function requestWithoutId(fact: MessageFact): Finding | undefined {
  if (fact.shape !== 'notification' || !REQUEST_METHOD.test(fact.method ?? '')) return undefined;
  return {
    rule: RPC.requestWithoutId,
    side: senderOf(fact),
    group: `request ${fact.method}`,
    message: `\`${fact.method}\` came without an id, so it is a notification and gets no answer.`,
    advice: 'Give the request an id.',
  };
}

/** In the modern era no server sends requests, which is a rule of its own. */
const CLIENT_ONLY =
  /^(initialize|(server|subscriptions|tools|resources|prompts|completion|logging)\/.*)$/;

function clientOnly(fact: MessageFact): Finding | undefined {
  const { method = '', rpcId = '', connection } = fact;
  if (fact.direction === 'outgoing' || fact.shape !== 'request') return undefined;
  if (!CLIENT_ONLY.test(method)) return undefined;
  const isEcho = connection.requests.get(requestKey('outgoing', rpcId))?.method === method;
  return {
    rule: RPC.clientOnly,
    side: 'server',
    group: `client only ${method}`,
    message: `The server sent the request \`${method}\`, which only clients send.`,
    ...(isEcho
      ? { advice: 'It is the request that it got: does it only send back what comes in?' }
      : {}),
  };
}

function badResponse(fact: MessageFact): Finding | undefined {
  const { members, shape } = fact;
  // Without the version it is no JSON-RPC at all, and that is said already.
  if (shape !== 'response' || members?.['jsonrpc'] !== '2.0') return undefined;
  const fault = responseFault(members);
  if (fault === undefined) return undefined;
  return {
    rule: RPC.badResponse,
    side: senderOf(fact),
    message: `In ${nameOf(fact)}, ${fault}.`,
  };
}

function responseFault(members: Record<string, unknown>): string | undefined {
  const { result, error } = members;
  if ('result' in members && 'error' in members) return 'there are both a result and an error';
  if ('result' in members) {
    if (!isRecord(result)) return `the result is ${shown(result)}, not an object`;
    return 'id' in members && members['id'] !== null ? undefined : 'there is no id';
  }
  if (!('error' in members)) return 'there is neither a result nor an error';
  if (!isRecord(error)) return `the error is ${shown(error)}, not an object`;
  if (!Number.isInteger(error['code'])) {
    return `the error code is ${shown(error['code'])}, not an integer`;
  }
  return typeof error['message'] === 'string'
    ? undefined
    : `the error message is ${shown(error['message'])}, not a string`;
}

/** Frameworks write `id: null` where the schema only lets it be left out, and early ones want an id. */
function errorId(fact: MessageFact): Finding | undefined {
  const { members, shape } = fact;
  if (shape !== 'response' || members === undefined || 'result' in members) return undefined;
  if (!isRecord(members['error']) || (members['id'] ?? null) !== null) return undefined;
  // An HTTP error may carry an error without an id: the request could not be read.
  const isHttpError = (fact.exchange.head?.status ?? 0) >= 400;
  if (!('id' in members) && isHttpError) return undefined;
  const isNull = 'id' in members;
  return {
    rule: RPC.badResponse,
    severity: 'info',
    side: senderOf(fact),
    group: isNull ? 'null' : 'none',
    message: `An error came ${isNull ? 'with the id null' : 'without an id'}, so only the exchange tells which request it answers.`,
    advice: isNull
      ? 'Send the id of the request, or leave the member out if it could not be read.'
      : 'Send the id of the request.',
  };
}

function laterCode(fact: MessageFact): Finding | undefined {
  const error = fact.members?.['error'];
  if (!isRecord(error) || error['code'] !== -32042) return undefined;
  return {
    rule: RPC.codeOfLaterRevision,
    side: senderOf(fact),
    message: `The error code -32042 (URL elicitation required) does not exist in ${fact.revision}.`,
  };
}

function notUtf8(fact: PayloadFact): Finding | undefined {
  if (fact.bytes === undefined || !fact.text.includes('\uFFFD')) return undefined;
  const bytes = fact.bytes();
  if (decodeUtf8(bytes) !== undefined) return undefined;
  const offset = firstInvalidByte(bytes);
  return {
    rule: RPC.notUtf8,
    side: senderOf(fact),
    message: `Invalid UTF-8 at byte ${offset} of the ${partName(fact)} (${toHex(bytes[offset])}).`,
    advice: 'Messages must be UTF-8. The Stream tab shows the bytes in hex.',
    evidence: [evidenceOf(fact.event, fact.span)],
  };
}

function partName({ event }: PayloadFact): string {
  if (event.kind === 'sse-event') return 'event';
  return event.kind === 'socket-frame' ? 'frame' : 'body';
}

/** The longest good beginning, found by halving: only faulty messages come here. */
function firstInvalidByte(bytes: Uint8Array): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (isGoodStart(bytes.subarray(0, middle))) low = middle;
    else high = middle - 1;
  }
  return startOfSequence(bytes, low);
}

/** A sequence that is cut off is a good beginning: it is its first byte that nothing fits to. */
function startOfSequence(bytes: Uint8Array, end: number): number {
  if (end === bytes.length || decodeUtf8(bytes.subarray(0, end)) === undefined) {
    for (let at = end - 1; at >= 0 && at > end - 4; at -= 1) {
      if ((bytes[at] ?? 0) >= 0xc0) return at;
    }
  }
  return end;
}

function isGoodStart(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function toHex(byte: number | undefined): string {
  return byte === undefined ? 'cut off' : `0x${byte.toString(16).padStart(2, '0')}`;
}

export const RPC_DETECTORS: Detectors = {
  payload: [notJson, byteOrderMark, batch, notUtf8],
  message: [notRpc, badId, clientOnly, requestWithoutId, badResponse, errorId, laterCode],
};
