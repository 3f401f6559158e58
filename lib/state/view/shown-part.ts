import type { Item } from '../../capture/correlate/items.ts';
import type { AppModel } from '../app-model.ts';
import type { ShownPart } from '../captures/file-model.ts';

/** The exchanges and sockets of the rows that are shown, folded ones included; undefined where nothing is left out. */
export function shownPart({
  traffic,
  correlation,
}: Pick<AppModel, 'traffic' | 'correlation'>): ShownPart | undefined {
  if (traffic.filteredOut.peek() === 0 && traffic.hidden.peek() === 0) return undefined;
  const ids = new Set<string>();
  const captureIds = new Set<string>();

  function add(item: Item): void {
    const { httpId, socketId } = item;
    if (httpId !== undefined) {
      ids.add(httpId);
      const http = correlation.https.get(httpId);
      if (http !== undefined) captureIds.add(http.request.captureId);
    }
    if (socketId !== undefined) {
      ids.add(socketId);
      const socket = correlation.sockets.get(socketId);
      if (socket !== undefined) captureIds.add(socket.opening.captureId);
    }
    if (traffic.isFolded(item)) for (const child of traffic.childrenOf(item)) add(child);
  }

  for (let index = 0; index < traffic.count.peek(); index += 1) {
    const item = traffic.itemAt(index);
    if (item !== undefined) add(item);
  }
  return { ids, captureIds };
}
