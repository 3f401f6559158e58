import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { Item } from '../../capture/correlate/items.ts';
import { formatCount } from '../../text.ts';
import type { Cause, Relations } from './relations.ts';
import { toNames } from './rows.ts';
import type { TrafficView } from './traffic-view.ts';

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

/** The same for an item of a view. */
export function tellRelations(
  item: Item,
  relations: Relations,
  traffic: Pick<TrafficView, 'childrenOf'>,
  log: Correlation,
): string {
  const followers = traffic.childrenOf(item).length + relations.replaysOf(item).length;
  return wordRelations(relations.causesOf(item), followers, (other) => {
    const record = other.httpId === undefined ? undefined : log.https.get(other.httpId);
    const { name, target } = toNames(other, record, log);
    return `${name} ${target}`.trim();
  });
}
