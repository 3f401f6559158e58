import type { Item } from '../../capture/correlate/items.ts';
import type { AppModel } from '../app-model.ts';
import { composerDeskOf } from '../composer/composer-desk.ts';
import { replayRunOf } from './replay-run-desk.ts';
import { runItemsOf } from './replay-run.ts';

/** The rows that are selected together, in the order in which they were recorded. What a filter hides is not among them. */
export function markedItems({ correlation, selection, traffic }: AppModel): Item[] {
  const marks = selection.marks.value;
  if (marks.size === 0) return [];
  return correlation.items.filter((item) => marks.has(item.key) && traffic.indexOf(item) >= 0);
}

/** Sends the selected rows again, in order: on the connection of the first where that lives, else on the newest. */
export function replaySelection(model: AppModel): void {
  const { composer, besides } = composerDeskOf(model);
  const run = replayRunOf(model);
  const items = runItemsOf(markedItems(model));
  model.composer.isOpen.value = true;
  besides.value = 'run';
  if (run.state.value === 'running') return;
  run.scope.value = 'selected';
  const own = items[0]?.connectionId;
  if (own !== undefined) composer.choose(own);
  const connection = composer.connection.value;
  if (connection !== undefined && items.length > 0) run.start(items, connection.connectionId);
}
