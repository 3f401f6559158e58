import type { CaptureDescription } from '../../capture/store/capture-description.ts';
import type { CaptureShelf } from '../../capture/store/capture-shelf.ts';
import type { Correlation } from '../../capture/correlate/correlate.ts';
import type { StorageReport } from '../../capture/store/retention.ts';
import { countFacts } from './capture-facts.ts';

export interface CaptureCounting {
  /** Begins to count the captures whose counts are missing or old, the newest first. */
  countStale(report: StorageReport, known: ReadonlyMap<string, CaptureDescription>): void;
  stop(): void;
}

/**
 * Counts what is in captures, one after the other, while somebody looks; `counted` is called after each. `logOf` is
 * what this page knows of a capture already.
 */
export function countCaptures(
  loadShelf: () => Promise<CaptureShelf>,
  logOf: (captureId: string) => Correlation | undefined,
  counted: () => Promise<void>,
): CaptureCounting {
  const ending = new AbortController();
  /** The one that is being recorded is never up to date, and what cannot be read stays so. */
  const tried = new Set<string>();
  let waiting: StorageReport['captures'] = [];
  let isWorking = false;

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    const shelf = await loadShelf();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (ending.signal.aborted) break;
      tried.add(next.captureId);
      try {
        const log =
          logOf(next.captureId) ?? (await shelf.read(next, { signal: ending.signal })).correlation;
        await shelf.keepFacts(next.captureId, countFacts(log, next.lastSequence));
        await counted();
      } catch {
        // Whoever opens it is told why it cannot be read; here it has no counts.
      }
    }
    isWorking = false;
  }

  return {
    countStale({ captures }, known) {
      const isStale = ({ captureId, lastSequence }: StorageReport['captures'][number]) =>
        !tried.has(captureId) && known.get(captureId)?.facts?.upTo !== lastSequence;
      // They come with the oldest first.
      waiting = captures.filter(isStale);
      // What cannot be loaded has been told by whoever asked for the list.
      void work().catch(() => undefined);
    },
    stop: () => ending.abort(),
  };
}
