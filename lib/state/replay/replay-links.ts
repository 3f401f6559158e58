import type { HttpRecord, Item } from '../../capture/correlate/items.ts';

/** `sequence` of the item that this one repeats; undefined where it is no replay. */
export function originOf(item: Item, https: ReadonlyMap<string, HttpRecord>): number | undefined {
  if (item.kind === 'request' && item.replayOf !== undefined) return item.replayOf;
  if (item.kind === 'lifecycle' || ('direction' in item && item.direction === 'incoming')) {
    return undefined;
  }
  const request = https.get(item.httpId ?? '')?.request;
  return request?.sequence === item.sequence ? request.links.replayOf : undefined;
}

/** Whether there is something of ours in an item that can be sent again. */
export function isReplayable(item: Item | undefined): boolean {
  if (item === undefined || item.kind === 'lifecycle' || item.kind === 'socket') return false;
  return !('direction' in item) || item.direction === 'outgoing';
}
