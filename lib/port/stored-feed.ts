import type { CaptureRecord } from '../capture/store/capture-record.ts';
import { inOrderOfAge } from '../capture/store/retention-plan.ts';
import { reasonOf } from '../capture/store/unreadable.ts';
import type { Block, WireEvent } from '../capture/wire-event.ts';
import { createTurns } from '../turns.ts';
import { deliverInTurns } from './deliver.ts';
import { openFeed, showEnd, type Feed, type FeedOptions } from './feed.ts';

export interface StoredFeedOptions extends Omit<FeedOptions, 'wantsEvents'> {
  captureId: string;
  captures(): Promise<CaptureRecord[]>;
}

/**
 * A page's view of a capture that is over: all that is stored, and nothing live but the connections. What was
 * open at its end was closed by the next start of the worker, which is told last.
 */
export function openStoredFeed(options: StoredFeedOptions): Feed {
  let isClosed = false;
  const feed = openFeed({
    ...options,
    wantsEvents: false,
    status: (status) => {
      if (status.kind === 'live') tellEnd();
      else options.status(status);
    },
  });
  let end: (() => void) | undefined;
  const tellEnd = () => end?.();

  async function read(): Promise<void> {
    const captures = inOrderOfAge(await options.captures());
    const at = captures.findIndex(({ captureId }) => captureId === options.captureId);
    const capture = captures[at];
    if (capture === undefined) throw new Error('This capture is not in the database any more.');
    await showEnd(options, capture.captureId, capture.lastSequence);
    let loadedEvents = 0;
    let isSplit = false;
    const turns = createTurns();
    const page = { deliver: options.events, isClosed: () => isClosed };
    for await (const events of eventsOf(capture)) {
      if (isClosed) return;
      await deliverInTurns(events, page, turns);
      loadedEvents += events.length;
      isSplit ||= events.some(({ kind }) => kind === 'capture-split');
      options.status({ kind: 'loading', loadedEvents });
    }
    // What was open at the end of a file was open when it was written, and at a split it went on.
    if (capture.imported === undefined && !isSplit) {
      await closeOpen(capture, captures.slice(at + 1));
    }
    const { name, imported } = capture;
    const from = imported === undefined ? {} : { file: imported.file };
    end = () => options.status({ kind: 'stored', name, ...from });
    end();
  }

  async function* eventsOf({
    captureId,
    lastSequence,
  }: CaptureRecord): AsyncGenerator<WireEvent[]> {
    for await (const blocks of options.readBlocks(captureId, 0, lastSequence)) {
      yield blocks.flatMap((block: Block) => block.events);
    }
  }

  /** By the start of the worker at the beginning of the first capture behind it that has one. */
  async function closeOpen(
    { lastSequence }: CaptureRecord,
    later: readonly CaptureRecord[],
  ): Promise<void> {
    for (const next of later) {
      // A copy has the same sequences as its original, and a second half begins with no start.
      if (next.imported !== undefined || next.lastSequence <= lastSequence) continue;
      for await (const events of eventsOf(next)) {
        const start = events.find(({ kind }) => kind === 'worker-started');
        if (start === undefined) break;
        if (!isClosed) options.events([start]);
        return;
      }
    }
  }

  read().catch((error: unknown) => {
    const { captureId } = options;
    end = () =>
      options.status({ kind: 'unreadable', captureId, from: 0, to: 0, reason: reasonOf(error) });
    end();
  });
  return {
    background: feed.background,
    close() {
      isClosed = true;
      feed.close();
    },
  };
}
