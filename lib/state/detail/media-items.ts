import { nameOf, stringAt, toJsonPath, type Outlined } from '../../json/path.ts';
import type { LongWork } from './long-work.ts';

/** Binary content in a message: of a content item, of a resource, or a data URL. */
export interface MediaItem {
  node: number;
  /** JSONPath of the text that holds it. */
  path: string;
  /** As the server says; empty where it does not. */
  mimeType: string;
  sizeBytes: number;
}

/** Looking through a message for binary content. */
export interface MediaSearch extends LongWork {
  readonly items: readonly MediaItem[];
  /** How many there are, those beyond the limit included. */
  readonly found: number;
}

const NODES_PER_STEP = 2000;
/** A message with more of them than this is looked through in the tree. */
const ITEM_LIMIT = 24;
/** Shorter text is no picture. UTF-16 units. */
const SHORTEST = 24;
/** A content item has few members; a longer object is something else. */
const MEMBER_LIMIT = 32;
const DATA_URL = /^data:([^;,]*)((?:;[^;,]*)*),/i;
const HEAD_UNITS = 200;

/** Begins to look through a message that has been read. */
export function findMedia(json: Outlined): MediaSearch {
  const items: MediaItem[] = [];
  let node = 0;
  let found = 0;

  function look(at: number): void {
    const { outline } = json;
    const end = outline.endOf(at);
    if (outline.kindOf(at) !== 'string' || end - outline.startOf(at) < SHORTEST) return;
    const item = mediaAt(json, at);
    if (item === undefined) return;
    found += 1;
    if (items.length < ITEM_LIMIT) items.push({ ...item, path: toJsonPath(json, at) });
  }

  return {
    items,
    get found() {
      return found;
    },
    get isDone() {
      return node >= json.outline.count;
    },
    step() {
      const end = Math.min(node + NODES_PER_STEP, json.outline.count);
      for (; node < end; node += 1) look(node);
    },
  };
}

function mediaAt(json: Outlined, node: number): Omit<MediaItem, 'path'> | undefined {
  const { text, outline } = json;
  const start = outline.startOf(node) + 1;
  const end = outline.endOf(node) - 1;
  const head = DATA_URL.exec(text.slice(start, Math.min(start + HEAD_UNITS, end)));
  if (head !== null) {
    const [prefix, mimeType = '', parameters = ''] = head;
    if (!parameters.toLowerCase().endsWith(';base64')) return undefined;
    const sizeBytes = base64Size(text, start + prefix.length, end);
    return { node, mimeType: mimeType.toLowerCase(), sizeBytes };
  }
  const keyStart = outline.keyStartOf(node);
  if (!text.startsWith('"data"', keyStart) && !text.startsWith('"blob"', keyStart)) {
    return undefined;
  }
  const mimeType = siblingString(json, node, 'mimeType');
  // An ordinary member may have such a name; a blob is one by its resource.
  if (mimeType === undefined && siblingString(json, node, 'uri') === undefined) return undefined;
  const sizeBytes = base64Size(text, start, end);
  return { node, mimeType: (mimeType ?? '').toLowerCase(), sizeBytes };
}

function siblingString(json: Outlined, node: number, name: string): string | undefined {
  const { outline } = json;
  const parent = outline.parentOf(node);
  const size = Math.min(outline.sizeOf(parent), MEMBER_LIMIT);
  for (let place = 0; place < size; place += 1) {
    const child = outline.childAt(parent, place) ?? -1;
    if (nameOf(json, child) === name) return stringAt(json, child);
  }
  return undefined;
}

/** How many bytes the base64 between two places of a text stands for. */
export function base64Size(text: string, start: number, end: number): number {
  let padding = 0;
  while (padding < 2 && text.charAt(end - 1 - padding) === '=') padding += 1;
  return Math.max(Math.floor(((end - start - padding) * 3) / 4), 0);
}
