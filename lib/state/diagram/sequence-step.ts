import type { Correlation } from '../../capture/correlate/correlate.ts';
import type {
  Item,
  NotificationItem,
  RequestItem,
  StrayItem,
} from '../../capture/correlate/items.ts';
import { toLevel } from '../view/item-status.ts';
import { CLIENT, serverLifeline } from './sequence-lifelines.ts';

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

export type Way = Pick<SequenceStep, 'from' | 'to'>;

/** What a step has of the row that it is drawn for. */
export function begin(item: Item, kind: SequenceStep['kind']) {
  return { key: item.key, sequence: item.sequence, item, kind, time: item.started.wallTime };
}

/** From whom a message goes to whom. */
export function wayOf(item: RequestItem | NotificationItem | StrayItem): Way {
  const way = { from: CLIENT, to: serverLifeline(item.connectionId) };
  return item.direction === 'outgoing' ? way : back(way);
}

/** The way of what is answered to it. */
export function back({ from, to }: Way): Way {
  return { from: to, to: from };
}

/** How a row stands, as its arrows show it. */
export function levelState(item: Item, source: SequenceSource): SequenceStep['state'] {
  const level = toLevel(item, source);
  return level === 'normal' ? 'done' : level;
}
