import type { Item } from '../../lib/capture/correlate/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';

/** The row that shows an exchange; undefined where that is only an earlier attempt of a row. */
export function rowOfExchange({ correlation }: AppModel, httpId: string): Item | undefined {
  return correlation.items.find(
    (item) => item.httpId === httpId && !('direction' in item && item.direction === 'incoming'),
  );
}

/** Selects the row of an exchange, on its headers; false where it has none of its own. */
export function openExchange(model: AppModel, httpId: string): boolean {
  const found = rowOfExchange(model, httpId);
  if (found === undefined) return false;
  model.traffic.reveal(found);
  model.selection.openAt(found, 'headers');
  return true;
}
