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

/** The innermost node at a place in the text; its name counts as part of it. Undefined where there is none. */
export function nodeAt(outline: Outline, offset: number): number | undefined {
  let low = 0;
  let high = outline.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (beginningOf(outline, middle) <= offset) low = middle + 1;
    else high = middle;
  }
  // What begins last before it may have ended before it, and so may what that is in.
  let node = low - 1;
  while (node >= 0 && outline.endOf(node) !== 0 && outline.endOf(node) <= offset) {
    node = outline.parentOf(node);
  }
  return node < 0 ? undefined : node;
}

function beginningOf(outline: Outline, node: number): number {
  const keyStart = outline.keyStartOf(node);
  return keyStart < 0 ? outline.startOf(node) : keyStart;
}

/** The nodes and groups that have to be open for a node to be seen. */
export function keysAbove(outline: Outline, node: number): number[] {
  const keys: number[] = [];
  for (let at = node; outline.parentOf(at) >= 0; at = outline.parentOf(at)) {
    const parent = outline.parentOf(at);
    keys.push(parent);
    if (outline.sizeOf(parent) <= GROUP_SIZE) continue;
    const place = outline.placeOf(at);
    keys.push(groupKey(outline.childAt(parent, place - (place % GROUP_SIZE)) ?? parent + 1));
  }
  return keys;
}

/** A list that has this many items when it is first seen will be long. */
const LONG_LIST = 100;

/** Of a text that is still being read: the long containers that are open in it, and what they are in. */
export function openLists(outline: Outline): number[] {
  const found: number[] = [];
  for (let node = outline.count - 1; node >= 0; node = outline.parentOf(node)) {
    const isOpen = outline.endOf(node) === 0;
    if (isOpen && (found.length > 0 || outline.sizeOf(node) > LONG_LIST)) found.push(node);
  }
  return found;
}
