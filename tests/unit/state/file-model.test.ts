import { describe, expect, test } from 'vitest';
import type { CaptureRecord } from '../../../lib/capture/capture-record.ts';
import { AppError } from '../../../lib/errors.ts';
import { createFileModel, type FileDesk, type FileWork } from '../../../lib/state/file-model.ts';

const capture: CaptureRecord = {
  captureId: 'c1',
  name: 'A capture',
  startedAt: 0,
  lastSequence: 9,
  eventCount: 9,
  sizeBytes: 900,
};
const imported = (file: string, repairCount: number): CaptureRecord => ({
  ...capture,
  imported: { file, repairCount, repairs: [] },
});

function start(desk: Partial<FileDesk>) {
  const refreshed: number[] = [];
  const model = createFileModel(
    () =>
      Promise.resolve({
        openExport: () =>
          Promise.resolve({ counts: new Map(), write: () => Promise.resolve(1200) }),
        importCaptureFile: (file) => Promise.resolve(imported(file.name, 0)),
        ...desk,
      }),
    async () => void refreshed.push(1),
  );
  return { model, refreshed };
}

describe('files', () => {
  test('an export asks first, says how far it is, and how large it became', async () => {
    const shares: number[] = [];
    const wishes: boolean[] = [];
    const { model } = start({
      openExport: async () => ({
        counts: new Map([['sid', 2]]),
        async write(holdsSecrets, { progress }) {
          wishes.push(holdsSecrets);
          for (const share of [0.2, 0.201, 0.9]) {
            progress(share);
            shares.push(model.running.value?.share ?? -1);
          }
          return 1200;
        },
      }),
    });
    await model.askToExport(capture);
    expect(model.question.value?.prepared.counts.get('sid')).toBe(2);
    expect(wishes).toEqual([]);
    await model.writeExport(false);
    expect(wishes).toEqual([false]);
    expect(shares).toEqual([0.2, 0.2, 0.9]);
    expect(model.running.value).toBeUndefined();
    expect(model.question.value).toBeUndefined();
    expect(model.outcome.value?.text).toBe('“A capture” was written: 1.2 kB.');
  });

  test('imports go one after the other, and stop at the first that fails', async () => {
    const { model, refreshed } = start({
      importCaptureFile: (file) =>
        file.name === 'b.har'
          ? Promise.reject(new AppError({ code: 'file-invalid', message: 'This is no HAR file.' }))
          : Promise.resolve(imported(file.name, 2)),
    });
    await model.importFiles([new File([], 'a.har')]);
    expect(model.outcome.value?.text).toBe('a.har was imported. 2 things had to be put right.');
    expect(refreshed).toHaveLength(1);
    await model.importFiles(['a.har', 'b.har', 'c.har'].map((name) => new File([], name)));
    expect(model.problem.value?.message).toBe('This is no HAR file.');
    expect(refreshed).toHaveLength(2);
  });

  test('what is cancelled says so, and is no failure', async () => {
    const waiting = (_what: unknown, { signal }: FileWork) =>
      new Promise<never>((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    const { model } = start({ importCaptureFile: waiting });
    const importing = model.importFiles([new File([], 'a.har'), new File([], 'b.har')]);
    await Promise.resolve();
    await Promise.resolve();
    model.cancel();
    await importing;
    expect(model.problem.value).toBeUndefined();
    expect(model.outcome.value?.text).toBe('Import of a.har was cancelled.');
  });
});
