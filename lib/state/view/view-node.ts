import type { Item } from '../../capture/correlate/items.ts';
import type { Row } from './rows.ts';
import type { SortKey } from './sorting.ts';
import type { RowChunk } from './view-rows.ts';

/** What the view knows about one item. */
export interface ViewNode {
  readonly item: Item;
  /** Its place in the log. */
  readonly ordinal: number;
  /** By ids, whether shown or not. */
  parent: ViewNode | undefined;
  /** In order of the log. */
  children: Item[] | undefined;
  isFolded: boolean;
  /** Evaluation to which `passes` belongs; before it, nothing is known. */
  epoch: number;
  /** Whether clear, filter and range let it through. */
  passes: boolean;
  sortKey: SortKey;
  /** Where it stands in the list of rows; undefined while it has no row. */
  chunk: RowChunk | undefined;
  row: Row | undefined;
  /** What free text is looked for in, lower case, and the revision of the item that it is of. */
  text: string | undefined;
  textRevision: number;
}

/** A node of which nothing but its place is known. */
export function createNode(item: Item, ordinal: number): ViewNode {
  return {
    item,
    ordinal,
    parent: undefined,
    children: undefined,
    isFolded: false,
    epoch: -1,
    passes: false,
    sortKey: undefined,
    chunk: undefined,
    row: undefined,
    text: undefined,
    textRevision: -1,
  };
}

/** The order of rows: groups by the values of their top rows, and within a group by the log. */
export interface NodeOrder {
  /** The nearest node above that passes. */
  above(node: ViewNode): ViewNode | undefined;
  /** How many nodes above it pass. */
  depthOf(node: ViewNode): number;
  /** Whether a node above it that passes is folded. */
  isFoldedAway(node: ViewNode): boolean;
  compare(one: ViewNode, other: ViewNode): number;
}

/**
 * Creates the order. What stands above a row is not what the filter hides, but what of it is left: rows whose
 * parent is hidden are top rows. `compareTops` has to be a total order.
 */
export function createNodeOrder(
  passes: (node: ViewNode) => boolean,
  compareTops: (one: ViewNode, other: ViewNode) => number,
): NodeOrder {
  function above(node: ViewNode): ViewNode | undefined {
    let next = node.parent;
    while (next !== undefined && !passes(next)) next = next.parent;
    return next;
  }

  /** The topmost node above that passes, or the node itself. */
  function topOf(node: ViewNode): ViewNode {
    let top = node;
    for (let next = node.parent; next !== undefined; next = next.parent) {
      if (passes(next)) top = next;
    }
    return top;
  }

  function depthOf(node: ViewNode): number {
    let depth = 0;
    for (let next = above(node); next !== undefined; next = above(next)) depth += 1;
    return depth;
  }

  /** Two different nodes of one group: an ancestor comes first, else the branches decide. */
  function compareWithin(one: ViewNode, other: ViewNode): number {
    let [left, right] = [one, other];
    const difference = depthOf(one) - depthOf(other);
    for (let extra = difference; extra > 0; extra -= 1) left = above(left) ?? left;
    for (let extra = -difference; extra > 0; extra -= 1) right = above(right) ?? right;
    if (left === right) return difference;
    for (;;) {
      const [nextLeft, nextRight] = [above(left), above(right)];
      if (nextLeft === nextRight || nextLeft === undefined || nextRight === undefined) break;
      [left, right] = [nextLeft, nextRight];
    }
    return left.ordinal - right.ordinal;
  }

  return {
    above,
    depthOf,
    isFoldedAway(node) {
      for (let next = node.parent; next !== undefined; next = next.parent) {
        if (next.isFolded && passes(next)) return true;
      }
      return false;
    },
    compare(one, other) {
      if (one === other) return 0;
      const [left, right] = [topOf(one), topOf(other)];
      return left === right ? compareWithin(one, other) : compareTops(left, right);
    },
  };
}
