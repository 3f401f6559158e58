import type { CaptureRecord } from '../capture/store/capture-record.ts';
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
    const captures = (await options.captures()).toSorted((a, b) => a.startedAt - b.startedAt);
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
    const next = captures.slice(at + 1).find(({ imported }) => imported === undefined);
    const isOver = capture.imported === undefined && !isSplit;
    if (next !== undefined && isOver) await closeOpen(next);
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

  async function closeOpen(next: CaptureRecord): Promise<void> {
    for await (const events of eventsOf(next)) {
      const start = events.find(({ kind }) => kind === 'worker-started');
      if (start === undefined) continue;
      if (!isClosed) options.events([start]);
      return;
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
