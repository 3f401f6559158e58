import type { Item } from '../../lib/capture/correlate/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';

/** Shows a row of the traffic with its details, in place of the server screen. */
export function openRow(model: AppModel, item: Item): void {
  model.server.isOpen.value = false;
  model.traffic.reveal(item);
  model.selection.open(item);
}
