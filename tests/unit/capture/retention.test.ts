import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { CaptureRecord } from '../../../lib/capture/store/capture-record.ts';
import {
  inOrderOfAge,
  planRemoval,
  totalBytes,
} from '../../../lib/capture/store/retention-plan.ts';
import { createRetention, type RetentionParts } from '../../../lib/capture/store/retention.ts';
import type { WireFact } from '../../../lib/capture/wire-event.ts';

function capture(captureId: string, sizeBytes: number, rest: Partial<CaptureRecord> = {}) {
  const startedAt = Number(captureId.slice(1)) * 1000;
  const record: CaptureRecord = {
    captureId,
    name: `Capture ${captureId}`,
    startedAt,
    endedAt: startedAt + 500,
    lastSequence: startedAt + 10,
    eventCount: 10,
    sizeBytes,
    ...rest,
  };
  return record;
}

const idsOf = (captures: readonly CaptureRecord[]) => captures.map(({ captureId }) => captureId);

describe('what goes for the limit', () => {
  const captures = [
    capture('c3', 300),
    capture('c1', 100),
    capture('c2', 200, { isPinned: true }),
    capture('c4', 400),
  ];

  test.each([
    [1000, []],
    [999, ['c1']],
    [900, ['c1']],
    [899, ['c1', 'c3']],
    [0, ['c1', 'c3']],
  ])('at %d bytes of 1000: %j, never what is pinned or current', (limit, gone) => {
    expect(idsOf(planRemoval(captures, 'c4', limit))).toEqual(gone);
  });

  test('is no more than needed, in the order of age, for any captures and limit', () => {
    const anyCaptures = fc.uniqueArray(
      fc.record({ at: fc.nat({ max: 99 }), size: fc.nat({ max: 50 }), isPinned: fc.boolean() }),
      { selector: ({ at }) => at, maxLength: 12 },
    );
    fc.assert(
      fc.property(anyCaptures, fc.nat({ max: 400 }), (shapes, limit) => {
        const all = shapes.map(({ at, size, isPinned }) =>
          capture(`c${at}`, size, isPinned ? { isPinned } : {}),
        );
        const current = all.at(-1)?.captureId ?? '';
        const gone = planRemoval(all, current, limit);
        const left = all.filter((kept) => !gone.includes(kept));
        expect(gone.some((one) => one.isPinned || one.captureId === current)).toBe(false);
        const mayGo = left.filter((one) => !one.isPinned && one.captureId !== current);
        expect(totalBytes(left) <= limit || mayGo.length === 0).toBe(true);
        const last = gone.at(-1);
        expect(last === undefined || totalBytes([...left, last]) > limit).toBe(true);
        for (const one of mayGo) {
          expect(gone.every(({ startedAt }) => startedAt < one.startedAt)).toBe(true);
        }
      }),
    );
  });
});

describe('the order of age', () => {
  const at = (captureId: string, startedAt: number, lastSequence: number, file?: string) =>
    capture(captureId, 1, {
      startedAt,
      lastSequence,
      ...(file === undefined ? {} : { imported: { file, repairCount: 0, repairs: [] } }),
    });

  test('is that of recording, wherever the clock was set', () => {
    const future = at('c2', 9_000_000, 20);
    const setBack = at('c3', 1000, 30);
    expect(idsOf(inOrderOfAge([setBack, at('c4', 6000, 40), future, at('c1', 5000, 10)]))).toEqual([
      'c1',
      'c2',
      'c3',
      'c4',
    ]);
    expect(idsOf(planRemoval([setBack, future], 'c3', 0))).toEqual(['c2']);
  });

  test('gives an imported capture the place of its time, whatever its sequences', () => {
    const imported = at('c9', 2000, Number.MAX_SAFE_INTEGER, 'a.har');
    const recorded = [at('c1', 1000, 10), at('c2', 3000, 20)];
    expect(idsOf(inOrderOfAge([imported, ...recorded]))).toEqual(['c1', 'c9', 'c2']);
  });
});

function start(captures: CaptureRecord[], change: Partial<RetentionParts> = {}) {
  const told: string[] = [];
  const facts: WireFact[] = [];
  let limit = 1000;
  let stored = captures;
  const retention = createRetention({
    database: {
      captures: () => Promise.resolve(stored),
      pinCapture: (captureId, isPinned) =>
        Promise.resolve(void told.push(`pin ${captureId} ${isPinned}`)),
      deleteCapture(captureId) {
        told.push(`delete ${captureId}`);
        stored = stored.filter((one) => one.captureId !== captureId);
        return Promise.resolve();
      },
    },
    recorder: {
      captureId: 'c9',
      record(fact) {
        facts.push(fact);
        told.push(fact.kind);
      },
      retry: () => void told.push('retry'),
      flushed: () => Promise.resolve(void told.push('flushed')),
    },
    loadLimit: () => Promise.resolve(limit),
    saveLimit: (limitBytes) => Promise.resolve(void (limit = limitBytes)),
    estimate: () => Promise.resolve({ usage: 1234, quota: 56_789 }),
    ...change,
  });
  return { retention, told, facts };
}

test('what is removed is named in the log before it goes, and makes room at once', async () => {
  const { retention, told, facts } = start([
    capture('c1', 600),
    capture('c2', 600),
    capture('c9', 100),
  ]);
  await retention.keepLimit();
  expect(told).toEqual(['capture-removed', 'flushed', 'delete c1', 'retry']);
  expect(facts).toEqual([
    {
      kind: 'capture-removed',
      by: 'limit',
      removed: {
        captureId: 'c1',
        name: 'Capture c1',
        startedAt: 1000,
        endedAt: 1500,
        eventCount: 10,
        sizeBytes: 600,
      },
    },
  ]);
  await retention.keepLimit();
  expect(facts).toHaveLength(1);
});

test('a lower limit holds at once', async () => {
  const { retention, told } = start([capture('c1', 400), capture('c2', 400), capture('c9', 10)]);
  await retention.setLimit(500);
  expect(told).toContain('delete c1');
  expect(told).not.toContain('delete c2');
  expect(await retention.report()).toEqual({
    captures: [capture('c2', 400), capture('c9', 10)],
    currentId: 'c9',
    limitBytes: 500,
    usageBytes: 1234,
    quotaBytes: 56_789,
  });
});

test('growth is checked against the limit once in a while, not with every batch', async () => {
  const captures = vi.fn<() => Promise<CaptureRecord[]>>(() =>
    Promise.resolve([capture('c1', 600), capture('c9', 600)]),
  );
  const deleteCapture = vi.fn<(captureId: string) => Promise<void>>(() => Promise.resolve());
  const { retention } = start([], {
    database: { captures, deleteCapture, pinCapture: () => Promise.resolve() },
  });
  for (let turn = 0; turn < 15; turn += 1) retention.grew(1024 * 1024);
  expect(captures).not.toHaveBeenCalled();
  retention.grew(1024 * 1024);
  await vi.waitFor(() => expect(deleteCapture).toHaveBeenCalledWith('c1'));
  expect(captures).toHaveBeenCalledTimes(1);
});

test('the user may delete any capture, pinned or not, but the one that is being recorded', async () => {
  const { retention, told, facts } = start([
    capture('c1', 1, { isPinned: true }),
    capture('c9', 1),
  ]);
  await retention.remove(['c9']);
  await retention.remove(['unknown']);
  expect(told).toEqual([]);
  await retention.remove(['c1']);
  expect(facts).toMatchObject([{ kind: 'capture-removed', by: 'user' }]);
  expect(facts[0]).not.toHaveProperty('removed.isPinned');
  await retention.pin('c9', true);
  expect(told.at(-1)).toBe('pin c9 true');
});

test('a database that does not answer is told in words, and later calls are not lost', async () => {
  let isBroken = true;
  const { retention } = start([], {
    database: {
      captures: () =>
        isBroken
          ? Promise.reject(new DOMException('x', 'VersionError'))
          : Promise.resolve([capture('c9', 1)]),
      pinCapture: () => Promise.resolve(),
      deleteCapture: () => Promise.resolve(),
    },
  });
  await expect(retention.report()).rejects.toMatchObject({ name: 'AppError' });
  await expect(retention.remove(['c1'])).rejects.toMatchObject({
    problem: { code: 'storage-failed', message: expect.stringMatching(/newer version/) },
  });
  isBroken = false;
  expect((await retention.report()).captures).toHaveLength(1);
  await retention.keepLimit();
});
