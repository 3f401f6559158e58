import { expect, test, vi } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import type { CaptureRecord } from '../../../lib/capture/store/capture-record.ts';
import { packBlocks } from '../../../lib/capture/store/blocks.ts';
import type { WireEvent } from '../../../lib/capture/wire-event.ts';
import type { Opened } from '../../../lib/port/hub.ts';
import type { FeedStatus } from '../../../lib/port/feed.ts';
import { createHub } from '../../../lib/port/hub.ts';
import { openStoredFeed, type StoredFeedOptions } from '../../../lib/port/stored-feed.ts';
import { startRecorder, wireEvent, wireEvents } from '../../support/builders.ts';
import { linkPorts } from '../../support/linked-ports.ts';

/** A busy machine is no failure. */
const PATIENT = { timeout: 10_000, interval: 1 };

const ofCapture = (captureId: string, events: WireEvent[]) =>
  events.map((event) => ({ ...event, captureId }));

const STORED = [
  ...ofCapture('split', [wireEvent(1), wireEvent(2, { kind: 'capture-split', into: 'next' })]),
  ...ofCapture('old', wireEvents(1, 150)),
  ...ofCapture('next', [
    wireEvent(151),
    wireEvent(152, { kind: 'worker-started', cause: 'browser-start' }),
    wireEvent(153),
  ]),
];

const record = (captureId: string, startedAt: number, lastSequence: number): CaptureRecord => ({
  captureId,
  name: `Capture ${captureId}`,
  startedAt,
  lastSequence,
  eventCount: 1,
  sizeBytes: 1,
});

async function open(
  captureId: string,
  captures: () => Promise<CaptureRecord[]>,
  options: Pick<StoredFeedOptions, 'preview' | 'readEnd'> = {},
) {
  const { recorder } = await startRecorder({ captureId: 'next', lastSequence: 153 });
  const opened: Opened = { recorder, functions: {} as Opened['functions'] };
  const hub = createHub(Promise.resolve(opened));
  const seen: WireEvent[] = [];
  const statuses: FeedStatus[] = [];
  const feed = openStoredFeed({
    ...options,
    captureId,
    captures,
    connect() {
      const [own, worker] = linkPorts();
      hub.attach(worker);
      return own;
    },
    async *readBlocks(id, from, to) {
      const found = STORED.filter(
        (event) => event.captureId === id && event.sequence >= from && event.sequence <= to,
      );
      for (const block of packBlocks(found)) yield [block];
    },
    events: (events) => void seen.push(...events),
    connections: () => undefined,
    status: (status) => void statuses.push(status),
  });
  return { feed, seen, statuses, hub, recorder };
}

const bothCaptures = async () => [record('next', 2000, 153), record('old', 1000, 150)];

test('a stored capture is read whole, closed by the next start of the worker, and nothing live comes in', async () => {
  const { feed, seen, statuses, hub, recorder } = await open('old', bothCaptures);
  await vi.waitFor(
    () => expect(statuses.at(-1)).toEqual({ kind: 'stored', name: 'Capture old' }),
    PATIENT,
  );
  const expected = [...Array.from({ length: 150 }, (_, index) => index + 1), 152];
  expect(seen.map((event) => event.sequence)).toEqual(expected);
  expect(seen.at(-1)?.kind).toBe('worker-started');
  hub.publish([recorder.record({ kind: 'wake' })], true);
  await recorder.flushed();
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toHaveLength(151);
  feed.close();
});

test('what was open when a capture was split went on in the next one, so nothing closes it', async () => {
  const { feed, seen, statuses } = await open('split', async () => [
    record('split', 1000, 2),
    record('next', 2000, 153),
  ]);
  await vi.waitFor(() => expect(statuses.at(-1)?.kind).toBe('stored'), PATIENT);
  expect(seen.map(({ kind }) => kind)).toEqual(['wake', 'capture-split']);
  feed.close();
});

test('a capture that is gone, or cannot be read, says so', async () => {
  const gone = await open('deleted', bothCaptures);
  await vi.waitFor(
    () =>
      expect(gone.statuses.at(-1)).toMatchObject({
        kind: 'unreadable',
        reason: expect.stringContaining('not in the database any more'),
      }),
    PATIENT,
  );
  expect(gone.seen).toEqual([]);
  gone.feed.close();
});

test('the end of a long capture is shown before the rest, and told again in its place', async () => {
  const end = createCorrelation();
  const shown: unknown[][] = [];
  const asked: unknown[][] = [];
  const { feed, seen, statuses } = await open('old', bothCaptures, {
    readEnd: async (...of) => {
      asked.push(of);
      return end;
    },
    preview: (previewed) => void shown.push([seen.length, previewed]),
  });
  await vi.waitFor(() => expect(statuses.at(-1)?.kind).toBe('stored'), PATIENT);
  expect(asked).toEqual([['old', 150]]);
  expect(shown).toEqual([[0, end]]);
  expect(seen).toHaveLength(151);
  feed.close();
});

test('where the end cannot be read by itself, all is read as ever', async () => {
  const { feed, seen, statuses } = await open('old', bothCaptures, {
    readEnd: () => Promise.reject(new Error('no disk')),
    preview: () => expect.unreachable(),
  });
  await vi.waitFor(() => expect(statuses.at(-1)?.kind).toBe('stored'), PATIENT);
  expect(seen).toHaveLength(151);
  feed.close();
});
