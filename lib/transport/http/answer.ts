import { AppError, type Problem } from '../../errors.ts';
import type { RpcId } from '../../capture/correlate/items.ts';
import type { HttpEnd } from '../../capture/wire-event.ts';
import {
  diagnoseAbort,
  diagnoseHttpSse,
  diagnoseRefusedResume,
  diagnoseSilence,
  diagnoseSilentStream,
  diagnoseStreamEnd,
} from '../../protocol/diagnose-end.ts';
import { lookAlikes, responseId, type Payload } from '../../protocol/jsonrpc.ts';
import type { StreamCursor } from '../sse/event-stream.ts';
import { ExchangeAbort, type Exchange } from '../exchange/exchange.ts';
import type { StreamOutcome } from './reconnect.ts';
import type { ResumedMessage } from '../transport.ts';

/** Why we ended the exchange, for whoever waits for the response. */
export function abortError(end: HttpEnd, exchange: Exchange, message: ResumedMessage): AppError {
  const reason: unknown = message.signal.reason;
  const cause = end.outcome === 'aborted' ? end.cause : 'user';
  const sizeBytes = end.outcome === 'failed' ? 0 : end.sizeBytes;
  if (!(reason instanceof ExchangeAbort) || cause !== reason.abortCause) {
    return new AppError(diagnoseAbort({ cause, sizeBytes }, message.method));
  }
  if (reason.waitedMs === undefined) return reason;
  return new AppError(
    diagnoseSilence({
      rpcMethod: message.method,
      waitedMs: reason.waitedMs,
      headStatus: exchange.head.status,
      receivedBytes: sizeBytes,
    }),
  );
}

/** Whether a payload holds a response: to this request, or on its own exchange to whatever was asked there. */
export function answers(payload: Payload, rpcId?: RpcId): boolean {
  if (payload.kind === 'batch') return payload.items.some((item) => answers(item, rpcId));
  if (payload.kind !== 'message') return false;
  const { message } = payload;
  if (message.kind !== 'result' && message.kind !== 'error') return false;
  if (rpcId === undefined || message.id === rpcId) return true;
  return message.id !== null && lookAlikes(message.id).includes(rpcId);
}

/** Whether a payload was meant as the response to a request, but is none: nothing better will come. */
export function isBadAnswer(payload: Payload, rpcId: RpcId, byIdOnly = false): boolean {
  const asked = byIdOnly ? undefined : rpcId;
  return payload.kind === 'not-rpc' && responseId(payload.value, asked) === rpcId;
}

/** What whoever waits for the response is told when its stream is over; nothing where it brought one. */
export function answerProblem(
  outcome: StreamOutcome,
  message: ResumedMessage,
  cursor: StreamCursor,
): AppError | undefined {
  const { method } = message;
  switch (outcome.kind) {
    case 'done':
      return undefined;
    case 'aborted': {
      const { end } = outcome.reading;
      const isHttpSse = end.outcome === 'aborted' && end.cause === 'not-needed';
      if (isHttpSse) return new AppError(diagnoseHttpSse(method));
      return abortError(end, outcome.exchange, message);
    }
    case 'refused':
      return new AppError(diagnoseRefusedResume(method, outcome));
    case 'ended':
      return new AppError(streamEndProblem(method, cursor, outcome));
  }
}

/** Why a stream is over without the response that it owed. */
function streamEndProblem(
  rpcMethod: string,
  cursor: StreamCursor,
  { reading, problem }: Extract<StreamOutcome, { kind: 'ended' }>,
): Problem {
  if (reading === undefined || problem !== undefined) {
    return (
      problem ??
      diagnoseStreamEnd({ rpcMethod, eventCount: 0, resumable: false, startText: '', tailBytes: 0 })
    );
  }
  const { end } = reading;
  if (end.outcome === 'aborted' && end.note !== undefined) return diagnoseSilentStream(end.note);
  return diagnoseStreamEnd({
    rpcMethod,
    eventCount: reading.eventCount,
    resumable: cursor.lastEventId !== '',
    startText: reading.startText,
    tailBytes: reading.tailBytes,
    ...(reading.end.outcome === 'cut' ? { errorName: reading.end.errorName } : {}),
  });
}
