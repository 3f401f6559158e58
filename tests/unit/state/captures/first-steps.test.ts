import { expect, test } from 'vitest';
import type { CaptureRecord } from '../../../../lib/capture/store/capture-record.ts';
import { createFirstSteps, EXAMPLES } from '../../../../lib/state/captures/first-steps.ts';
import { DEFAULT_LIMIT_BYTES } from '../../../../lib/capture/store/retention-plan.ts';
import { fakeBackground } from '../fakes.ts';

/** A shelf of captures in memory. */
function open() {
  const captures: CaptureRecord[] = [];
  const shown: (string | undefined)[] = [];
  const { background } = fakeBackground({
    storage: async () => ({
      captures,
      currentId: '',
      limitBytes: DEFAULT_LIMIT_BYTES,
      usedBytes: 0,
    }),
  });
  const steps = createFirstSteps({
    loadExample: async (file) => {
      if (file === 'missing') throw new Error('no such file');
      return new File(['{}'], file);
    },
    storage: {
      background,
      showCapture: (captureId) => void shown.push(captureId),
      loadFiles: async () => ({
        openExport: () => Promise.reject(new Error('not here')),
        async importCaptureFile({ name }) {
          const capture: CaptureRecord = {
            captureId: `c${captures.length}`,
            name,
            startedAt: 0,
            lastSequence: 1,
            eventCount: 1,
            sizeBytes: 1,
            imported: { file: name, repairCount: 0, repairs: [] },
          };
          captures.push(capture);
          return capture;
        },
      }),
    },
  });
  return { steps, captures, shown };
}

test('an example is imported once, and shown each time', async () => {
  const { steps, captures, shown } = open();
  const [{ file }, other] = EXAMPLES;
  await steps.openExample(file);
  await steps.openExample(other.file);
  await steps.openExample(file);
  expect(captures).toHaveLength(2);
  expect(shown).toEqual(['c0', 'c1', 'c0']);
  expect(steps.opening.value).toBeUndefined();
});

test('an example that cannot be read is said, and another one may be opened', async () => {
  const { steps, shown } = open();
  await steps.openExample('missing');
  expect(steps.problem.value?.detail).toMatch(/no such file/);
  expect(steps.opening.value).toBeUndefined();
  await steps.openExample(EXAMPLES[0].file);
  expect(shown).toHaveLength(1);
  expect(steps.problem.value).toBeUndefined();
});
