import { openCaptureDatabase, type CaptureDatabase } from '../capture/database.ts';
import type { Block, WireEvent } from '../capture/wire-event.ts';
import { openFeed, type Feed, type FeedHandlers } from '../port/feed.ts';
import { connectToBackground } from './page.ts';

/** Opens the feed of a page that shows traffic, with what is stored read from the database. */
export function openLogFeed(handlers: FeedHandlers): Feed {
  let database: Promise<CaptureDatabase> | undefined;
  return openFeed({
    ...handlers,
    wantsEvents: true,
    connect: connectToBackground,
    async *readBlocks(captureId, from, to): AsyncGenerator<Block[]> {
      database ??= openCaptureDatabase();
      yield* (await database).readBlocks(captureId, from, to);
    },
  });
}

/** The events of all stored captures but the named ones, a few blocks at a time. */
export async function* readOtherCaptures(known: ReadonlySet<string>): AsyncGenerator<WireEvent[]> {
  const database = await openCaptureDatabase();
  try {
    for (const { captureId, lastSequence } of await database.captures()) {
      if (known.has(captureId)) continue;
      for await (const blocks of database.readBlocks(captureId, 0, lastSequence)) {
        yield blocks.flatMap(({ events }) => events);
      }
    }
  } finally {
    database.close();
  }
}
