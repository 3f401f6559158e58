import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { Item, RequestItem } from '../../capture/correlate/items.ts';

export type CallSource = Pick<Correlation, 'chains' | 'subscriptions'>;

/** How a call stands whose server asks before it goes on ("Multi Round-Trip Requests" of 2026-07-28). */
export interface RoundState {
  /** The round that decides what becomes of the row: for the first row, the last one. */
  decisive: RequestItem;
  /** `waiting` and `not-answered` are about what `decisive` asks; `answered` rounds have one after them. */
  asked?: 'waiting' | 'answered' | 'not-answered';
}

/** The state of a row that is a round; undefined for a row that is none. */
export function roundStateOf(item: Item, { chains }: CallSource): RoundState | undefined {
  if (item.kind !== 'request') return undefined;
  const chain = chains.get(item.round?.first ?? item.key);
  if (chain === undefined) return undefined;
  const last = chain.later.at(-1) ?? chain.first;
  const decisive = item.round === undefined ? last : item;
  if (decisive.resultType !== 'input_required') return { decisive };
  if (decisive !== last) return { decisive, asked: 'answered' };
  return { decisive, asked: chain.isWaiting ? 'waiting' : 'not-answered' };
}

/** The item whose outcome a row shows. */
export function decisiveItem(item: Item, source: CallSource): Item {
  return roundStateOf(item, source)?.decisive ?? item;
}
