import type { Correlation } from '../../capture/correlate/correlate.ts';
import type {
  HttpItem,
  Item,
  MessageRef,
  NotificationItem,
  RequestItem,
  SocketItem,
  StrayItem,
  StreamItem,
} from '../../capture/correlate/items.ts';
import type { WireEvent } from '../../capture/wire-event.ts';
import { formatDuration } from '../../text.ts';
import { authSummary } from '../auth/auth-state.ts';
import { indexOfSequence } from '../view/by-sequence.ts';
import { isPending, toLevel, toStatusText } from '../view/item-status.ts';
import { durationBetween } from '../time/moments.ts';
import { CLIENT, lifelineOfExchange, serverLifeline } from './sequence-lifelines.ts';

export type SequenceSource = Pick<
  Correlation,
  'https' | 'sockets' | 'connections' | 'chains' | 'subscriptions' | 'auths'
>;

/** One arrow of a sequence diagram, or a note across it. */
export interface SequenceStep {
  /** Unique within the diagram. */
  key: string;
  /** That of the event that it stands for: its place in time. */
  sequence: number;
  item: Item;
  /** `call` waits for an answer; `signal` goes one way. */
  kind: 'call' | 'answer' | 'signal' | 'note';
  /** Ids of lifelines; a note reaches from one to the other. */
  from: string;
  to: string;
  label: string;
  state: 'done' | 'pending' | 'warning' | 'error';
  /** Wall time, ms. */
  time: number;
}

type Way = Pick<SequenceStep, 'from' | 'to'>;

/** The arrows of a row as it stands now, in order. */
export function toSequenceSteps(item: Item, source: SequenceSource): SequenceStep[] {
  switch (item.kind) {
    case 'request':
      return requestSteps(item, source);
    case 'notification':
      return signalSteps(item, source, notificationLabel(item));
    case 'stray':
      return signalSteps(item, source, STRAY_LABELS[item.what]);
    case 'stream':
    case 'http':
      return exchangeSteps(item, source);
    case 'socket':
      return socketSteps(item, source);
    case 'auth': {
      const { connectionId } = item;
      const to = connectionId === undefined ? CLIENT : serverLifeline(connectionId);
      const label = `Authorization: ${authSummary(item, source.auths.get(item.chain))}`;
      return [{ ...begin(item, 'note'), from: CLIENT, to, label, state: levelState(item, source) }];
    }
    case 'lifecycle': {
      // The end of a stream is an arrow already.
      if (item.event.kind === 'http-end') return [];
      const detail = item.detail === undefined ? '' : `: ${item.detail}`;
      const to = item.connectionId === undefined ? CLIENT : serverLifeline(item.connectionId);
      return [
        {
          ...begin(item, 'note'),
          from: CLIENT,
          to,
          label: `${item.title}${detail}`,
          state: item.level === 'info' ? 'done' : item.level,
        },
      ];
    }
  }
}

function requestSteps(item: RequestItem, source: SequenceSource): SequenceStep[] {
  const way = wayOf(item);
  const call: SequenceStep = {
    ...begin(item, 'call'),
    ...way,
    label: [item.method, item.target ?? '', ...marksOf(item, source)].filter(Boolean).join(' '),
    state: item.outcome === 'pending' ? 'pending' : 'done',
  };
  const event = answerEvent(item, source);
  if (event !== undefined) return [call, answerOf(item, source, event, back(way))];
  if (item.outcome === 'pending') return [call];
  // Nothing came back: what became of it stands on the call itself.
  return [{ ...call, label: `${call.label} · ${item.outcome}`, state: levelState(item, source) }];
}

/** Which of several it is, and what it repeats. */
function marksOf(item: RequestItem, { https }: SequenceSource): string[] {
  const links = https.get(item.httpId ?? '')?.request.links;
  const isOurs = item.direction === 'outgoing';
  return [
    item.round === undefined ? '' : `(round ${item.round.number})`,
    item.replayOf === undefined ? '' : '(replay)',
    isOurs && links?.retryOf !== undefined && item.round === undefined
      ? `(attempt ${links.attempt ?? 2})`
      : '',
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

function notificationLabel({ method, summary = '' }: NotificationItem): string {
  if (method === 'notifications/progress') return `progress ${summary}`.trim();
  return `${method} ${summary}`.trim();
}

const STRAY_LABELS: Record<StrayItem['what'], string> = {
  response: 'response that no open request has',
  batch: 'batch',
  duplicate: 'event that came before',
  'not-json': 'not JSON',
  'not-rpc': 'not JSON-RPC',
};

function signalSteps(
  item: NotificationItem | StrayItem,
  source: SequenceSource,
  label: string,
): SequenceStep[] {
  const step = { ...begin(item, 'signal'), ...wayOf(item) };
  return [{ ...step, label, state: levelState(item, source) }];
}

function exchangeSteps(item: StreamItem | HttpItem, source: SequenceSource): SequenceStep[] {
  const record = source.https.get(item.httpId);
  if (record === undefined) return [];
  const { request, response, end } = record;
  const way = { from: CLIENT, to: lifelineOfExchange(record) };
  const isResumed = request.links.lastEventId !== undefined;
  const name =
    item.kind === 'stream'
      ? `${isResumed ? 'resume ' : ''}${request.method} stream`
      : `${request.method} ${pathOf(request.url.text)}`;
  const level = levelState(item, source);
  const isOpen = isPending(item, source);
  /** A restart of the worker ends what has no end of its own. */
  const cut = !isOpen && end === undefined;
  const suffix = cut ? ` · ${item.outcome}` : '';
  const wasOpen =
    item.kind === 'stream' && item.outcome !== 'not-offered' && response?.status === 200;
  const state = isOpen && !wasOpen ? 'pending' : cut && !wasOpen ? level : 'done';
  const label = wasOpen ? name : `${name}${suffix}`;
  const steps: SequenceStep[] = [{ ...begin(item, 'call'), ...way, label, state }];
  const add = (key: string, event: WireEvent, label: string, state: SequenceStep['state']) =>
    steps.push({
      key: `${item.key} ${key}`,
      sequence: event.sequence,
      item,
      kind: 'answer',
      ...back(way),
      label,
      state,
      time: event.wallTime,
    });
  if (wasOpen) {
    const words = `${response.status} stream open${suffix}`;
    add('open', response, words, isOpen ? 'pending' : cut ? level : 'done');
    if (end !== undefined) add('end', end, `stream ${item.outcome}`, level);
  } else if (end !== undefined) {
    const status = toStatusText(item, source);
    add('end', end, status === '' ? 'done' : status, level);
  }
  return steps;
}

function socketSteps(item: SocketItem, source: SequenceSource): SequenceStep[] {
  const record = source.sockets.get(item.socketId);
  if (record === undefined) return [];
  const { open, close } = record;
  const way = { from: CLIENT, to: serverLifeline(item.connectionId) };
  const state = open === undefined && close === undefined ? 'pending' : 'done';
  const steps: SequenceStep[] = [{ ...begin(item, 'call'), ...way, label: 'WebSocket', state }];
  if (open !== undefined) {
    steps.push({
      ...begin(item, 'answer'),
      key: `${item.key} open`,
      sequence: open.sequence,
      time: open.wallTime,
      ...back(way),
      label: open.subprotocol === '' ? 'open' : `open, subprotocol ${open.subprotocol}`,
      state: close === undefined ? 'pending' : 'done',
    });
  }
  if (close !== undefined) {
    const reason = close.reason === '' ? '' : ` ${close.reason}`;
    steps.push({
      ...begin(item, 'signal'),
      key: `${item.key} close`,
      sequence: close.sequence,
      time: close.wallTime,
      ...(close.by === 'us' ? way : back(way)),
      label: `close ${close.code}${reason}`,
      state: levelState(item, source),
    });
  }
  return steps;
}

function begin(item: Item, kind: SequenceStep['kind']) {
  return { key: item.key, sequence: item.sequence, item, kind, time: item.started.wallTime };
}

function wayOf(item: RequestItem | NotificationItem | StrayItem): Way {
  const way = { from: CLIENT, to: serverLifeline(item.connectionId) };
  return item.direction === 'outgoing' ? way : back(way);
}

function back({ from, to }: Way): Way {
  return { from: to, to: from };
}

function levelState(item: Item, source: SequenceSource): SequenceStep['state'] {
  const level = toLevel(item, source);
  return level === 'normal' ? 'done' : level;
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
