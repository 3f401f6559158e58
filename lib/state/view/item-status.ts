import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { Item, RequestItem } from '../../capture/correlate/items.ts';
import { authStateWords } from '../auth/auth-state.ts';
import { roundStateOf, type CallSource } from './call-state.ts';
import { httpStatus } from '../detail/http-status.ts';

export type StatusSource = CallSource & Pick<Correlation, 'https' | 'auths'>;

export type RowLevel = 'normal' | 'warning' | 'error';

/** Whether something is still to come for this item. */
export function isPending(item: Item, source: CallSource): boolean {
  switch (item.kind) {
    case 'request': {
      const state = roundStateOf(item, source);
      return (state?.decisive ?? item).outcome === 'pending' || state?.asked === 'waiting';
    }
    case 'http':
    case 'auth':
      return item.outcome === 'pending';
    case 'stream':
    case 'socket':
      return item.outcome === 'pending' || item.outcome === 'open';
    case 'notification':
    case 'stray':
    case 'lifecycle':
      return false;
  }
}

const ASKED_WORDS = {
  waiting: 'input required',
  answered: 'answered',
  'not-answered': 'not answered',
} as const;

/** Words for what became of a request; empty where the HTTP status says it all. */
function requestWords(item: RequestItem): string {
  if (item.outcome === 'result') {
    if (item.toolFailure !== undefined) return 'tool error';
    if (item.direction === 'incoming') return 'answered';
    if (item.resultType !== undefined) return item.resultType;
    return item.socketId === undefined ? '' : 'result';
  }
  if (item.outcome === 'error' && item.direction === 'incoming') return 'refused';
  return item.outcome;
}

/** A subscription is no call that will be answered: what counts is whether it is there, and who ended it. */
function subscriptionWords(item: RequestItem, { subscriptions }: CallSource): string | undefined {
  const subscription = subscriptions.get(item.key);
  if (subscription === undefined) return undefined;
  if (item.outcome === 'pending') {
    return 'acknowledged' in subscription ? 'listening' : undefined;
  }
  if (item.outcome === 'result') return 'completed by the server';
  return subscription.isCancelledByServer ? 'cancelled by the server' : undefined;
}

/** Words for what became of an item; empty where the HTTP status says it all. */
function outcomeWords(item: Exclude<Item, RequestItem>, { auths }: StatusSource): string {
  switch (item.kind) {
    case 'stream':
      return item.outcome === 'not-offered' ? 'not offered' : item.outcome;
    case 'socket':
      return item.closeCode === undefined ? item.outcome : `${item.outcome} · ${item.closeCode}`;
    case 'http':
      return item.outcome === 'done' ? '' : item.outcome;
    case 'notification':
      return item.problem === undefined ? '' : 'failed';
    case 'auth':
      return authStateWords(item, auths.get(item.chain));
    case 'stray':
    case 'lifecycle':
      return '';
  }
}

/** Status cell: the HTTP status where the item has an exchange of its own, and the outcome in words. */
export function toStatusText(item: Item, source: StatusSource): string {
  if (item.kind === 'request') return requestStatus(item, source);
  const ownsExchange =
    item.kind === 'stream' ||
    item.kind === 'http' ||
    ((item.kind === 'notification' || item.kind === 'stray') && item.direction === 'outgoing');
  return withStatus(ownsExchange ? item.httpId : undefined, outcomeWords(item, source), source);
}

function requestStatus(item: RequestItem, source: StatusSource): string {
  const special = subscriptionWords(item, source);
  if (special !== undefined) return special;
  const state = roundStateOf(item, source);
  const decisive = state?.decisive ?? item;
  const words = state?.asked === undefined ? requestWords(decisive) : ASKED_WORDS[state.asked];
  return withStatus(item.direction === 'outgoing' ? decisive.httpId : undefined, words, source);
}

/** `httpId` of the exchange that belongs to the item alone. */
function withStatus(httpId: string | undefined, words: string, { https }: StatusSource): string {
  const status = httpId === undefined ? undefined : httpStatus(https.get(httpId));
  if (status === undefined) return words;
  return words === '' ? String(status) : `${status} · ${words}`;
}

/** How much attention a row asks for. */
export function toLevel(item: Item, source: CallSource): RowLevel {
  switch (item.kind) {
    case 'request':
      return requestLevel(item, source);
    case 'stream':
    case 'socket':
    case 'http':
      if (item.outcome === 'failed') return 'error';
      return item.outcome === 'interrupted' ? 'warning' : 'normal';
    case 'auth':
      if (item.outcome === 'failed') return 'error';
      return /^(?:denied|closed|interrupted)$/.test(item.outcome) ? 'warning' : 'normal';
    case 'notification':
      return item.problem === undefined ? 'normal' : 'error';
    case 'stray':
      return 'warning';
    case 'lifecycle':
      return item.level === 'info' ? 'normal' : item.level;
  }
}

function requestLevel(item: RequestItem, source: CallSource): RowLevel {
  const state = roundStateOf(item, source);
  if (state?.asked === 'not-answered') return 'warning';
  const { outcome, toolFailure, method, direction, problem } = state?.decisive ?? item;
  // Every legacy server refuses our question for its era, one way or the other: that is the answer to it.
  const isRefusal = outcome === 'error' || (problem?.answer?.status ?? 500) < 500;
  if (method === 'server/discover' && isRefusal) return 'normal';
  if (outcome === 'failed' || toolFailure !== undefined) return 'error';
  if (outcome === 'error') return direction === 'incoming' ? 'warning' : 'error';
  return outcome === 'interrupted' ? 'warning' : 'normal';
}
