import { afterEach, describe, expect, test, vi } from 'vitest';
import type { CaptureDescription } from '../../../../lib/capture/store/capture-description.ts';
import type { CaptureRecord } from '../../../../lib/capture/store/capture-record.ts';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { CaptureShelf, ShelfWork } from '../../../../lib/capture/store/capture-shelf.ts';
import { AppError } from '../../../../lib/errors.ts';
import type { BackgroundFunctions } from '../../../../lib/port/contract.ts';
import type { CaptureRow } from '../../../../lib/state/captures/capture-list.ts';
import {
  createStorageModel,
  type StorageModel,
} from '../../../../lib/state/captures/storage-model.ts';
import { LogBuilder } from '../../../support/builders.ts';
import { fakeBackground, settled } from '../fakes.ts';

const capture = (captureId: string, startedAt: number, isPinned?: true): CaptureRecord => ({
  captureId,
  name: `Capture ${captureId}`,
  startedAt,
  lastSequence: startedAt,
  eventCount: 3,
  sizeBytes: 400_000_000,
  ...(isPinned === undefined ? {} : { isPinned }),
});

function called(): LogBuilder {
  const log = new LogBuilder();
  const error = { code: -32601, message: 'No' };
  log.opened();
  log.answer(log.call('0', 'server/discover'), { jsonrpc: '2.0', id: 0, error });
  log.add({
    kind: 'connection-chosen',
    transport: 'streamable-http',
    era: 'legacy',
    revision: '2025-11-25',
    serverName: 'everything',
    evidence: [],
  });
  log.answer(log.call('1'), { jsonrpc: '2.0', id: 1, result: {} });
  log.answer(log.call('2'), { jsonrpc: '2.0', id: 2, error });
  log.answer(log.call('3', 'tools/call', { name: 'echo' }), {
    jsonrpc: '2.0',
    id: 3,
    result: { content: [], isError: true },
  });
  return log;
}

/** What pages do with captures by themselves, noted. */
function fakeShelf(change: Partial<CaptureShelf> = {}) {
  const done: string[] = [];
  let counted: CaptureDescription[] = [];
  const shelf: CaptureShelf = {
    descriptions: async () => counted,
    edit: async (captureId, { name }) => void done.push(`edit ${captureId} ${name}`),
    duplicate: async ({ captureId }, name) => void done.push(`duplicate ${captureId} as ${name}`),
    async keepFacts(captureId, facts) {
      done.push(`count ${captureId}`);
      counted = [...counted, { captureId, facts }];
    },
    carryOver: async (captureId) => {
      done.push(`carry over ${captureId}`);
      return done.filter((each) => each.startsWith('carry over')).length > 1;
    },
    carryBack: async ({ captureId }) => void done.push(`carry back ${captureId}`),
    async read({ captureId, name }) {
      const { events } = called();
      const correlation = createCorrelation();
      correlation.apply(events);
      return { captureId, name, correlation, peek: async () => new Map() };
    },
    close: () => undefined,
    ...change,
  };
  return { shelf, done };
}

async function start(behaviour: Partial<BackgroundFunctions> = {}, shelf = fakeShelf()) {
  const captures = [capture('c1', 1), capture('c2', 2, true), capture('c3', 3)];
  const { background, calls } = fakeBackground({
    storage: async () => ({ captures, currentId: 'c3', limitBytes: 2_000_000_000 }),
    ...behaviour,
  });
  const model = createStorageModel({
    background,
    showCapture: () => undefined,
    openCapture: () => undefined,
    loadFiles: () => Promise.reject(new Error('There are no files here.')),
    loadShelf: async () => shelf.shelf,
    openSearchWorker: () => ({ post: () => undefined, end: () => undefined }),
  });
  await model.refresh();
  await vi.waitFor(() => expect(model.rows.value.every(hasFacts)).toBe(true));
  return { model, calls, captures, done: shelf.done };
}

const hasFacts = ({ description }: CaptureRow) => description.facts !== undefined;
const idsOf = ({ rows }: StorageModel) => rows.value.map(({ capture: { captureId } }) => captureId);

afterEach(() => void vi.useRealTimers());

test('the newest is first, the one being recorded is marked, and all are counted once', async () => {
  const { model, done } = await start();
  expect(idsOf(model)).toEqual(['c3', 'c2', 'c1']);
  expect(model.rows.value.map(({ isCurrent }) => isCurrent)).toEqual([true, false, false]);
  expect(done).toEqual(['count c3', 'count c2', 'count c1']);
  expect(model.rows.value[0]?.description.facts).toEqual({
    upTo: 3,
    // Of them a call whose tool failed, and an error; that a server does not know our question for its era is none.
    exchanges: 4,
    errors: 2,
    servers: [{ url: 'http://127.0.0.1:3001/mcp', name: 'everything' }],
    usage: [
      { transport: 'streamable-http', era: 'legacy', revision: '2025-11-25', connections: 1 },
    ],
  });
  await model.refresh();
  await settled();
  expect(done).toHaveLength(3);
  model.sortBy({ column: 'name', isDescending: false });
  expect(idsOf(model)).toEqual(['c1', 'c2', 'c3']);
});

test('what this page has read is counted without reading it again', async () => {
  const reads: string[] = [];
  const { shelf, done } = fakeShelf({
    read: ({ captureId }) => {
      reads.push(captureId);
      return Promise.reject(new Error('no disk'));
    },
  });
  const { background } = fakeBackground({
    storage: async () => ({
      captures: [capture('c1', 1), capture('c2', 2)],
      currentId: 'c2',
      limitBytes: 1,
    }),
  });
  const model = createStorageModel({
    background,
    showCapture: () => undefined,
    openCapture: () => undefined,
    loadFiles: () => Promise.reject(new Error('There are no files here.')),
    loadShelf: async () => shelf,
    openSearchWorker: () => ({ post: () => undefined, end: () => undefined }),
    logOf: (captureId) => (captureId === 'c2' ? createCorrelation() : undefined),
  });
  await model.refresh();
  await vi.waitFor(() => expect(reads).toEqual(['c1']));
  expect(done).toEqual(['count c2']);
  // The other cannot be read: it has no counts, and whoever opens it is told why.
  expect(model.problem.value).toBeUndefined();
});

describe('deleting', () => {
  test('takes a capture off the list at once, and off the disk when nobody can undo it', async () => {
    const { model, calls, captures } = await start();
    vi.useFakeTimers();
    model.removal.remove([captures[0]!]);
    expect(idsOf(model)).toEqual(['c3', 'c2']);
    expect(calls.map(([name]) => name)).not.toContain('deleteCaptures');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(calls).toContainEqual(['deleteCaptures', ['c1']]);
    expect(model.removal.pending.value).toEqual([]);
  });

  test('is undone as long as it can be', async () => {
    const { model, calls, captures } = await start();
    vi.useFakeTimers();
    model.removal.remove([captures[0]!]);
    model.removal.remove([captures[1]!]);
    expect(idsOf(model)).toEqual(['c3']);
    model.removal.undo();
    expect(idsOf(model)).toEqual(['c3', 'c2', 'c1']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls.map(([name]) => name)).not.toContain('deleteCaptures');
  });

  test('is done at once when the screen is left, and not a second time', async () => {
    const { model, calls, captures } = await start();
    vi.useFakeTimers();
    model.removal.remove([captures[0]!]);
    model.leave();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls.filter(([name]) => name === 'deleteCaptures')).toEqual([
      ['deleteCaptures', ['c1']],
    ]);
  });

  test('that fails shows the capture again, and says why', async () => {
    const { model, captures } = await start({
      deleteCaptures: () =>
        Promise.reject(new AppError({ code: 'storage-failed', message: 'No disk.' })),
    });
    model.removal.remove([captures[0]!]);
    model.leave();
    await vi.waitFor(() => expect(model.problem.value?.message).toBe('No disk.'));
    await vi.waitFor(() => expect(idsOf(model)).toEqual(['c3', 'c2', 'c1']));
  });
});

test('a split tells when the new capture can be read by itself', async () => {
  const { model, calls, done } = await start();
  await model.split();
  expect(calls).toContainEqual(['splitCapture']);
  expect(done.slice(3)).toEqual(['carry over c-new', 'carry over c-new']);
  expect(model.outcome.value).toContain('A new capture has begun.');
});

test('a copy is made one at a time, and can be stopped', async () => {
  const asked: ShelfWork[] = [];
  const shelf = fakeShelf({
    duplicate: (_capture, _name, work) => {
      asked.push(work);
      return new Promise((_resolve, reject) => {
        work.signal?.addEventListener('abort', () => reject(new Error('stopped')));
      });
    },
  });
  const { model, captures } = await start({}, shelf);
  const copying = model.duplicate(captures[0]!);
  await settled();
  asked[0]?.progress?.(0.5);
  expect(model.running.value).toEqual({ title: 'A copy of “Capture c1”', share: 0.5 });
  await model.duplicate(captures[1]!);
  expect(asked).toHaveLength(1);
  model.stopWork();
  await copying;
  expect(model.running.value).toBeUndefined();
  expect(model.outcome.value).toBe('A copy of “Capture c1” was stopped; nothing is left of it.');
  expect(model.problem.value).toBeUndefined();
});

test('a capture is renamed by the page itself', async () => {
  const { model, done } = await start();
  await model.edit('c1', { name: 'Mine', note: '', tags: [] });
  expect(done.at(-1)).toBe('edit c1 Mine');
});

describe('a limit', () => {
  test('under which nothing has to go is set at once', async () => {
    const { model, calls } = await start();
    await model.setLimit(1_200_000_000);
    expect(model.question.value).toBeUndefined();
    expect(calls.slice(1)).toEqual([['setStorageLimit', 1_200_000_000], ['storage']]);
  });

  test('for which captures go names them first', async () => {
    const { model, calls, captures } = await start();
    await model.setLimit(500_000_000);
    expect(model.question.value).toEqual({
      limitBytes: 500_000_000,
      removed: [captures[0]],
    });
    expect(calls).toHaveLength(1);
    await model.confirm();
    expect(calls[1]).toEqual(['setStorageLimit', 500_000_000]);
  });
});

test('what fails is said, and forgotten with the next success', async () => {
  let isBroken = true;
  const { model } = await start({
    pinCapture: async () => {
      if (isBroken) throw new AppError({ code: 'storage-failed', message: 'No disk.' });
    },
  });
  await model.pin('c1', true);
  expect(model.problem.value).toEqual({ code: 'storage-failed', message: 'No disk.' });
  expect(model.report.value?.captures).toHaveLength(3);
  isBroken = false;
  await model.pin('c1', true);
  await settled();
  expect(model.problem.value).toBeUndefined();
});
