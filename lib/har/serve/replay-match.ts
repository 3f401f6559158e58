import type { Message } from '../../protocol/jsonrpc.ts';
import { paramsKey, targetOf, type RecordedCall, type Recording } from './recording.ts';

/** How a recording was found for a request: the same call, one of the same tool, or the next of its method. */
export type MatchKind = 'same' | 'target' | 'order';

/** What is to be said again. */
export interface Match {
  kind: MatchKind;
  call: RecordedCall;
}

/** Finds the recorded call that is most like a request; the one least used first, in the order of the capture. */
export type FindCall = (request: Message & { kind: 'request' }) => Match | undefined;

/** Prepares a recording to be asked. */
export function createMatcher({ calls }: Recording): FindCall {
  const uses = new Map<RecordedCall, number>();
  // What succeeded goes before what was refused: a refusal is of its time.
  const inOrder = calls.toSorted((a, b) => rank(a) - rank(b));

  function take(kind: MatchKind, fits: (call: RecordedCall) => boolean): Match | undefined {
    let best: RecordedCall | undefined;
    for (const call of inOrder) {
      if (!fits(call)) continue;
      if (best === undefined || isBetter(call, best)) best = call;
    }
    if (best === undefined) return undefined;
    uses.set(best, usesOf(best) + 1);
    return { kind, call: best };
  }

  const usesOf = (call: RecordedCall) => uses.get(call) ?? 0;
  const isBetter = (call: RecordedCall, best: RecordedCall) =>
    rank(call) === rank(best) && usesOf(call) < usesOf(best);

  return (request) => {
    const { method } = request;
    const target = targetOf(request);
    const params = paramsKey(request.params);
    const isOne = (call: RecordedCall) => call.method === method;
    return (
      take('same', (call) => isOne(call) && call.params === params) ??
      take('target', (call) => isOne(call) && target !== undefined && call.target === target) ??
      take('order', (call) => isOne(call) && (target === undefined || call.target === undefined))
    );
  };
}

/** Answered, refused, or neither. */
function rank({ messages, refusal }: RecordedCall): number {
  if (messages.length > 0) return 0;
  return refusal === undefined ? 2 : 1;
}

/** What a capture has of a method, in words. */
export function wordMissing(request: Message & { kind: 'request' }, { calls }: Recording): string {
  const target = targetOf(request);
  const asked = `${request.method}${target === undefined ? '' : ` “${target}”`}`;
  const known = new Set(
    calls.flatMap(({ method, target: name }) =>
      method === request.method && name !== undefined ? [`“${name}”`] : [],
    ),
  );
  const methods = new Set(calls.map(({ method }) => method));
  const held =
    known.size > 0
      ? `It has ${request.method} of ${[...known].slice(0, 20).join(', ')}.`
      : `It has ${[...methods].join(', ') || 'no request at all'}.`;
  return `The capture has no recording of ${asked}. ${held}`;
}
