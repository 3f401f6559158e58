import type { NotificationItem, RequestItem } from '../../capture/correlate/items.ts';
import { toLine } from '../../text.ts';
import { readPage, withKeys, type Entry, type ListKind } from './server-entries.ts';

/** Reads a message; undefined while it is not in memory. */
export type ReadMessage = (item: RequestItem, which: 'request' | 'response') => string | undefined;

/** A request for a page of a list, and what came of it. */
export interface ListPage {
  item: RequestItem;
  entries: readonly Entry[];
  nextCursor?: string;
}

/** What a server lists of one kind, as far as it was asked for in one connection. */
export interface Listing {
  kind: ListKind;
  pages: readonly ListPage[];
  /** How often it was asked for in this connection. */
  requestCount: number;
  entries: readonly Entry[];
  /** A page is on its way. */
  isLoading: boolean;
  /** Why the last request brought no page; the pages before it stay. */
  failure?: { item: RequestItem; reason: string };
  /** How to go on; undefined at the end of the list. */
  nextCursor?: string;
  /** The server names a cursor again that has been followed: to go on would never end. */
  isRepeating: boolean;
  /** The server has said that the list is another one by now. */
  changed?: NotificationItem;
  /** Of all definitions, in bytes. */
  sizeBytes: number;
}

const pageCache = new WeakMap<
  RequestItem,
  { revision: number; page: ReturnType<typeof readPage> }
>();

/**
 * Derives a list from the requests for it, the oldest first: the newest request without a cursor begins it anew,
 * and what it replaces stays until its first page is there.
 */
export function deriveListing(
  kind: ListKind,
  requests: readonly RequestItem[],
  changes: readonly NotificationItem[],
  read: ReadMessage,
  isModern: boolean,
): Listing {
  let pages: ListPage[] = [];
  let failure: Listing['failure'];
  let isLoading = false;
  for (const item of requests) {
    if (item.outcome === 'pending') {
      isLoading = true;
      continue;
    }
    isLoading = false;
    const page = pageOf(kind, item, read, isModern);
    if (page === 'away') isLoading = true;
    else if (typeof page === 'string') failure = { item, reason: page };
    else {
      failure = page.fault === undefined ? undefined : { item, reason: page.fault };
      const next: ListPage = {
        item,
        entries: page.entries,
        ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }),
      };
      pages = placed(pages, next, cursorOf(item, read));
    }
  }
  const entries = withKeys(pages.flatMap((page) => page.entries));
  const last = pages.at(-1);
  const cursors = pages.map(({ nextCursor }) => nextCursor);
  const isRepeating =
    last?.nextCursor !== undefined && cursors.indexOf(last.nextCursor) < cursors.length - 1;
  const since = pages[0]?.item.sequence;
  const changed = changes.findLast(({ sequence }) => since !== undefined && sequence > since);
  return {
    kind,
    pages,
    requestCount: requests.length,
    entries,
    isLoading,
    ...(failure === undefined ? {} : { failure }),
    ...(last?.nextCursor === undefined || isRepeating ? {} : { nextCursor: last.nextCursor }),
    isRepeating,
    ...(changed === undefined ? {} : { changed }),
    sizeBytes: entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
}

/** The pages with one more, which follows the page that names its cursor, or begins the list. */
function placed(
  pages: readonly ListPage[],
  page: ListPage,
  cursor: string | undefined,
): ListPage[] {
  if (cursor === undefined) return [page];
  const before = pages.findLastIndex(({ nextCursor }) => nextCursor === cursor);
  // Asked for by hand, with a cursor of another listing.
  return before < 0 ? [...pages] : [...pages.slice(0, before + 1), page];
}

/** The content of a page, why there is none, or that it is on disk only. */
function pageOf(
  kind: ListKind,
  item: RequestItem,
  read: ReadMessage,
  isModern: boolean,
): ReturnType<typeof readPage> | string {
  if (item.outcome !== 'result') {
    return item.problem?.message ?? errorIn(read(item, 'response')) ?? `It was ${item.outcome}.`;
  }
  const known = pageCache.get(item);
  if (known?.revision === item.revision) return known.page;
  const text = read(item, 'response');
  if (text === undefined) return 'away';
  const page = readPage(kind, text, isModern);
  pageCache.set(item, { revision: item.revision, page });
  return page;
}

function cursorOf(item: RequestItem, read: ReadMessage): string | undefined {
  const text = read(item, 'request');
  if (text === undefined) return undefined;
  try {
    const message = JSON.parse(text) as { params?: { cursor?: unknown } } | null;
    const cursor = message?.params?.cursor;
    return typeof cursor === 'string' ? cursor : undefined;
  } catch {
    return undefined;
  }
}

function errorIn(text: string | undefined): string | undefined {
  try {
    const message = JSON.parse(text ?? '') as { error?: { code?: unknown; message?: unknown } };
    return `The server answered with an error: ${toLine(message.error?.message)} (${toLine(message.error?.code)})`;
  } catch {
    return undefined;
  }
}

/** What entries are found by: name, title and description, without regard to case. */
export function matches({ name, title = '', description = '' }: Entry, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return (
    wanted === '' || [name, title, description].some((text) => text.toLowerCase().includes(wanted))
  );
}
