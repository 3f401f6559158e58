import type { ViewNode } from './view-node.ts';

const MAX_CHUNK = 512;
const HALF_CHUNK = MAX_CHUNK / 2;

/** A run of rows. Small enough to insert into, large enough that there are few of them. */
export interface RowChunk {
  nodes: ViewNode[];
  owner: RowList;
  /** Its place among the chunks. */
  place: number;
  /** Index of its first row, once it has been asked for since something before it changed. */
  start: number;
}

type Compare = (one: ViewNode, other: ViewNode) => number;

/** Rows in order, of which any can be found, added and taken out without touching the others. */
export interface RowList {
  readonly size: number;
  at(index: number): ViewNode | undefined;
  /** Index of a row, or -1 where this list does not hold it. */
  indexOf(node: ViewNode): number;
  insert(node: ViewNode): void;
  /** Puts rows that are in order, and that belong together without a gap, at the place of the first one. */
  insertRun(nodes: readonly ViewNode[]): void;
  remove(node: ViewNode): void;
  /** Takes a run of rows out. */
  removeRun(start: number, count: number): void;
}

/** An empty list. The order of what is in it must not change: take out, change, insert again. */
export function createRowList(compare: Compare): RowList {
  const chunks: RowChunk[] = [];
  let size = 0;
  /** The rows of chunks from this place on have moved. */
  let stale = 0;

  function spoil(place: number): void {
    stale = Math.min(stale, place);
  }

  function count(): void {
    for (; stale < chunks.length; stale += 1) {
      const [chunk, before] = [chunks[stale], chunks[stale - 1]];
      if (chunk === undefined) return;
      chunk.start = before === undefined ? 0 : before.start + before.nodes.length;
    }
  }

  function exchange(place: number, taken: number, added: RowChunk[]): RowChunk[] {
    const removed = chunks.splice(place, taken, ...added);
    for (let at = place; at < chunks.length; at += 1) {
      const chunk = chunks[at];
      if (chunk !== undefined) chunk.place = at;
    }
    spoil(place);
    return removed;
  }

  function newChunk(nodes: ViewNode[]): RowChunk {
    const chunk: RowChunk = { nodes, owner: list, place: 0, start: 0 };
    for (const node of nodes) node.chunk = chunk;
    return chunk;
  }

  function put(chunk: RowChunk, at: number, node: ViewNode): void {
    if (at === chunk.nodes.length) chunk.nodes.push(node);
    else chunk.nodes.splice(at, 0, node);
    node.chunk = chunk;
    size += 1;
    spoil(chunk.place + 1);
    if (chunk.nodes.length > MAX_CHUNK) split(chunk, splitPoint(chunk, at));
  }

  /** Where rows come in order at one end, full chunks are left behind. */
  function splitPoint(chunk: RowChunk, at: number): number {
    if (at === chunk.nodes.length - 1 && chunk.place === chunks.length - 1) return MAX_CHUNK;
    return at === 0 && chunk.place === 0 ? 1 : HALF_CHUNK;
  }

  function split(chunk: RowChunk, at: number): void {
    exchange(chunk.place + 1, 0, [newChunk(chunk.nodes.splice(at))]);
  }

  /** What runs leave behind should not pile up. */
  function join(place: number): void {
    const [chunk, next] = [chunks[place - 1], chunks[place]];
    if (chunk === undefined || next === undefined) return;
    if (chunk.nodes.length + next.nodes.length > HALF_CHUNK) return;
    for (const node of next.nodes) node.chunk = chunk;
    chunk.nodes.push(...next.nodes);
    exchange(place, 1, []);
  }

  /** The last chunk that begins at or before an index. */
  function chunkAt(index: number): RowChunk | undefined {
    count();
    let low = 0;
    let high = chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((chunks[middle]?.start ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return chunks[low];
  }

  /** The last chunk whose first row does not come after a node. */
  function chunkFor(node: ViewNode): RowChunk | undefined {
    let low = 0;
    let high = chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const first = chunks[middle]?.nodes[0];
      if (first !== undefined && compare(first, node) < 0) low = middle;
      else high = middle - 1;
    }
    return chunks[low];
  }

  /** Where in a chunk a node would stand. */
  function placeIn({ nodes }: RowChunk, node: ViewNode): number {
    let low = 0;
    let high = nodes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const there = nodes[middle];
      if (there !== undefined && compare(there, node) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Makes a chunk begin at an index; returns its place. */
  function cutAt(index: number): number {
    if (index >= size) return chunks.length;
    const chunk = chunkAt(index);
    if (chunk === undefined || chunk.start === index) return chunk?.place ?? 0;
    split(chunk, index - chunk.start);
    return chunk.place + 1;
  }

  const list: RowList = {
    get size() {
      return size;
    },
    at(index) {
      if (index < 0 || index >= size) return undefined;
      const chunk = chunkAt(index);
      return chunk?.nodes[index - chunk.start];
    },
    indexOf(node) {
      const { chunk } = node;
      if (chunk?.owner !== list) return -1;
      count();
      return chunk.start + chunk.nodes.indexOf(node);
    },
    insert(node) {
      const last = chunks.at(-1);
      const end = last?.nodes.at(-1);
      if (last === undefined || end === undefined) {
        exchange(0, 0, [newChunk([node])]);
        size = 1;
      } else if (compare(end, node) < 0) {
        put(last, last.nodes.length, node);
      } else {
        const first = chunks[0]?.nodes[0];
        const isFirst = first !== undefined && compare(node, first) < 0;
        const chunk = (isFirst ? chunks[0] : chunkFor(node)) ?? last;
        put(chunk, isFirst ? 0 : placeIn(chunk, node), node);
      }
    },
    insertRun(nodes) {
      const [first] = nodes;
      if (first === undefined) return;
      const chunk = chunkFor(first);
      count();
      const place = cutAt(chunk === undefined ? 0 : chunk.start + placeIn(chunk, first));
      const added: RowChunk[] = [];
      for (let from = 0; from < nodes.length; from += HALF_CHUNK) {
        added.push(newChunk(nodes.slice(from, from + HALF_CHUNK)));
      }
      size += nodes.length;
      exchange(place, 0, added);
      join(place + added.length);
      join(place);
    },
    remove(node) {
      const { chunk } = node;
      if (chunk?.owner !== list) return;
      chunk.nodes.splice(chunk.nodes.indexOf(node), 1);
      node.chunk = undefined;
      size -= 1;
      if (chunk.nodes.length === 0) exchange(chunk.place, 1, []);
      else spoil(chunk.place + 1);
    },
    removeRun(start, count) {
      const place = cutAt(start);
      const end = cutAt(start + count);
      for (const { nodes } of exchange(place, end - place, [])) {
        for (const node of nodes) node.chunk = undefined;
        size -= nodes.length;
      }
      join(place);
    },
  };
  return list;
}
