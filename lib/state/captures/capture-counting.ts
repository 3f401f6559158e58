import type {
  CaptureDescription,
  CaptureFacts,
  UsageCount,
} from '../../capture/store/capture-description.ts';
import type { CaptureRecord } from '../../capture/store/capture-record.ts';
import type { CaptureShelf } from '../../capture/store/capture-shelf.ts';
import { inOrderOfAge } from '../../capture/store/retention-plan.ts';
import type { Correlation } from '../../capture/correlate/correlate.ts';
import { countFacts } from './capture-facts.ts';

/** Where there are hundreds, drawing the list for each would be more work than counting. */
const TELL_MS = 500;

export interface CaptureCounting {
  /** Begins to count the captures whose counts are missing or old, the newest first. */
  countStale(
    captures: readonly CaptureRecord[],
    known: ReadonlyMap<string, CaptureDescription>,
  ): void;
  stop(): void;
}

export interface CountingParts {
  loadShelf(): Promise<CountingShelf>;
  /** What this page knows of a capture already. */
  logOf(captureId: string): Correlation | undefined;
  /** Told now and then of what was counted, by `captureId`. */
  counted(facts: ReadonlyMap<string, CaptureFacts>): void;
}

type CountingShelf = Pick<CaptureShelf, 'read' | 'keepFacts'>;

/** Counts what is in captures, one after the other, while somebody looks. What was counted is kept, and read no more. */
export function countCaptures({ loadShelf, logOf, counted }: CountingParts): CaptureCounting {
  const ending = new AbortController();
  /** The one that is being recorded is never up to date, and what cannot be read stays so. */
  const tried = new Set<string>();
  let waiting: CaptureRecord[] = [];
  let isWorking = false;
  let fresh = new Map<string, CaptureFacts>();
  let toldAt = 0;

  function tell(): void {
    if (fresh.size === 0) return;
    const facts = fresh;
    fresh = new Map();
    counted(facts);
    toldAt = performance.now();
  }

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    const shelf = await loadShelf();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (ending.signal.aborted) break;
      tried.add(next.captureId);
      try {
        const facts = await countOne(shelf, next, ending.signal, logOf(next.captureId));
        fresh.set(next.captureId, facts);
      } catch {
        // Whoever opens it is told why it cannot be read; here it has no counts.
      }
      if (performance.now() - toldAt >= TELL_MS) tell();
    }
    tell();
    isWorking = false;
  }

  return {
    countStale(captures, known) {
      waiting = inOrderOfAge(captures).filter(
        (capture) => !tried.has(capture.captureId) && !isCounted(capture, known),
      );
      // What cannot be loaded has been told by whoever asked for the list.
      void work().catch(() => undefined);
    },
    stop: () => ending.abort(),
  };
}

/** What captures used, as it was counted before; of the others each is read once. Rejects with the signal's reason. */
export async function* readUsage(
  captures: readonly CaptureRecord[],
  shelf: CountingShelf & Pick<CaptureShelf, 'descriptions'>,
  signal: AbortSignal,
): AsyncGenerator<readonly UsageCount[]> {
  const known = new Map((await shelf.descriptions()).map((each) => [each.captureId, each]));
  for (const capture of captures) {
    const { facts } = known.get(capture.captureId) ?? {};
    const isUsable = facts !== undefined && isCounted(capture, known);
    yield (isUsable ? facts : await countOne(shelf, capture, signal)).usage ?? [];
  }
}

function isCounted(
  { captureId, lastSequence }: CaptureRecord,
  known: ReadonlyMap<string, CaptureDescription>,
): boolean {
  const facts = known.get(captureId)?.facts;
  return facts?.upTo === lastSequence && facts.usage !== undefined;
}

async function countOne(
  shelf: CountingShelf,
  capture: CaptureRecord,
  signal: AbortSignal,
  known?: Correlation,
): Promise<CaptureFacts> {
  const log = known ?? (await shelf.read(capture, { signal })).correlation;
  const facts = countFacts(log, capture.lastSequence);
  await shelf.keepFacts(capture.captureId, facts);
  return facts;
}
