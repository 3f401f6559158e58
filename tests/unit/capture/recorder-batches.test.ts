import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventBytes } from '../../../lib/capture/store/blocks.ts';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import { chunkFact, startRecorder } from '../../support/builders.ts';

const BATCH_BYTES = 4 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

interface Stored {
  events: WireEvent[];
  checkpoint: string | undefined;
}

/** Records chunks in bursts; what follows from a chunk is noted in the turn in which it was recorded. */
async function recordInBursts(bursts: readonly number[]) {
  const stored: Stored[] = [];
  let position = 0;
  const { recorder, batches } = await startRecorder({
    store: {
      async append(blocks, checkpoint) {
        stored.push({
          events: blocks.flatMap(({ events }) => events),
          checkpoint: checkpoint?.text,
        });
        // Others have their turn meanwhile, as with a database.
        await new Promise((resolve) => setTimeout(resolve));
      },
    },
    checkpoint: () => String(position),
  });
  for (const count of bursts) {
    for (let chunk = 0; chunk < count; chunk += 1) {
      position = recorder.record(chunkFact(CHUNK_BYTES), 'c1').sequence;
      await Promise.resolve();
    }
    if (count % 2 === 0) await new Promise((resolve) => setTimeout(resolve));
  }
  await recorder.flushed();
  return { recorder, stored, batches };
}

test('what waits goes to the database in batches of bounded size, each with what was known at its end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 40 }), { maxLength: 4 }), async (bursts) => {
      const { recorder, stored, batches } = await recordInBursts(bursts);
      const count = bursts.reduce((sum, each) => sum + each, 0);
      const all = Array.from({ length: count }, (_, index) => index + 1);
      expect(stored.flatMap(({ events }) => events.map(({ sequence }) => sequence))).toEqual(all);
      expect(batches.flatMap(({ events }) => events.map(({ sequence }) => sequence))).toEqual(all);
      for (const { events, checkpoint } of stored) {
        const sizeBytes = events.reduce((sum, event) => sum + eventBytes(event), 0);
        expect(sizeBytes).toBeLessThan(BATCH_BYTES + 2 * CHUNK_BYTES);
        expect(checkpoint).toBe(String(events.at(-1)?.sequence));
      }
      expect(recorder.uncommittedBytes('c1')).toBe(0);
    }),
    { numRuns: 12 },
  );
});

test('a checkpoint goes to the database only where it has changed', async () => {
  const checkpoints: (string | undefined)[] = [];
  let checkpoint = 'a';
  const { recorder } = await startRecorder({
    store: { append: async (_blocks, given) => void checkpoints.push(given?.text) },
    checkpoint: () => checkpoint,
  });
  for (const next of ['a', 'a', 'b']) {
    checkpoint = next;
    recorder.record({ kind: 'wake' });
    await recorder.flushed();
  }
  expect(checkpoints).toEqual(['a', undefined, 'b']);
});

test('a checkpoint that cannot be made costs no event', async () => {
  const failures: unknown[] = [];
  const listener = (error: unknown) => void failures.push(error);
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', listener);
  try {
    const failure = new Error('no checkpoint');
    const { recorder, blocks } = await startRecorder({
      checkpoint() {
        throw failure;
      },
    });
    recorder.record({ kind: 'wake' });
    await recorder.flushed();
    expect(blocks.flatMap(({ events }) => events)).toHaveLength(1);
    expect(recorder.unstored).toHaveLength(0);
    await expect.poll(() => failures).toEqual([failure]);
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const other of others) process.on('uncaughtException', other);
  }
});
