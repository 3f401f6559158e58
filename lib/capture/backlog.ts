import { BriefMap } from '../brief-map.ts';

/** A queue is told of when it passes a multiple of this, up or down. */
const STEP_BYTES = 1024 * 1024;

/** Bytes of one connection that are not committed. */
interface Waiting {
  total: number;
  /** Those of them that are in no batch yet. */
  unbatched: number;
}

/** What a batch holds of each connection, in bytes. */
export type BatchBytes = ReadonlyMap<string, number>;

/** How much of each connection is recorded and not committed. */
export interface Backlog {
  add(connectionId: string, bytes: number): void;
  /** A batch was closed: what it holds. */
  close(): BatchBytes;
  /** A batch was committed. */
  commit(batch: BatchBytes): void;
  bytesOf(connectionId: string): number;
}

/** `changed` is called when the bytes of a connection pass a multiple of 1 MiB, up or down. */
export function createBacklog(
  changed: ((connectionId: string, sizeBytes: number) => void) | undefined,
): Backlog {
  const connections = new BriefMap<string, Waiting>();

  function change(connectionId: string, waiting: Waiting, bytes: number): void {
    const before = waiting.total;
    waiting.total += bytes;
    const hasPassed = Math.floor(before / STEP_BYTES) !== Math.floor(waiting.total / STEP_BYTES);
    if (hasPassed) changed?.(connectionId, waiting.total);
  }

  return {
    add(connectionId, bytes) {
      const waiting = connections.get(connectionId) ?? { total: 0, unbatched: 0 };
      if (waiting.total === 0) connections.set(connectionId, waiting);
      waiting.unbatched += bytes;
      change(connectionId, waiting, bytes);
    },
    close() {
      const batch = new Map<string, number>();
      for (const [connectionId, waiting] of connections) {
        if (waiting.unbatched > 0) batch.set(connectionId, waiting.unbatched);
        waiting.unbatched = 0;
      }
      return batch;
    },
    commit(batch) {
      for (const [connectionId, bytes] of batch) {
        const waiting = connections.get(connectionId);
        if (waiting === undefined) continue;
        if (waiting.total === bytes) connections.delete(connectionId);
        change(connectionId, waiting, -bytes);
      }
    },
    bytesOf: (connectionId) => connections.get(connectionId)?.total ?? 0,
  };
}
