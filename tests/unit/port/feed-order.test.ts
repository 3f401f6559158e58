import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Recorder } from '../../../lib/capture/recorder.ts';
import type { Hub } from '../../../lib/port/hub.ts';
import { chunkFact } from '../../support/builders.ts';
import { createHeldWire } from '../../support/linked-ports.ts';
import {
  caughtUp,
  createDisk,
  type Disk,
  openPage,
  type Page,
  PATIENT,
  range,
  recordMany,
  startWorker,
} from './paged.ts';

describe('a page', () => {
  test('that was away while the capture was split twice reads what it missed of all parts', async () => {
    const disk = createDisk();
    const { hub, recorder } = await startWorker(disk);
    recordMany(recorder, 10);
    await recorder.flushed();
    const page = openPage(disk, () => hub);
    await caughtUp(page, 10);
    page.ports.at(-1)?.disconnect();
    recordMany(recorder, 120);
    split(recorder);
    recordMany(recorder, 120);
    split(recorder);
    recordMany(recorder, 6);
    await caughtUp(page, 260);
    expect(page.sequences()).toEqual(range(1, 260));
    expect(page.statuses).not.toContain('unreadable');
    // One that opens now sees the last part only.
    const other = openPage(disk, () => hub);
    await caughtUp(other, 260);
    expect(other.sequences()).toEqual(range(254, 260));
    page.feed.close();
    other.feed.close();
  });

  test('follows a split live, also where the batch over it is too large to be sent', async () => {
    const disk = createDisk();
    const { hub, recorder } = await startWorker(disk);
    recorder.record({ kind: 'wake' });
    await recorder.flushed();
    const page = openPage(disk, () => hub);
    await caughtUp(page, 1);
    recorder.record(chunkFact(1_500_000));
    recorder.beginCapture('second half');
    recorder.record(chunkFact(1_500_000));
    await caughtUp(page, 3);
    recordMany(recorder, 3);
    await caughtUp(page, 6);
    expect(page.sequences()).toEqual(range(1, 6));
    expect(page.seen.map(({ captureId }) => captureId)).toEqual([
      ...['capture', 'capture'],
      ...Array.from({ length: 4 }, () => 'second half'),
    ]);
    page.feed.close();
  });

  test('misses nothing and sees nothing twice, whatever overtakes what', async () => {
    const action = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant('record'),
          count: fc.integer({ min: 1, max: 130 }),
        }),
      },
      { weight: 4, arbitrary: fc.record({ do: fc.constant('pump'), pick: fc.nat(7) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('kill'), which: fc.nat(3) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('open') }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('break') }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('large') }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('split') }) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(action as fc.Arbitrary<Action>, { maxLength: 25 }),
        async (actions) => {
          const disk = createDisk();
          const wire = createHeldWire();
          const { hub, recorder } = await startWorker(disk);
          const pages = [openPage(disk, () => hub, { wire })];
          for (const step of actions) await act(step, { disk, wire, hub, recorder, pages });
          disk.isBroken = false;
          recorder.record({ kind: 'wake' });
          await recorder.flushed();
          const last = recorder.lastCommittedSequence;
          await vi.waitFor(() => {
            while (wire.pump());
            for (const page of pages) expect(page.sequences().at(-1)).toBe(last);
          }, PATIENT);
          const isSplit = actions.some((step) => step.do === 'split');
          for (const page of pages) {
            // One that opens after a split sees what came after it.
            const [first = 1] = isSplit ? page.sequences() : [1];
            expect(page.sequences()).toEqual(range(first, last));
            page.feed.close();
          }
          await recorder.flushed();
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);
});

type Action =
  | { do: 'record'; count: number }
  | { do: 'pump'; pick: number }
  | { do: 'kill'; which: number }
  | { do: 'open' }
  | { do: 'break' }
  | { do: 'large' }
  | { do: 'split' };

interface World {
  disk: Disk;
  wire: ReturnType<typeof createHeldWire>;
  hub: Hub;
  recorder: Recorder;
  pages: Page[];
}

function split(recorder: Recorder): void {
  const { captureId: continues } = recorder;
  const into = `${continues}'`;
  recorder.record({ kind: 'capture-split', into });
  recorder.beginCapture(into);
  recorder.record({ kind: 'capture-started', name: into, continues });
}

async function act(step: Action, { disk, wire, hub, recorder, pages }: World): Promise<void> {
  switch (step.do) {
    case 'record':
      return recordMany(recorder, step.count);
    case 'pump':
      wire.pump(() => step.pick);
      // Lets the handlers of what was delivered run, up to where they wait for the wire again.
      return new Promise((resolve) => setImmediate(resolve));
    case 'kill': {
      const page = pages[step.which % pages.length]!;
      return page.ports.at(-1)?.disconnect();
    }
    case 'open':
      return void (pages.length < 3 && pages.push(openPage(disk, () => hub, { wire })));
    case 'break':
      disk.isBroken = !disk.isBroken;
      return;
    case 'large':
      recorder.record(chunkFact(1_100_000));
      return recorder.flushed();
    case 'split':
      return split(recorder);
  }
}
