import type { Block, WireEvent } from '../wire-event.ts';

/** Names the events in earlier blocks without which a block cannot be understood. */
export interface BlockRoots {
  /** Puts their sequences into blocks, which are to come in the order of the log. */
  name(blocks: readonly Block[]): void;
}

/** What is under way, by what began it and what came of it last; sequences. */
interface Carrier {
  head: number[];
  /** The newest bytes, in which a stream event may lie that comes after them. */
  chunk: number | undefined;
}

/** Starts with nothing under way. What an earlier life of the worker had open is not known, and not named. */
export function createBlockRoots(): BlockRoots {
  const carriers = new Map<string, Carrier>();
  const connections = new Map<string, Map<string, number>>();

  function needed({ events, firstSequence }: Block): Set<number> {
    const roots = new Set<number>();
    const seen = new Set<string>();
    const add = (sequences: Iterable<number>) => {
      for (const sequence of sequences) if (sequence < firstSequence) roots.add(sequence);
    };
    for (const event of events) {
      const { connectionId = '' } = event;
      const id = carrierId(event);
      const known = id === undefined ? undefined : carriers.get(id);
      if (!seen.has(connectionId)) add(connections.get(connectionId)?.values() ?? []);
      seen.add(connectionId);
      if (id !== undefined && !seen.has(id)) add(known?.head ?? []);
      if (id !== undefined) seen.add(id);
      if (known?.chunk !== undefined && event.kind.startsWith('sse-')) add([known.chunk]);
      // A capture that goes on from another one needs all that is open.
      if (event.kind === 'capture-started') addOpen(add);
      note(event, id, known);
    }
    return roots;
  }

  function addOpen(add: (sequences: Iterable<number>) => void): void {
    for (const facts of connections.values()) add(facts.values());
    for (const { head, chunk } of carriers.values())
      add(chunk === undefined ? head : [...head, chunk]);
  }

  function note(event: WireEvent, id: string | undefined, known: Carrier | undefined): void {
    const { sequence, connectionId = '' } = event;
    switch (event.kind) {
      case 'http-request':
      case 'socket-opening':
        if (id !== undefined) carriers.set(id, { head: [sequence], chunk: undefined });
        return;
      case 'http-response':
      case 'socket-open':
        known?.head.push(sequence);
        return;
      case 'http-chunk':
        if (known !== undefined) known.chunk = sequence;
        return;
      case 'http-end':
      case 'socket-close':
        if (id !== undefined) carriers.delete(id);
        return;
      case 'connection-opened':
        connections.set(connectionId, new Map([[event.kind, sequence]]));
        return;
      case 'connection-chosen':
      case 'session-assigned':
      case 'session-replaced':
      case 'endpoint-announced':
        connections.get(connectionId)?.set(event.kind, sequence);
        return;
      case 'connection-closed':
        connections.delete(connectionId);
        return;
      default:
    }
  }

  return {
    name(blocks) {
      for (const block of blocks) {
        const roots = needed(block);
        if (roots.size > 0) block.roots = [...roots].toSorted((a, b) => a - b);
      }
    },
  };
}

/** The exchange or socket that an event belongs to. */
function carrierId(event: WireEvent): string | undefined {
  if ('httpId' in event) return event.httpId;
  return 'socketId' in event ? event.socketId : undefined;
}
