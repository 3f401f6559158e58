import { browser } from 'wxt/browser';
import { captureReader } from '../../capture/store/capture-reader.ts';
import type { Block } from '../../capture/wire-event.ts';
import { openFeed, type Feed, type FeedHandlers } from '../../port/feed.ts';
import { openStoredFeed } from '../../port/stored-feed.ts';
import { connectToBackground } from './page.ts';

const database = captureReader();

async function readEnd(captureId: string, to: number) {
  const { readEnd: read } = await import('../../capture/correlate/correlate-tail.ts');
  return read(database, captureId, to);
}

/** Opens the feed of a page that shows traffic, with what is stored read from the database. */
export function openLogFeed(handlers: FeedHandlers): Feed {
  return openFeed({
    ...handlers,
    wantsEvents: true,
    connect: connectToBackground,
    readBlocks: (...range) => database.readBlocks(...range),
    readEnd,
  });
}

/** Opens a page's feed of a capture that is over. */
export function openStoredLogFeed(captureId: string, handlers: FeedHandlers): Feed {
  return openStoredFeed({
    ...handlers,
    captureId,
    connect: connectToBackground,
    captures: () => database.captures(),
    readBlocks: (...range) => database.readBlocks(...range),
    readEnd,
  });
}

/** Stored blocks of a capture that hold events of `from` to `to`, in order. */
export function readStoredBlocks(
  captureId: string,
  from: number,
  to: number,
): AsyncIterable<Block[]> {
  return database.readBlocks(captureId, from, to);
}

/** Opens a stored capture in a tab of its own. */
export function openCaptureTab(captureId: string): void {
  window.open(panelUrl({ capture: captureId }));
}

/** Loads this page anew with a stored capture, or without an id with what is live; `place` is one in it. */
export function showCapture(captureId: string | undefined, place?: object): void {
  location.assign(
    panelUrl({
      ...(captureId === undefined ? {} : { capture: captureId }),
      ...(place === undefined ? {} : { at: JSON.stringify(place) }),
    }),
  );
}

function panelUrl(query: Record<string, string>): string {
  const search = new URLSearchParams(query).toString();
  return `${browser.runtime.getURL('/panel.html')}${search === '' ? '' : `?${search}`}`;
}
