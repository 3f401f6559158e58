import { stringValue } from './parse.ts';
import type { JsonNode } from './parse.ts';

/** One visible line of a JSON tree. All texts are slices of the source, never re-encoded. */
export interface TreeRow {
  /** Unique within one tree: where the value starts, or for a line of a string a key of its own. */
  id: string;
  /** Where the value starts in the text: what an expansion set holds. */
  start: number;
  kind: JsonNode['kind'] | 'line';
  /** From 0. */
  depth: number;
  /** Member name with its quotes as in the source, or the index in an array; absent at the root. */
  label?: string;
  isIndex: boolean;
  /** Source of a scalar, beginning of a container's source, or one line of a decoded string. */
  text: string;
  /** UTF-16 units that `text` leaves out. */
  omitted: number;
  /** Number of children; 0 for scalars. */
  size: number;
  isExpandable: boolean;
  isExpanded: boolean;
  /** Index of the parent's row, -1 at the root. */
  parent: number;
  /** Place among its siblings from 1, and their number: what assistive technology reads. */
  position: number;
  siblings: number;
}

interface Entry {
  node: JsonNode;
  label?: string;
  isIndex: boolean;
}

interface Level {
  children: Entry[];
  next: number;
  depth: number;
  parent: number;
}

/** One row never carries more text than this: a row that is megabytes wide stops any browser. */
const ROW_TEXT_LIMIT = 2000;
const PREVIEW_LIMIT = 120;
/** Strings longer than this can be opened to be read line by line. */
const LONG_STRING = 160;

function childCount(node: JsonNode): number {
  if (node.kind === 'object') return node.members.length;
  return node.kind === 'array' ? node.items.length : 0;
}

function childEntries(text: string, node: JsonNode): Entry[] {
  if (node.kind === 'object') {
    return node.members.map((member) => ({
      node: member.value,
      label: text.slice(member.keyStart, member.keyEnd),
      isIndex: false,
    }));
  }
  if (node.kind !== 'array') return [];
  return node.items.map((item, index) => ({ node: item, label: String(index), isIndex: true }));
}

function isLongString(text: string, node: JsonNode): boolean {
  if (node.kind !== 'string') return false;
  if (node.end - node.start > LONG_STRING) return true;
  return text.slice(node.start, node.end).includes('\\n');
}

/** Rows of the tree with the given containers and long strings open, in display order. */
export function flattenTree(
  text: string,
  root: JsonNode,
  expanded: ReadonlySet<number>,
): TreeRow[] {
  const rows: TreeRow[] = [];
  // A stack of our own: a message may be nested deeper than the engine's call stack.
  const levels: Level[] = [
    { children: [{ node: root, isIndex: false }], next: 0, depth: 0, parent: -1 },
  ];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const entry = level.children[level.next];
    if (entry === undefined) {
      levels.pop();
      continue;
    }
    level.next += 1;
    const index = rows.length;
    const row = toTreeRow(text, entry, level, expanded);
    rows.push(row);
    if (!row.isExpanded) continue;
    if (entry.node.kind === 'string') pushLines(rows, text, entry.node, index, level.depth + 1);
    else {
      const children = childEntries(text, entry.node);
      levels.push({ children, next: 0, depth: level.depth + 1, parent: index });
    }
  }
  return rows;
}

function toTreeRow(
  text: string,
  entry: Entry,
  level: Level,
  expanded: ReadonlySet<number>,
): TreeRow {
  const { node } = entry;
  const size = childCount(node);
  const isContainer = node.kind === 'object' || node.kind === 'array';
  const isExpandable = size > 0 || isLongString(text, node);
  const length = node.end - node.start;
  const shown = Math.min(length, isContainer ? PREVIEW_LIMIT : ROW_TEXT_LIMIT);
  return {
    id: String(node.start),
    start: node.start,
    kind: node.kind,
    depth: level.depth,
    ...(entry.label === undefined ? {} : { label: entry.label }),
    isIndex: entry.isIndex,
    text: text.slice(node.start, node.start + shown),
    omitted: length - shown,
    size,
    isExpandable,
    isExpanded: isExpandable && expanded.has(node.start),
    parent: level.parent,
    position: level.next,
    siblings: level.children.length,
  };
}

function pushLines(
  rows: TreeRow[],
  text: string,
  node: JsonNode,
  parent: number,
  depth: number,
): void {
  const lines = (stringValue(text, node) ?? '').split('\n');
  for (const [index, line] of lines.entries()) {
    rows.push({
      id: `${node.start}-${index}`,
      start: node.start,
      kind: 'line',
      depth,
      isIndex: false,
      text: line.slice(0, ROW_TEXT_LIMIT),
      omitted: Math.max(line.length - ROW_TEXT_LIMIT, 0),
      size: 0,
      isExpandable: false,
      isExpanded: false,
      parent,
      position: index + 1,
      siblings: lines.length,
    });
  }
}

/** What to open at first: containers level by level while no more than `rowBudget` rows are shown. */
export function initialExpansion(root: JsonNode, rowBudget: number): Set<number> {
  const expanded = new Set<number>();
  let shown = 1;
  let level: JsonNode[] = [root];
  while (level.length > 0) {
    const below: JsonNode[] = [];
    for (const node of level) {
      const size = childCount(node);
      if (size === 0 || shown + size > rowBudget) continue;
      expanded.add(node.start);
      shown += size;
      if (node.kind === 'object') for (const member of node.members) below.push(member.value);
      else if (node.kind === 'array') for (const item of node.items) below.push(item);
    }
    level = below;
  }
  return expanded;
}
