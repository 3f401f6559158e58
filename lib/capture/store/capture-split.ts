import type { Block, EventOf, WireEvent } from '../wire-event.ts';

type ReadBlocks = (captureId: string, from: number, to: number) => AsyncIterable<Block[]>;

/**
 * What was open when a capture was split, in order: of connections, streams and sockets how they began, of calls
 * under way everything. `roots` are the sequences that the first block of the second half names.
 */
export async function readOpen(
  readBlocks: ReadBlocks,
  captureId: string,
  roots: readonly number[],
): Promise<WireEvent[]> {
  const found = new Map<number, WireEvent>();
  for (const root of roots) {
    // A block often holds several of them.
    if (found.has(root)) continue;
    for await (const { sequence, event } of eventsOf(readBlocks(captureId, root, root))) {
      if (roots.includes(sequence)) found.set(sequence, event);
    }
  }
  const calls = [...found.values()].filter(isCall);
  const ids = new Set(calls.map(({ httpId }) => httpId));
  const from = Math.min(...calls.map(({ sequence }) => sequence));
  if (calls.length > 0) {
    for await (const { sequence, event } of eventsOf(readBlocks(captureId, from, Infinity))) {
      if (ids.has(carrierOf(event))) found.set(sequence, event);
    }
  }
  return [...found.values()].toSorted((a, b) => a.sequence - b.sequence);
}

/** The calls among what was open, by `httpId`. */
export function callsIn(open: readonly WireEvent[]): string[] {
  return open.filter(isCall).map(({ httpId }) => httpId);
}

/**
 * What came of calls in the second half, in order; undefined while one of them is under way, and more may come:
 * unless the half `isOver`.
 */
export async function readRest(
  readBlocks: ReadBlocks,
  captureId: string,
  { calls, isOver }: { calls: readonly string[]; isOver: boolean },
): Promise<WireEvent[] | undefined> {
  const left = new Set(calls);
  const rest: WireEvent[] = [];
  let hasBegun = false;
  for await (const { event } of eventsOf(readBlocks(captureId, 0, Infinity))) {
    // What stands before its beginning was copied from the first half.
    if (event.kind === 'capture-started') hasBegun = true;
    if (!hasBegun || !calls.includes(carrierOf(event))) continue;
    rest.push(event);
    if (event.kind === 'http-end') left.delete(event.httpId);
    if (left.size === 0) return rest;
  }
  return isOver ? rest : undefined;
}

/** Streams and sockets carry many messages, and may be as long as the capture. */
function isCall(event: WireEvent): event is EventOf<'http-request'> {
  return event.kind === 'http-request' && event.purpose !== 'stream';
}

function carrierOf(event: WireEvent): string {
  if ('httpId' in event) return event.httpId;
  return 'carrierId' in event ? event.carrierId : '';
}

async function* eventsOf(blocks: AsyncIterable<Block[]>) {
  for await (const some of blocks) {
    for (const event of some.flatMap((block) => block.events)) {
      yield { sequence: event.sequence, event };
    }
  }
}
