import type { Item } from '../../capture/correlate/items.ts';
import type { TrafficView } from '../view/traffic-view.ts';

/** What a diagram is of: the selected row with all that belongs to it, the rows of the table, or everything. */
export type SequenceScope = 'selection' | 'shown' | 'all';

type View = Pick<TrafficView, 'indexOf' | 'parentOf'>;

/** Whether a row belongs to what is drawn. */
export function scopeOf(
  scope: SequenceScope,
  selected: Item | undefined,
  view: View,
): (item: Item) => boolean {
  switch (scope) {
    case 'all':
      return () => true;
    case 'shown':
      return (item) => view.indexOf(item) >= 0;
    case 'selection':
      return selected === undefined ? () => false : familyOf(selected, view);
  }
}

/** The group of a row, by its ids; of a stream or a socket, also what came over it. */
function familyOf(selected: Item, view: View): (item: Item) => boolean {
  const root = rootOf(selected, view);
  const carriers = [selected, root].filter(({ kind }) => kind === 'stream' || kind === 'socket');
  const isCarried = (item: Item) =>
    carriers.some(({ httpId, socketId }) =>
      socketId === undefined ? item.httpId === httpId : item.socketId === socketId,
    );
  return (item) => item === selected || rootOf(item, view) === root || isCarried(item);
}

function rootOf(item: Item, view: View): Item {
  let root = item;
  for (let parent = view.parentOf(root); parent !== undefined; parent = view.parentOf(root)) {
    root = parent;
  }
  return root;
}
