import { describe, expect, test } from 'vitest';
import type { CaptureRecord } from '../../../lib/capture/capture-record.ts';
import { AppError } from '../../../lib/errors.ts';
import type { BackgroundFunctions } from '../../../lib/port/contract.ts';
import { createStorageModel } from '../../../lib/state/storage-model.ts';
import { fakeBackground, settled } from './fakes.ts';

const capture = (captureId: string, startedAt: number, isPinned?: true): CaptureRecord => ({
  captureId,
  name: `Capture ${captureId}`,
  startedAt,
  lastSequence: startedAt,
  eventCount: 3,
  sizeBytes: 400_000_000,
  ...(isPinned === undefined ? {} : { isPinned }),
});

async function start(behaviour: Partial<BackgroundFunctions> = {}) {
  const captures = [capture('c1', 1), capture('c2', 2, true), capture('c3', 3)];
  const { background, calls } = fakeBackground({
    storage: async () => ({ captures, currentId: 'c3', limitBytes: 2_000_000_000 }),
    ...behaviour,
  });
  const opened: string[] = [];
  const model = createStorageModel({
    background,
    openCapture: (captureId) => void opened.push(captureId),
    loadFiles: () => Promise.reject(new Error('There are no files here.')),
  });
  await model.refresh();
  return { model, calls, opened, captures };
}

describe('deleting', () => {
  test('a capture is asked once, and then done', async () => {
    const { model, calls, captures } = await start();
    model.askToDelete(captures[0]!);
    expect(model.question.value).toEqual({ kind: 'capture', capture: captures[0] });
    expect(calls.map(([name]) => name)).toEqual(['storage']);
    await model.confirm();
    expect(calls.slice(1)).toEqual([['deleteCapture', 'c1'], ['storage']]);
    expect(model.question.value).toBeUndefined();
    await model.confirm();
    expect(calls).toHaveLength(3);
  });

  test('may be thought better of', async () => {
    const { model, calls, captures } = await start();
    model.askToDelete(captures[0]!);
    model.cancel();
    await model.confirm();
    expect(calls).toHaveLength(1);
  });
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
      kind: 'limit',
      limitBytes: 500_000_000,
      removed: [captures[0]],
    });
    expect(calls).toHaveLength(1);
    await model.confirm();
    expect(calls[1]).toEqual(['setStorageLimit', 500_000_000]);
  });
});

test('pinning asks nothing, opening asks nobody', async () => {
  const { model, calls, opened } = await start();
  await model.pin('c1', true);
  expect(calls.slice(1)).toEqual([['pinCapture', 'c1', true], ['storage']]);
  model.open('c1');
  expect(opened).toEqual(['c1']);
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
