import type { JsonNode } from './parse.ts';

export type NodeKind = JsonNode['kind'];

const KINDS: readonly NodeKind[] = ['object', 'array', 'string', 'number', 'true', 'false', 'null'];

/** Children of one container are reachable in steps of this many. */
export const GROUP_SIZE = 1000;

/** What is kept of a node, one 32-bit number each. */
const FIELDS = 7;
const [KIND, START, END, NEXT, SIZE, PARENT, KEY_START] = [0, 1, 2, 3, 4, 5, 6] as const;
type Field = typeof KIND | typeof START | typeof END | typeof NEXT | typeof SIZE | typeof PARENT;

const PAGE_BITS = 14;
const PAGE_NODES = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_NODES - 1;

/**
 * The places of all values of a JSON text, in the order of the text: a node is its number, and its children
 * follow it. It may still grow; then the containers that are open hold what has been read of them.
 */
export interface Outline {
  /** Nodes so far. The root is node 0. */
  readonly count: number;
  kindOf(node: number): NodeKind;
  /** Places in the text, in UTF-16 units; the end of what is still open is 0. */
  startOf(node: number): number;
  endOf(node: number): number;
  /** Number of children. */
  sizeOf(node: number): number;
  /** -1 at the root. */
  parentOf(node: number): number;
  /** Where the name stands in the text, its opening quote included; -1 where there is none. */
  keyStartOf(node: number): number;
  /** The node after this one and all that is in it. */
  nextOf(node: number): number;
  /** A child by its place from 0; undefined beyond their end. Costs no more than `GROUP_SIZE` steps. */
  childAt(node: number, place: number): number | undefined;
  /** Place of a node among its siblings, from 0. */
  placeOf(node: number): number;
}

/** An outline that is being made. */
export interface OutlineBuilder extends Outline {
  add(kind: NodeKind, start: number, parent: number, keyStart: number): number;
  close(node: number, end: number): void;
}

/** An outline of 28 bytes a node, in pages, so that growing never copies what is there. */
export function createOutline(): OutlineBuilder {
  const pages: Int32Array[] = [];
  /** By container: every `GROUP_SIZE`th child. */
  const anchors = new Map<number, number[]>();
  let count = 0;

  function get(node: number, field: Field | typeof KEY_START): number {
    return pages[node >> PAGE_BITS]?.[(node & PAGE_MASK) * FIELDS + field] ?? 0;
  }

  function set(node: number, field: Field, value: number): void {
    const page = pages[node >> PAGE_BITS];
    if (page !== undefined) page[(node & PAGE_MASK) * FIELDS + field] = value;
  }

  function addChild(parent: number, node: number): void {
    const place = get(parent, SIZE);
    set(parent, SIZE, place + 1);
    if (place === 0 || place % GROUP_SIZE !== 0) return;
    const known = anchors.get(parent);
    if (known === undefined) anchors.set(parent, [node]);
    else known.push(node);
  }

  function nextOf(node: number): number {
    // What is open reaches to the end of what has been read.
    return get(node, NEXT) || count;
  }

  return {
    get count() {
      return count;
    },
    kindOf: (node) => KINDS[get(node, KIND)] ?? 'null',
    startOf: (node) => get(node, START),
    endOf: (node) => get(node, END),
    sizeOf: (node) => get(node, SIZE),
    parentOf: (node) => get(node, PARENT),
    keyStartOf: (node) => get(node, KEY_START),
    nextOf,
    childAt(node, place) {
      if (place < 0 || place >= get(node, SIZE)) return undefined;
      const group = Math.floor(place / GROUP_SIZE);
      let child = group === 0 ? node + 1 : (anchors.get(node)?.[group - 1] ?? node + 1);
      for (let rest = place % GROUP_SIZE; rest > 0; rest -= 1) child = nextOf(child);
      return child;
    },
    placeOf(node) {
      const parent = get(node, PARENT);
      if (parent < 0) return 0;
      const list = anchors.get(parent) ?? [];
      const groups = countUpTo(list, node);
      let sibling = groups === 0 ? parent + 1 : (list[groups - 1] ?? parent + 1);
      let place = groups * GROUP_SIZE;
      for (; sibling < node; place += 1) sibling = nextOf(sibling);
      return place;
    },
    add(kind, start, parent, keyStart) {
      const node = count;
      if ((node & PAGE_MASK) === 0) pages.push(new Int32Array(PAGE_NODES * FIELDS));
      const page = pages[node >> PAGE_BITS];
      const at = (node & PAGE_MASK) * FIELDS;
      if (page !== undefined) {
        page[at + KIND] = KINDS.indexOf(kind);
        page[at + START] = start;
        page[at + PARENT] = parent;
        page[at + KEY_START] = keyStart;
      }
      count += 1;
      if (parent >= 0) addChild(parent, node);
      return node;
    },
    close(node, end) {
      set(node, END, end);
      set(node, NEXT, count);
    },
  };
}

/** How many of an ascending list are no greater than a value. */
function countUpTo(list: readonly number[], value: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
