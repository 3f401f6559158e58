import { setTimeout as delay } from 'node:timers/promises';
import { decodeBlock } from '../../lib/capture/store/decode-block.ts';
import type { StoredBlock } from '../../lib/capture/store/stored-block.ts';
import type { WireEvent } from '../../lib/capture/wire-event.ts';

/** As it comes out of a page, which hands out JSON. */
type BlockText = Omit<StoredBlock, 'bytes' | 'rows'> & { rows: number[] };

/** Reads all stored blocks without their bytes. It runs in a page of the extension: it sees nothing of this file. */
export async function readStoredBlocks(): Promise<BlockText[]> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('wirescope');
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(new Error(String(request.error))));
  });
  const blocks = await new Promise<StoredBlock[]>((resolve, reject) => {
    const request = database.transaction('blocks').objectStore('blocks').getAll();
    request.addEventListener('success', () => resolve(request.result as StoredBlock[]));
    request.addEventListener('error', () => reject(new Error(String(request.error))));
  });
  database.close();
  return blocks.map(({ bytes: _bytes, rows, ...block }) => ({ ...block, rows: [...(rows ?? [])] }));
}

/** The events of stored blocks, in the order of the blocks; zeros stand for their bytes, which were left behind. */
export function eventsOf(blocks: readonly BlockText[]): WireEvent[] {
  return blocks
    .toSorted((a, b) => a.firstSequence - b.firstSequence)
    .flatMap((block) => {
      const rows = Int32Array.from(block.rows);
      return decodeBlock({ ...block, rows, bytes: new Uint8Array(block.sizeBytes) }).events;
    });
}

export interface LogVerdict {
  events: number;
  /** Lives of the worker that recorded something. */
  boots: number;
  /** Sequences that no event has. */
  holes: number[];
  /** Sequences that several events have. */
  doubled: number[];
  /** Ids that the server sent and the log does not have. */
  missing: string[];
  /** Ids that the log has more than once. */
  repeated: string[];
  /** What the log itself says is missing. */
  gaps: string[];
  /** The silence between each life of the worker and the next, in milliseconds. */
  silencesMs: number[];
}

/** Holds a stored log against what the server sent. */
export function judgeLog(events: readonly WireEvent[], sentIds: readonly string[]): LogVerdict {
  const sequences = events.map(({ sequence }) => sequence).toSorted((a, b) => a - b);
  const holes: number[] = [];
  const doubled: number[] = [];
  for (const [index, sequence] of sequences.entries()) {
    const before = index === 0 ? 0 : (sequences[index - 1] ?? 0);
    if (sequence === before) doubled.push(sequence);
    for (let hole = before + 1; hole < sequence; hole += 1) holes.push(hole);
  }
  const counts = new Map<string, number>();
  for (const event of events) {
    if (event.kind !== 'sse-event' || event.id === undefined) continue;
    counts.set(event.id, (counts.get(event.id) ?? 0) + 1);
  }
  return {
    events: events.length,
    boots: new Set(events.map(({ bootId }) => bootId)).size,
    holes,
    doubled,
    missing: sentIds.filter((id) => !counts.has(id)),
    repeated: [...counts].filter(([, count]) => count > 1).map(([id]) => id),
    gaps: events.flatMap((event) => (event.kind === 'gap' ? [`${event.what} ${event.why}`] : [])),
    silencesMs: events.flatMap((event, index) => {
      const before = events[index - 1];
      if (before === undefined || before.bootId === event.bootId) return [];
      return [event.wallTime - before.wallTime];
    }),
  };
}

/** Judges until nothing is missing, or for 20 s: what is on its way may come. */
export async function lastVerdict(judge: () => Promise<LogVerdict>): Promise<LogVerdict> {
  const end = Date.now() + 20_000;
  for (;;) {
    const verdict = await judge();
    if (verdict.missing.length === 0 || Date.now() > end) return verdict;
    await delay(200);
  }
}

/** The figures of a verdict, in words. */
export function describeLog(verdict: LogVerdict): string {
  const { events, boots, holes, doubled, missing, repeated, gaps, silencesMs } = verdict;
  return [
    `${events} events stored in ${boots} lives of the worker.`,
    `Holes ${holes.length}, doubled ${doubled.length}, missing ${missing.length}, repeated ${repeated.length}, gap rows ${gaps.length}.`,
    `Silent between lives for ${silencesMs.join(', ')} ms.`,
  ].join('\n');
}
