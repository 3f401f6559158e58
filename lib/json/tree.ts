import { GROUP_SIZE, type NodeKind } from './outline.ts';
import { stringAt, type Outlined } from './path.ts';
import { scanString } from './scan.ts';
import { groupEnd, groupKey } from './tree-expansion.ts';

/** One visible line of a JSON tree. All texts are slices of the source, never re-encoded. */
export interface TreeRow {
  /** Unique within one tree. */
  id: string;
  /** What an expansion set holds: the node, or for a group of items a number below 0. */
  key: number;
  node: number;
  /** A `group` is a run of items of a long container, a `line` is one of a string that is read line by line. */
  kind: NodeKind | 'line' | 'group';
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

/** The rows of a tree; each is made when it is looked at. */
export interface TreeRows {
  count: number;
  /** There are more, which no screen has room for. */
  isCut: boolean;
  at(index: number): TreeRow | undefined;
  /** Index of the row of a node or group, or -1. */
  indexOf(key: number): number;
}

/** A JSON text that may still be being read. */
export type TreeSource = Outlined & { position: number };

/** Children of a container, or of one of its groups, that are being listed. */
interface Level {
  kind: 'children' | 'groups';
  node: number;
  /** Place of the next child, and the one that ends the level. */
  place: number;
  end: number;
  /** Place of the first one. */
  from: number;
  child: number;
  depth: number;
  parent: number;
}

/** One row never carries more text than this: a row that is megabytes wide stops any browser. */
const ROW_TEXT_LIMIT = 2000;
const PREVIEW_LIMIT = 120;
/** Strings longer than this can be opened to be read line by line, */
const LONG_STRING = 80;
/** but of those beyond this, the text view shows the lines. */
const LINES_LIMIT = 1_000_000;
/** Lists that are higher than this in all leave what browsers can lay out. */
const ROW_LIMIT = 150_000;

/** Rows of the tree with the given containers and long strings open, in display order. */
export function flattenTree(
  source: TreeSource,
  expanded: ReadonlySet<number>,
  rowLimit = ROW_LIMIT,
): TreeRows {
  const { text, outline } = source;
  const keys: number[] = [];
  const nodes: number[] = [];
  const depths: number[] = [];
  const parents: number[] = [];
  /** Place among the siblings, and their number. */
  const positions: number[] = [];
  const siblings: number[] = [];
  /** By node: the lines of strings that are open. */
  const lines = new Map<number, string[]>();
  const firstLines = new Map<number, number>();
  const levels: Level[] = [];
  let isCut = false;

  function push(key: number, node: number, level: Pick<Level, 'depth' | 'parent'>): number {
    const index = keys.length;
    keys.push(key);
    nodes.push(node);
    depths.push(level.depth);
    parents.push(level.parent);
    return index;
  }

  function placed(position: number, of: number): void {
    positions.push(position);
    siblings.push(of);
  }

  function open(node: number, depth: number, parent: number): void {
    const size = outline.sizeOf(node);
    if (size > 0) {
      const isLong = size > GROUP_SIZE;
      const end = isLong ? Math.ceil(size / GROUP_SIZE) : size;
      const kind = isLong ? 'groups' : 'children';
      levels.push({ kind, node, place: 0, from: 0, end, child: node + 1, depth, parent });
      return;
    }
    const found = (stringAt(source, node) ?? '').split('\n');
    lines.set(node, found);
    firstLines.set(node, keys.length);
    for (const index of found.keys()) {
      if (keys.length >= rowLimit) return;
      push(node, node, { depth, parent });
      placed(index + 1, found.length);
    }
  }

  function step(level: Level): void {
    const { node, depth } = level;
    const { place } = level;
    level.place += 1;
    const of = level.end - level.from;
    if (level.kind === 'groups') {
      const first = outline.childAt(node, place * GROUP_SIZE) ?? node + 1;
      const index = push(groupKey(first), node, level);
      placed(place + 1, of);
      if (!expanded.has(groupKey(first))) return;
      const from = place * GROUP_SIZE;
      const end = Math.min(from + GROUP_SIZE, outline.sizeOf(node));
      const children = { kind: 'children', node, place: from, from, end, child: first } as const;
      levels.push({ ...children, depth: depth + 1, parent: index });
      return;
    }
    const { child } = level;
    level.child = outline.nextOf(child);
    const index = push(child, child, level);
    placed(place - level.from + 1, of);
    if (expanded.has(child) && isExpandable(source, child)) open(child, depth + 1, index);
  }

  if (outline.count > 0) {
    push(0, 0, { depth: 0, parent: -1 });
    placed(1, 1);
    if (expanded.has(0) && isExpandable(source, 0)) open(0, 1, 0);
  }
  // A stack of our own: a message may be nested deeper than the engine's call stack.
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    if (keys.length >= rowLimit) {
      isCut = true;
      break;
    }
    if (level.place >= level.end) levels.pop();
    else step(level);
  }

  function lineRow(index: number, node: number): Partial<TreeRow> {
    const number = index - (firstLines.get(node) ?? 0);
    const line = lines.get(node)?.[number] ?? '';
    return {
      id: `${node}-${number}`,
      kind: 'line',
      text: line.slice(0, ROW_TEXT_LIMIT),
      omitted: Math.max(line.length - ROW_TEXT_LIMIT, 0),
    };
  }

  function groupRow(key: number): Partial<TreeRow> {
    const from = outline.placeOf(-1 - key);
    const to = groupEnd(outline, key) - 1;
    return {
      id: `g${-1 - key}`,
      kind: 'group',
      text: `${from.toLocaleString('en')} … ${to.toLocaleString('en')}`,
      size: to - from + 1,
      isExpandable: true,
      isExpanded: expanded.has(key),
    };
  }

  function nodeRow(node: number): Partial<TreeRow> {
    const kind = outline.kindOf(node);
    const isContainer = kind === 'object' || kind === 'array';
    const start = outline.startOf(node);
    const length = (outline.endOf(node) || source.position) - start;
    const shown = Math.min(length, isContainer ? PREVIEW_LIMIT : ROW_TEXT_LIMIT);
    const canExpand = isExpandable(source, node);
    const label = labelOf(source, node);
    return {
      id: String(node),
      kind,
      ...(label === undefined ? {} : { label }),
      isIndex: outline.keyStartOf(node) < 0,
      text: text.slice(start, start + shown),
      omitted: length - shown,
      size: outline.sizeOf(node),
      isExpandable: canExpand,
      isExpanded: canExpand && expanded.has(node),
    };
  }

  return {
    count: keys.length,
    isCut,
    indexOf: (key) => keys.indexOf(key),
    at(index) {
      const [key, node] = [keys[index], nodes[index]];
      if (key === undefined || node === undefined) return undefined;
      const parent = parents[index] ?? -1;
      const isLine = parent >= 0 && nodes[parent] === node && key === node;
      const own = isLine ? lineRow(index, node) : key < 0 ? groupRow(key) : nodeRow(node);
      return {
        id: '',
        key,
        node,
        kind: 'null',
        isIndex: false,
        text: '',
        omitted: 0,
        size: 0,
        isExpandable: false,
        isExpanded: false,
        depth: depths[index] ?? 0,
        parent,
        position: positions[index] ?? 1,
        siblings: siblings[index] ?? 1,
        ...own,
      };
    },
  };
}

function labelOf(source: Outlined, node: number): string | undefined {
  const { text, outline } = source;
  const start = outline.keyStartOf(node);
  if (start >= 0) return text.slice(start, scanString(text, start));
  return outline.parentOf(node) < 0 ? undefined : String(outline.placeOf(node));
}

function isExpandable(source: Outlined, node: number): boolean {
  const { text, outline } = source;
  if (outline.sizeOf(node) > 0) return true;
  if (outline.kindOf(node) !== 'string') return false;
  const [start, end] = [outline.startOf(node), outline.endOf(node)];
  const length = end - start;
  if (length > LINES_LIMIT) return false;
  return length > LONG_STRING || text.slice(start, end).includes('\\n');
}
