import type { Item } from '../../lib/capture/correlate/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';

/** Adds to the tooltip of a status why its row may hang; looked for only when somebody points at it. */
export async function tellHint(cell: HTMLElement, item: Item, model: AppModel): Promise<void> {
  const { findHints } = await import('../../lib/state/hints/hints.ts');
  const [status] = cell.title.split('\n');
  const hints = findHints(item, model.correlation, model.clock.now.peek());
  cell.title = [status, ...hints.map(({ text }) => text)].join('\n');
}
