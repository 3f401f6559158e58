import { AppError } from '../../errors.ts';
import { diagnoseBody } from '../../protocol/diagnose.ts';
import { diagnoseCut } from '../../protocol/diagnose-end.ts';
import { classifyPayload, type Payload } from '../../protocol/jsonrpc.ts';
import { abortError, answers } from './answer.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { createCollector } from '../exchange/reply-body.ts';
import type { OutgoingMessage } from '../transport.ts';

/**
 * Reads a JSON body that answers a request, and delivers what it holds. Rejects with an `AppError` where that
 * is no response.
 */
export async function readJsonReply(
  exchange: Exchange,
  message: OutgoingMessage,
  limitBytes: number,
  deliver: (payload: Payload) => void,
): Promise<void> {
  const collector = createCollector(limitBytes);
  const end = await exchange.read((chunk) => (collector.add(chunk) ? undefined : 'limit'));
  const text = collector.text();
  const payload = classifyPayload(text);
  // Some servers forget to end a body that is all there.
  const isAnswer = answers(payload);
  if (end.outcome === 'aborted' && !(isAnswer && end.cause === 'deadline')) {
    throw abortError(end, exchange, message);
  }
  deliver(payload);
  if (isAnswer) return;
  if (end.outcome === 'cut') throw new AppError(diagnoseCut(message.method, end));
  throw new AppError(
    payload.kind === 'not-json' || payload.kind === 'not-rpc'
      ? diagnoseBody(payload, message.method, text)
      : diagnoseBody({ kind: 'not-rpc', reason: 'it holds no response' }, message.method, text),
  );
}
