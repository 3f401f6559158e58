import { expect, test } from 'vitest';
import type { CaptureRecord } from '../../../../lib/capture/store/capture-record.ts';
import {
  createFirstSteps,
  EXAMPLES,
  serversOf,
} from '../../../../lib/state/captures/first-steps.ts';
import { DEFAULT_LIMIT_BYTES } from '../../../../lib/capture/store/retention-plan.ts';
import { fakeBackground } from '../fakes.ts';

/** A shelf of captures in memory, and a page around the panel. */
function open() {
  let listener: ((url: string | undefined) => void) | undefined;
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
    watchInspected(told) {
      listener = told;
      return () => (listener = undefined);
    },
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
  return { steps, captures, shown, goTo: (url?: string) => listener?.(url) };
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

test.each([
  undefined,
  'about:blank',
  'chrome://version/',
  'chrome-extension://mocebeiohgegefmdifbdjmpdlpgjkjlc/panel.html',
  'file:///home/ada/index.html',
  'data:text/html,hello',
  'no URL',
])('the page %j has no host', (url) => {
  const { steps, goTo } = open();
  steps.followPage();
  goTo('http://localhost:3000/');
  expect(steps.pageHost.value).toBe('localhost');
  goTo(url);
  expect(steps.pageHost.value).toBeUndefined();
});

test('servers on the host of the page are found, and those of its neighbours', () => {
  const { steps, goTo } = open();
  const stop = steps.followPage();
  goTo('https://app.example.com/start');
  expect(steps.pageHost.value).toBe('app.example.com');
  stop();
  goTo('https://elsewhere.example');
  expect(steps.pageHost.value).toBe('app.example.com');
  const servers = ['https://app.example.com/mcp', 'https://example.com/', 'https://other.org/'].map(
    (url) => ({ url, headers: [], usedAt: 0 }),
  );
  expect(serversOf('app.example.com', servers).map(({ url }) => url)).toEqual([
    'https://app.example.com/mcp',
    'https://example.com/',
  ]);
  expect(serversOf(undefined, servers)).toEqual([]);
});
