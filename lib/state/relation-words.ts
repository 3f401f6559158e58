import { formatCount } from '../text.ts';
import type { Item } from '../capture/items.ts';
import type { Cause } from './relations.ts';

/** How a row hangs together with others, for who cannot see the marks; empty where it does with none. */
export function wordRelations(
  causes: readonly Cause[],
  followers: number,
  nameOf: (item: Item) => string,
): string {
  const sentences = causes.map(({ item, word }) => `${word} ${nameOf(item)}.`);
  if (followers > 0) {
    sentences.push(`${formatCount(followers, 'row follows', 'rows follow')} from it.`);
  }
  return sentences.join(' ');
}
