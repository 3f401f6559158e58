import { attemptBefore } from '../../capture/correlate/http-record.ts';
import type { HttpRecord, Item, MessageRef, RequestItem } from '../../capture/correlate/items.ts';
import type { WireEvent } from '../../capture/wire-event.ts';
import { formatDuration } from '../../text.ts';
import { durationBetween } from '../../capture/correlate/moments.ts';
import { indexOfSequence } from '../view/by-sequence.ts';
import { back, begin, levelState, wayOf } from './sequence-step.ts';
import type { SequenceSource, SequenceStep, Way } from './sequence-step.ts';

/** The arrows of a request: each attempt with what it was answered, and the answer that counts. */
export function requestSteps(item: RequestItem, source: SequenceSource): SequenceStep[] {
  const way = wayOf(item);
  const record = source.https.get(item.httpId ?? '');
  const before = item.direction === 'outgoing' ? attemptsBefore(record, source) : [];
  const first: SequenceStep = {
    ...begin(item, 'call'),
    ...way,
    label: [item.method, item.target ?? ''].filter(Boolean).join(' '),
    state: 'done',
  };
  const call: SequenceStep = {
    ...first,
    // The row is one for all of them, and begins with the first.
    ...(before.length > 0 && record !== undefined && placeOf(item, record)),
    label: [first.label, ...marksOf(item, source)].filter(Boolean).join(' '),
    state: item.outcome === 'pending' ? 'pending' : 'done',
  };
  const steps = before.flatMap((attempt, index) =>
    attemptSteps(index === 0 ? first : { ...first, ...placeOf(item, attempt) }, attempt),
  );
  const event = answerEvent(item, source);
  if (event !== undefined) return [...steps, call, answerOf(item, source, event, back(way))];
  if (item.outcome === 'pending') return [...steps, call];
  // Nothing came back: what became of it stands on the call itself.
  const label = `${call.label} · ${item.outcome}`;
  return [...steps, { ...call, label, state: levelState(item, source) }];
}

/** The exchanges with the same message that were answered by a challenge or a redirect, in order. */
function attemptsBefore(
  record: HttpRecord | undefined,
  { https }: Pick<SequenceSource, 'https'>,
): HttpRecord[] {
  const found = new Set<HttpRecord>();
  for (let last = record; last !== undefined && !found.has(last);) {
    found.add(last);
    last = https.get(attemptBefore(last.request) ?? '');
  }
  return [...found].slice(1).toReversed();
}

function placeOf(item: Item, { httpId, request }: HttpRecord) {
  const { sequence, wallTime } = request;
  return { key: `${item.key} ${httpId}`, sequence, time: wallTime };
}

/** An attempt that did not get through, and what it was answered. */
function attemptSteps(call: SequenceStep, { response, end }: HttpRecord): SequenceStep[] {
  if (response === undefined) return [call];
  const { sequence, wallTime } = end ?? response;
  const key = `${call.key} answer`;
  const label = String(response.status);
  const answer = { ...call, ...back(call), key, sequence, label, time: wallTime };
  return [call, { ...answer, kind: 'answer' }];
}

/** Which of several it is, and what it repeats. */
function marksOf(item: RequestItem, { https }: SequenceSource): string[] {
  const links = https.get(item.httpId ?? '')?.request.links;
  const isOurs = item.direction === 'outgoing';
  const isRedirected = isOurs && links?.reason === 'redirect';
  return [
    item.round === undefined ? '' : `(round ${item.round.number})`,
    item.replayOf === undefined ? '' : '(replay)',
    isOurs && links?.retryOf !== undefined && item.round === undefined
      ? `(attempt ${links.attempt ?? 2})`
      : '',
    isRedirected ? '(redirected)' : '',
  ];
}

/** The event that brought the answer, or that ended the waiting for it. */
function answerEvent(item: RequestItem, { https, sockets }: SequenceSource): WireEvent | undefined {
  const { response, httpId = '', direction } = item;
  if (response === undefined) {
    const record = https.get(httpId);
    const isAnswered = record?.response !== undefined && item.outcome === 'failed';
    return direction === 'outgoing' && isAnswered ? record.end : undefined;
  }
  switch (response.in) {
    case 'request':
      return https.get(response.httpId)?.request;
    case 'body':
      return https.get(response.httpId)?.end;
    case 'event':
      return findBySequence(https.get(response.httpId)?.stream ?? [], response);
    case 'frame':
      return findBySequence(sockets.get(response.socketId)?.frames ?? [], response);
  }
}

function findBySequence<Entry extends { sequence: number }>(
  list: readonly Entry[],
  { sequence }: MessageRef & { sequence: number },
): Entry | undefined {
  return list[indexOfSequence(list, sequence)];
}

function answerOf(
  item: RequestItem,
  source: SequenceSource,
  event: WireEvent,
  way: Way,
): SequenceStep {
  const words = answerWords(item, source);
  const { ms, isApproximate } = durationBetween(item.started, event);
  const duration = `${isApproximate ? '≈ ' : ''}${formatDuration(ms)}`;
  return {
    key: `${item.key} answer`,
    sequence: event.sequence,
    item,
    kind: 'answer',
    ...way,
    label: `${words} · ${duration}`,
    state: levelState(item, source),
    time: event.wallTime,
  };
}

function answerWords(item: RequestItem, { https }: SequenceSource): string {
  const status = item.direction === 'outgoing' ? https.get(item.httpId ?? '')?.response?.status : 0;
  const what =
    item.outcome === 'result'
      ? item.toolFailure === undefined
        ? (item.resultType ?? 'result')
        : 'tool error'
      : item.outcome;
  const problem = item.outcome === 'error' ? `: ${item.problem?.message ?? ''}` : '';
  return `${status ? `${status} ` : ''}${what}${problem}`;
}
