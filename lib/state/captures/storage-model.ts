import { batch, computed, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { CaptureDescription, CaptureEdit } from '../../capture/store/capture-description.ts';
import type { CaptureRecord } from '../../capture/store/capture-record.ts';
import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { CaptureShelf, ShelfWork } from '../../capture/store/capture-shelf.ts';
import { planRemoval } from '../../capture/store/retention-plan.ts';
import type { StorageReport } from '../../capture/store/retention.ts';
import type { Problem } from '../../errors.ts';
import type { BackgroundFunctions, StorageFunctions } from '../../port/contract.ts';
import { countCaptures } from './capture-counting.ts';
import { readSort, sortCaptures, type CaptureRow, type CaptureSort } from './capture-list.ts';
import type { CapturePlace } from './capture-place.ts';
import { createCaptureRemoval, type CaptureRemoval } from './capture-removal.ts';
import type { SettingStore } from '../view/column-choice.ts';
import { createCaptureSearch, type CaptureSearch } from './capture-search.ts';
import { createFileModel, type FileDesk, type FileModel, type ShownPart } from './file-model.ts';
import type { OpenSearchWorker } from '../search/search-regex.ts';
import { readProblem } from './read-problem.ts';

/** What the captures screen works with. */
export interface StorageDesk {
  background: Pick<BackgroundFunctions, keyof StorageFunctions>;
  /** The stored capture that this page shows; absent where it shows what is live. */
  shownId?: string | undefined;
  /** Shows a stored capture in this page, or without an id what is live. */
  showCapture(captureId: string | undefined, place?: CapturePlace): void;
  /** Shows a stored capture in a tab. */
  openCapture(captureId: string): void;
  loadFiles(): Promise<FileDesk>;
  loadShelf(): Promise<CaptureShelf>;
  /** Files that were dropped on the panel. */
  dropped: Signal<readonly File[]>;
  /** What the table shows; undefined where it shows everything. */
  shown?: () => ShownPart | undefined;
  settings?: SettingStore;
}

/** A question that is asked once before captures go for a limit. */
export interface StorageQuestion {
  limitBytes: number;
  removed: CaptureRecord[];
}

/** Something that takes a while. */
export interface RunningShelfWork {
  title: string;
  /** From 0 to 1. */
  share: number;
}

export interface StorageModel {
  /** Absent until it was read. */
  report: ReadonlySignal<StorageReport | undefined>;
  /** The captures as they are listed. */
  rows: ReadonlySignal<readonly CaptureRow[]>;
  sort: ReadonlySignal<CaptureSort>;
  /** Sorts, this time and the next ones. */
  sortBy(sort: CaptureSort): void;
  /** Ids of the captures that are to be compared, in the order in which they were chosen; at most two. */
  chosen: Signal<readonly string[]>;
  question: ReadonlySignal<StorageQuestion | undefined>;
  problem: ReadonlySignal<Problem | undefined>;
  running: ReadonlySignal<RunningShelfWork | undefined>;
  /** What came of the last thing that was done. */
  outcome: ReadonlySignal<string | undefined>;
  removal: CaptureRemoval;
  search: CaptureSearch;
  refresh(): Promise<void>;
  pin(captureId: string, isPinned: boolean): Promise<void>;
  edit(captureId: string, edit: CaptureEdit): Promise<void>;
  duplicate(capture: CaptureRecord): Promise<void>;
  /** Ends the capture that is being recorded here and now, and begins another. */
  split(): Promise<void>;
  /** Ends what takes a while. */
  stopWork(): void;
  /** Sets the limit; asks first where captures go for it. */
  setLimit(limitBytes: number): Promise<void>;
  confirm(): Promise<void>;
  cancel(): void;
  /** Nobody looks any more: ends what is under way, and deletes what is to be deleted. */
  leave(): void;
  files: FileModel;
}

const SORT_SETTING = 'captures-sort';

/** Tries to carry over so often, after a split: nothing of the new capture may be stored yet. */
const CARRY_TRIES = 50;
const CARRY_PAUSE_MS = 100;

/** The stored captures, and what may be done with them. */
export function createStorageModel(
  desk: Omit<StorageDesk, 'dropped'> & {
    openSearchWorker: OpenSearchWorker;
    /** All of a capture, where this page has read it. */
    logOf?(captureId: string): Correlation | undefined;
  },
): StorageModel {
  const { background, loadShelf, loadFiles, shown, settings } = desk;
  const report = signal<StorageReport>();
  const descriptions = signal<ReadonlyMap<string, CaptureDescription>>(new Map());
  const question = signal<StorageQuestion>();
  const problem = signal<Problem>();
  const running = signal<RunningShelfWork>();
  const outcome = signal<string>();
  const sort = signal(readSort(settings?.read(SORT_SETTING)));
  const chosen = signal<readonly string[]>([]);
  let work: AbortController | undefined;
  let refreshing: Promise<void> | undefined;
  let isStale = false;
  const search = createCaptureSearch(loadShelf, desk.openSearchWorker);
  const counting = countCaptures({
    loadShelf,
    logOf: (captureId) => desk.logOf?.(captureId),
    counted(facts) {
      const all = new Map(descriptions.value);
      for (const [captureId, each] of facts)
        all.set(captureId, { ...all.get(captureId), captureId, facts: each });
      descriptions.value = all;
    },
  });
  const removal = createCaptureRemoval((captureIds) =>
    doing(() => background.deleteCaptures(captureIds)),
  );

  const rows = computed(() => {
    const { captures = [], currentId = '' } = report.value ?? {};
    const gone = new Set(removal.pending.value.map(({ captureId }) => captureId));
    const listed = captures
      .filter(({ captureId }) => !gone.has(captureId))
      .map((capture) => ({
        capture,
        description: descriptions.value.get(capture.captureId) ?? capture,
        isCurrent: capture.captureId === currentId,
      }));
    return sortCaptures(listed, sort.value);
  });

  async function readDescriptions(): Promise<void> {
    const read = await (await loadShelf()).descriptions();
    descriptions.value = new Map(read.map((each) => [each.captureId, each]));
  }

  async function readAll(): Promise<StorageReport> {
    const [read] = await Promise.all([background.storage(), readDescriptions()]);
    return read;
  }

  /** What a split has cut through is made whole in both halves; false where there is nothing to do. */
  async function carryBack({ currentId }: StorageReport): Promise<boolean> {
    const cut = [...descriptions.value.values()].filter(
      ({ unfinished = [] }) => unfinished.length > 0,
    );
    if (cut.length === 0) return false;
    const shelf = await loadShelf();
    for (const second of cut) await shelf.carryBack(second, second.captureId !== currentId);
    return true;
  }

  async function doing(carryOut: () => Promise<unknown>): Promise<void> {
    try {
      await carryOut();
      let read = await readAll();
      if (await carryBack(read)) read = await readAll();
      batch(() => {
        report.value = read;
        problem.value = undefined;
      });
      counting.countStale(read.captures, descriptions.value);
    } catch (error) {
      problem.value = readProblem(error);
    }
  }

  /** Where captures go one after the other, one reading tells of many. */
  function refresh(): Promise<void> {
    isStale = true;
    refreshing ??= read();
    return refreshing;

    async function read(): Promise<void> {
      while (isStale) {
        isStale = false;
        await doing(() => Promise.resolve());
      }
      refreshing = undefined;
    }
  }

  /** One at a time: it reads and writes a lot. */
  async function working(
    title: string,
    carryOut: (shelf: CaptureShelf, how: ShelfWork) => Promise<string>,
  ): Promise<void> {
    if (running.value !== undefined) return;
    const ending = new AbortController();
    work = ending;
    const progress = (share: number) => void (running.value = { title, share });
    progress(0);
    await doing(async () => {
      try {
        const said = await carryOut(await loadShelf(), { signal: ending.signal, progress });
        outcome.value = said;
      } catch (error) {
        if (!ending.signal.aborted) throw error;
        outcome.value = `${title} was stopped; nothing is left of it.`;
      } finally {
        running.value = undefined;
      }
    });
  }

  function carryLimitOut({ limitBytes }: StorageQuestion): Promise<void> {
    return doing(() => background.setStorageLimit(limitBytes));
  }

  return {
    report,
    rows,
    sort,
    sortBy(next) {
      sort.value = next;
      settings?.write(SORT_SETTING, JSON.stringify(next));
    },
    chosen,
    question,
    problem,
    running,
    outcome,
    removal,
    search,
    refresh,
    pin: (captureId, isPinned) => doing(() => background.pinCapture(captureId, isPinned)),
    edit: (captureId, edit) => doing(async () => (await loadShelf()).edit(captureId, edit)),
    duplicate: (capture) =>
      working(`A copy of “${capture.name}”`, async (shelf, how) => {
        const name = `Copy of ${capture.name}`;
        await shelf.duplicate(capture, name, how);
        return `“${name}” is a capture of its own now. It is pinned.`;
      }),
    split: () =>
      doing(async () => {
        const captureId = await background.splitCapture();
        const shelf = await loadShelf();
        let isCarried = await shelf.carryOver(captureId);
        for (let tries = 0; !isCarried && tries < CARRY_TRIES; tries += 1) {
          await new Promise((resolve) => setTimeout(resolve, CARRY_PAUSE_MS));
          isCarried = await shelf.carryOver(captureId);
        }
        outcome.value = isCarried
          ? 'A new capture has begun. Connections live on, and what was open is in both. ' +
            'The table keeps the rows so far until it is opened again.'
          : 'A new capture has begun, but nothing of it is stored yet: what was open is in the ' +
            'capture before it only. The status bar says whether the disk takes anything.';
      }),
    stopWork: () => work?.abort(),
    async setLimit(limitBytes) {
      const { captures = [], currentId = '' } = report.value ?? {};
      const removed = planRemoval(captures, currentId, limitBytes);
      if (removed.length > 0) question.value = { limitBytes, removed };
      else await carryLimitOut({ limitBytes, removed });
    },
    async confirm() {
      const asked = question.value;
      question.value = undefined;
      if (asked !== undefined) await carryLimitOut(asked);
    },
    cancel() {
      question.value = undefined;
    },
    leave() {
      work?.abort();
      counting.stop();
      search.stop();
      removal.leave();
    },
    files: createFileModel({
      load: loadFiles,
      changed: () => doing(() => Promise.resolve()),
      ...(shown === undefined ? {} : { shown }),
      ...(settings === undefined ? {} : { settings }),
    }),
  };
}
