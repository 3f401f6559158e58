import type { Item } from '../../capture/correlate/items.ts';
import type { SortKey } from './sorting.ts';
import { createNodeOrder } from './view-node.ts';
import type { ViewNode } from './view-node.ts';
import { createRowList } from './view-rows.ts';
import type { RowList } from './view-rows.ts';

/** What decides which rows there are, and in which order. */
export interface ArrangementRules {
  /** Tells this arrangement's knowledge of a node from that of others. */
  epoch: number;
  isCleared(node: ViewNode): boolean;
  /** Whether filter and range let an item through, as it stands now. */
  matches(node: ViewNode): boolean;
  /** Absent where rows stand in the order of the log. */
  sort?: { keyOf(item: Item): SortKey; compare(one: SortKey, other: SortKey): number } | undefined;
  nodeOf(item: Item): ViewNode | undefined;
}

/** Rows under one set of rules. A node has no row until it has been settled. */
export interface Arrangement {
  readonly rows: RowList;
  /** Number of nodes that were settled, cleared ones apart, and of those among them that were let through. */
  readonly settled: number;
  readonly passing: number;
  /** Gives a node its place, and those above it. Does nothing where that has been done. */
  settle(node: ViewNode): void;
  /** Looks at a node again whose item has changed. */
  update(node: ViewNode): void;
  /** Puts a node, with all that stands under it, under another one. */
  regroup(node: ViewNode, parent: ViewNode): void;
  setFolded(node: ViewNode, isFolded: boolean): void;
  passes(node: ViewNode): boolean;
  /** How many nodes that pass stand above it. */
  depthOf(node: ViewNode): number;
  /** How many rows stand under a row, or would if it were not folded. */
  rowsUnder(node: ViewNode | undefined): number;
}

/** Creates an arrangement without rows. */
export function createArrangement(rules: ArrangementRules): Arrangement {
  const { epoch, isCleared, sort, nodeOf } = rules;
  const order = createNodeOrder(passes, compareTops);
  const rows = createRowList(order.compare);
  let settled = 0;
  let passing = 0;

  function passes(node: ViewNode): boolean {
    return node.passes && node.epoch === epoch;
  }

  function compareTops(one: ViewNode, other: ViewNode): number {
    const byKey = sort === undefined ? 0 : sort.compare(one.sortKey, other.sortKey);
    return byKey === 0 ? one.ordinal - other.ordinal : byKey;
  }

  function matches(node: ViewNode): boolean {
    return !isCleared(node) && rules.matches(node);
  }

  function evaluate(node: ViewNode): void {
    node.epoch = epoch;
    node.passes = matches(node);
    if (!node.passes) return;
    passing += 1;
    if (sort !== undefined) node.sortKey = sort.keyOf(node.item);
  }

  function settle(node: ViewNode): void {
    if (node.epoch === epoch) return;
    // What is not in here belongs to earlier rules, and is not to be taken for ours.
    node.chunk = undefined;
    // Where it stands depends on what is above it.
    if (node.parent !== undefined) settle(node.parent);
    if (!isCleared(node)) settled += 1;
    evaluate(node);
    if (node.passes && !order.isFoldedAway(node)) rows.insert(node);
  }

  /** Everything under a node that has a row or should have one, without the node. */
  function gather(node: ViewNode, wanted: (below: ViewNode) => boolean): ViewNode[] {
    const found: ViewNode[] = [];
    const waiting = [node];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const item of next.children ?? []) {
        const child = nodeOf(item);
        if (child === undefined) continue;
        if (wanted(child)) found.push(child);
        if (child.children !== undefined) waiting.push(child);
      }
    }
    return found;
  }

  function belongs(node: ViewNode): boolean {
    return passes(node) && !order.isFoldedAway(node);
  }

  /** Takes a node and what is under it out, changes what their places depend on, and puts them back. */
  function around(node: ViewNode, change: () => void): void {
    for (const below of gather(node, ({ chunk }) => chunk?.owner === rows)) rows.remove(below);
    rows.remove(node);
    change();
    const back = gather(node, belongs);
    if (belongs(node)) {
      rows.insertRun([node, ...back.sort(order.compare)]);
    } else {
      for (const below of back) rows.insert(below);
    }
  }

  function flip(node: ViewNode): void {
    if (node.children === undefined) {
      rows.remove(node);
      passing -= node.passes ? 1 : 0;
      evaluate(node);
      if (belongs(node)) rows.insert(node);
      return;
    }
    around(node, () => {
      passing -= node.passes ? 1 : 0;
      evaluate(node);
    });
  }

  function isUnder(node: ViewNode, top: ViewNode): boolean {
    for (let next = node.parent; next !== undefined; next = next.parent) {
      if (next === top) return true;
    }
    return false;
  }

  /** Index behind the last row that stands under a row. */
  function endOf(node: ViewNode, start: number): number {
    if (node.children === undefined) return start + 1;
    let low = start + 1;
    let high = rows.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      const there = rows.at(middle);
      if (there !== undefined && isUnder(there, node)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function resort(node: ViewNode, key: SortKey): void {
    const start = rows.indexOf(node);
    // Without a row it is under another one, whose value counts.
    if (start < 0 || order.above(node) !== undefined) {
      node.sortKey = key;
      return;
    }
    const end = endOf(node, start);
    const [before, after] = [rows.at(start - 1), rows.at(end)];
    const old = node.sortKey;
    node.sortKey = key;
    const isBehind = before === undefined || order.compare(before, node) < 0;
    if (isBehind && (after === undefined || order.compare(node, after) < 0)) return;
    node.sortKey = old;
    const group: ViewNode[] = [];
    for (let index = start; index < end; index += 1) {
      const member = rows.at(index);
      if (member !== undefined) group.push(member);
    }
    rows.removeRun(start, end - start);
    node.sortKey = key;
    rows.insertRun(group);
  }

  function rowsUnder(node: ViewNode | undefined): number {
    if (node?.children === undefined) return 0;
    const start = rows.indexOf(node);
    if (start < 0) return 0;
    return node.isFolded ? gather(node, passes).length : endOf(node, start) - start - 1;
  }

  return {
    rows,
    rowsUnder,
    get settled() {
      return settled;
    },
    get passing() {
      return passing;
    },
    settle,
    update(node) {
      if (node.epoch !== epoch) return settle(node);
      if (matches(node) !== node.passes) return flip(node);
      if (sort === undefined || !node.passes) return;
      const key = sort.keyOf(node.item);
      if (key !== node.sortKey) resort(node, key);
    },
    regroup(node, parent) {
      settle(parent);
      if (node.epoch !== epoch) node.parent = parent;
      else around(node, () => void (node.parent = parent));
    },
    setFolded(node, isFolded) {
      if (node.isFolded === isFolded) return;
      const start = rows.indexOf(node);
      if (start < 0) {
        node.isFolded = isFolded;
      } else if (isFolded) {
        rows.removeRun(start + 1, endOf(node, start) - start - 1);
        node.isFolded = true;
      } else {
        node.isFolded = false;
        rows.insertRun(gather(node, belongs).sort(order.compare));
      }
    },
    passes,
    depthOf: order.depthOf,
  };
}
