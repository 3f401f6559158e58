import { describe, expect, test } from 'vitest';
import type { CaptureRecord } from '../../../../lib/capture/store/capture-record.ts';
import { AppError } from '../../../../lib/errors.ts';
import {
  createFileModel,
  type CaptureExport,
  type ExportChoice,
  type FileDesk,
  type FileWork,
  type ShownPart,
} from '../../../../lib/state/captures/file-model.ts';

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

const CHOICE: ExportChoice = { format: 'har', secrets: 'hidden', profile: 'share-v1', kept: [] };
const found = {
  value: 'r7Kx2mQ9',
  secretClass: 'sid',
  places: ['header Mcp-Session-Id'],
  count: 2,
};

function prepared(given: Partial<CaptureExport> = {}): CaptureExport {
  return {
    report: { found: [found], recorded: 0, carriers: ['h1', 'h2', 's1'] },
    write: () => Promise.resolve(1200),
    close: () => undefined,
    ...given,
  };
}

function start(desk: Partial<FileDesk>, shown?: () => ShownPart | undefined) {
  const refreshed: number[] = [];
  const kept = new Map<string, string>();
  const parts = {
    load: () =>
      Promise.resolve({
        openExport: () => Promise.resolve(prepared()),
        importCaptureFile: (file: File) => Promise.resolve(imported(file.name, 0)),
        ...desk,
      }),
    changed: async () => void refreshed.push(1),
    settings: {
      read: (name: string) => kept.get(name),
      write: (name: string, text: string) => void kept.set(name, text),
    },
    ...(shown === undefined ? {} : { shown }),
  };
  return { model: createFileModel(parts), refreshed, again: () => createFileModel(parts) };
}

describe('files', () => {
  test('an export asks first, says how far it is, and how large it became', async () => {
    const shares: number[] = [];
    const wishes: ExportChoice[] = [];
    const { model } = start({
      openExport: async () =>
        prepared({
          async write(choice, { progress }) {
            wishes.push(choice);
            for (const share of [0.2, 0.201, 0.9]) {
              progress(share);
              shares.push(model.running.value?.share ?? -1);
            }
            return 1200;
          },
        }),
    });
    await model.askToExport(capture);
    expect(model.question.value?.prepared.report.found).toEqual([found]);
    expect(wishes).toEqual([]);
    await model.writeExport(CHOICE);
    expect(wishes).toEqual([CHOICE]);
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

  test('what the filter leaves of a capture is offered, and of no other', async () => {
    const shown = () => ({ captureIds: new Set(['c1']), ids: new Set(['h2', 'elsewhere']) });
    const { model } = start({}, shown);
    await model.askToExport(capture);
    expect(model.question.value?.shown).toEqual(['h2']);
    await model.askToExport({ ...capture, captureId: 'c2' });
    expect(model.question.value?.shown).toBeUndefined();
  });

  test('a capture that is not written after all is let go of', async () => {
    const closed: number[] = [];
    const { model } = start({
      openExport: async () => prepared({ close: () => void closed.push(1) }),
    });
    await model.askToExport(capture);
    model.cancel();
    expect(model.question.value).toBeUndefined();
    expect(closed).toHaveLength(1);
  });

  test('rules of the user’s own are kept, and followed', async () => {
    const asked: unknown[] = [];
    const { model, again } = start({
      openExport: async (_capture, rules) => {
        asked.push(rules);
        return prepared();
      },
    });
    const rule = { kind: 'name', text: 'X-Tenant' } as const;
    model.setRules([rule]);
    await model.askToExport(capture);
    expect(asked).toEqual([[rule]]);
    expect(again().rules.value).toEqual([rule]);
  });
});
