import type {
  HttpItem,
  Item,
  NotificationItem,
  SocketItem,
  StrayItem,
  StreamItem,
} from '../../capture/correlate/items.ts';
import type { WireEvent } from '../../capture/wire-event.ts';
import { authSummary } from '../auth/auth-state.ts';
import { isPending, toStatusText } from '../view/item-status.ts';
import { requestSteps } from './request-steps.ts';
import { CLIENT, lifelineOfExchange, serverLifeline } from './sequence-lifelines.ts';
import { back, begin, levelState, wayOf } from './sequence-step.ts';
import type { SequenceSource, SequenceStep } from './sequence-step.ts';

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

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
