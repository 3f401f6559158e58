import { GROUP_SIZE, type Outline } from './outline.ts';
import type { Outlined } from './path.ts';

/** The key of the group that begins with a child: nodes are 0 and above. */
export function groupKey(firstChild: number): number {
  return -1 - firstChild;
}

/** Place of the item behind the last one of a group. */
export function groupEnd(outline: Outline, key: number): number {
  const first = -1 - key;
  return Math.min(outline.placeOf(first) + GROUP_SIZE, outline.sizeOf(outline.parentOf(first)));
}

/**
 * What to open: containers below a node level by level while no more than `rowBudget` rows are shown; the node
 * itself always.
 */
export function expansionBelow({ outline }: Outlined, node: number, rowBudget: number): number[] {
  const opened: number[] = [];
  let shown = 1;
  let level = [node];
  while (level.length > 0 && shown < rowBudget) {
    const below: number[] = [];
    for (const key of level) {
      const rows = countBelow(outline, key);
      if (rows === 0 || (shown + rows > rowBudget && key !== node)) continue;
      opened.push(key);
      shown += rows;
      pushBelow(below, outline, key);
    }
    level = below;
  }
  return opened;
}

/** Rows that opening a node or group shows. */
function countBelow(outline: Outline, key: number): number {
  if (key < 0) return groupEnd(outline, key) - outline.placeOf(-1 - key);
  const size = outline.sizeOf(key);
  return size > GROUP_SIZE ? Math.ceil(size / GROUP_SIZE) : size;
}

/** Adds what can be opened in turn. */
function pushBelow(list: number[], outline: Outline, key: number): void {
  const size = key < 0 ? 0 : outline.sizeOf(key);
  if (size > GROUP_SIZE) {
    for (let place = 0; place < size; place += GROUP_SIZE) {
      list.push(groupKey(outline.childAt(key, place) ?? key + 1));
    }
    return;
  }
  let child = key < 0 ? -1 - key : key + 1;
  for (let rest = countBelow(outline, key); rest > 0; rest -= 1) {
    if (outline.sizeOf(child) > 0) list.push(child);
    child = outline.nextOf(child);
  }
}
