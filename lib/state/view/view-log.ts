import type { Item } from '../../capture/correlate/items.ts';
import { indexFromSequence } from './by-sequence.ts';
import { createGrouping } from './grouping.ts';
import type { RowSource } from './rows.ts';
import { createNode } from './view-node.ts';
import type { ViewNode } from './view-node.ts';

/** A node that belongs under another parent than before. */
export interface Move {
  node: ViewNode;
  parent: ViewNode;
}

/** A node for each item that the view has taken in, and which stands under which. */
export interface ViewLog {
  /** By ordinal. */
  readonly nodes: readonly ViewNode[];
  /** Takes in the items that are new; nodes from the index returned on are new. */
  learn(): number;
  /** Takes note of a change of an item; returns what has found its parent by it. */
  change(item: Item): Move[];
  /** Whether authorizations come folded; where that changes, all of them are. To be followed by a new arrangement. */
  foldAuths(areFolded: boolean): void;
  nodeOf(item: Item): ViewNode | undefined;
  /** By the key of the item. */
  nodeOfKey(key: string): ViewNode | undefined;
}

/** Message keys begin with the sequence of their event, lifecycle keys end with it. */
const SEQUENCE = /^(?:event )?(\d+)(?:\.|$)/;

/** Keeps a node for each item in the order of the log, and which row each stands under. */
export function createViewLog(source: RowSource & { items: readonly Item[] }): ViewLog {
  const { items } = source;
  const nodes: ViewNode[] = [];
  const grouping = createGrouping(source);
  /** An authorization is one row, unless it is what is looked for. */
  let areAuthsFolded = true;

  function ordinalOf(item: Item): number {
    // One event may make several items: they share a sequence and stand side by side.
    let index = indexFromSequence(items, item.sequence);
    while (items[index] !== item && items[index]?.sequence === item.sequence) index += 1;
    return items[index] === item ? index : -1;
  }

  function nodeOf(item: Item): ViewNode | undefined {
    return nodes[ordinalOf(item)];
  }

  function adopt(parent: ViewNode, node: ViewNode): void {
    const children = (parent.children ??= []);
    const last = children.at(-1);
    if (last === undefined || last.sequence <= node.item.sequence) {
      children.push(node.item);
    } else {
      children.splice(indexFromSequence(children, node.item.sequence + 1), 0, node.item);
    }
  }

  function disown(parent: ViewNode, { item }: ViewNode): void {
    const { children } = parent;
    const index = children?.indexOf(item) ?? -1;
    if (index >= 0) children?.splice(index, 1);
    if (children?.length === 0) parent.children = undefined;
  }

  return {
    nodes,
    learn() {
      const from = nodes.length;
      for (let ordinal = from; ordinal < items.length; ordinal += 1) {
        const item = items[ordinal];
        if (item === undefined) break;
        const node = createNode(item, ordinal);
        node.isFolded = areAuthsFolded && item.kind === 'auth';
        nodes.push(node);
        const above = grouping.add(item);
        const parent = above === undefined ? undefined : nodeOf(above);
        if (parent === undefined || parent.ordinal >= ordinal) continue;
        node.parent = parent;
        adopt(parent, node);
      }
      return from;
    },
    change(item) {
      const moves: Move[] = [];
      for (const child of grouping.change(item)) {
        const [node, parent] = [nodeOf(child), nodeOf(item)];
        const isBefore =
          node !== undefined && parent !== undefined && parent.ordinal < node.ordinal;
        if (!isBefore || node.parent === parent) continue;
        if (node.parent !== undefined) disown(node.parent, node);
        adopt(parent, node);
        moves.push({ node, parent });
      }
      return moves;
    },
    foldAuths(areFolded) {
      if (areFolded === areAuthsFolded) return;
      areAuthsFolded = areFolded;
      for (const node of nodes) if (node.item.kind === 'auth') node.isFolded = areFolded;
    },
    nodeOf,
    nodeOfKey(key) {
      const found = grouping.find(key);
      if (found !== undefined) return nodeOf(found);
      const sequence = Number(SEQUENCE.exec(key)?.[1] ?? NaN);
      let index = indexFromSequence(items, sequence);
      while (items[index]?.sequence === sequence && items[index]?.key !== key) index += 1;
      return items[index]?.key === key ? nodes[index] : undefined;
    },
  };
}

/** What filters and orders look at in connections, as one text that differs where any of it does. */
export function factsOf(connections: RowSource['connections']): string {
  return [...connections.values()]
    .map(({ connectionId, serverName, era, revision, session }) =>
      [connectionId, serverName, era, revision, session].join(),
    )
    .join(' ');
}
