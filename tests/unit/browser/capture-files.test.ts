import * as fakeIndexedDb from 'fake-indexeddb';
import { expect, test, vi } from 'vitest';

import {
  createCaptureFiles,
  type OpenFileThread,
} from '../../../lib/browser/page/capture-files.ts';
import { captureDatabase } from '../../../lib/capture/store/database.ts';
import { importCapture } from '../../../lib/capture/store/import-capture.ts';
import type { FileAnswer, FileJob } from '../../../lib/har/file-jobs.ts';
import { wireEvents } from '../../support/builders.ts';

Object.assign(globalThis, fakeIndexedDb);

vi.mock('wxt/browser', () => ({
  browser: { runtime: { getManifest: () => ({ name: 'Wirescope: DevTools', version: '1.2.3' }) } },
}));

const file = new File(['{}'], 'a.har');

/** A thread that is answered for by the test. */
function fakeThread() {
  const jobs: FileJob[] = [];
  let answer: (answer: FileAnswer) => void = () => undefined;
  let ends = 0;
  const open: OpenFileThread = (answered) => {
    answer = answered;
    return { post: (job) => void jobs.push(job), end: () => void (ends += 1) };
  };
  return { open, jobs, tell: (given: FileAnswer) => answer(given), ends: () => ends };
}

function work() {
  const controller = new AbortController();
  const shares: number[] = [];
  const progress = (share: number) => void shares.push(share);
  return { controller, shares, work: { signal: controller.signal, progress } };
}

const record = (captureId: string) => ({
  captureId,
  name: 'Half',
  startedAt: 0,
  lastSequence: 0,
  eventCount: 0,
  sizeBytes: 0,
});

test('an import that is cancelled ends its thread, and what that had stored is gone', async () => {
  const thread = fakeThread();
  const { controller, shares, work: doing } = work();
  const importing = createCaptureFiles(thread.open).importCaptureFile(file, doing);
  const [job] = thread.jobs;
  if (job?.kind !== 'import') throw new Error('Nothing was asked.');
  thread.tell({ kind: 'progress', share: 0.5 });
  expect(shares).toEqual([0.5]);
  const { captureId } = job;
  const database = captureDatabase();
  const events = wireEvents(1, 300).map((event) => ({ ...event, captureId }));
  await importCapture(database, record(captureId), events);
  expect(await database.captures()).toHaveLength(1);
  controller.abort(new Error('enough'));
  await expect(importing).rejects.toThrow('enough');
  expect(thread.ends()).toBeGreaterThan(0);
  await vi.waitFor(async () => expect(await database.captures()).toEqual([]));
  database.close();
});

test('a thread that fails says why, and is ended', async () => {
  const thread = fakeThread();
  const { work: doing } = work();
  const importing = createCaptureFiles(thread.open).importCaptureFile(file, doing);
  const problem = { code: 'file-invalid', message: 'This is no HAR file.' } as const;
  thread.tell({ kind: 'failed', problem });
  await expect(importing).rejects.toMatchObject({ problem });
  expect(thread.ends()).toBeGreaterThan(0);
});

test('one thread looks for secrets and writes, and is ended when that is over or not wanted', async () => {
  const thread = fakeThread();
  const { work: doing } = work();
  const files = createCaptureFiles(thread.open);
  const opening = files.openExport(record('c1'), [], doing);
  expect(thread.jobs).toMatchObject([
    { kind: 'open-export', rules: [], creator: { name: 'Wirescope', version: '1.2.3' } },
  ]);
  const report = { found: [], recorded: 0, carriers: [] };
  thread.tell({ kind: 'opened', report });
  const opened = await opening;
  expect(opened.report).toEqual(report);
  expect(thread.ends()).toBe(0);
  opened.close();
  expect(thread.ends()).toBe(1);
});
