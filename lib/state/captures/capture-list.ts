import type { CaptureDescription } from '../../capture/store/capture-description.ts';
import type { CaptureRecord } from '../../capture/store/capture-record.ts';
import { formatCount } from '../../text.ts';

/** A capture as the list shows it. */
export interface CaptureRow {
  capture: CaptureRecord;
  description: CaptureDescription;
  /** It is being recorded. */
  isCurrent: boolean;
}

export type CaptureColumn = 'name' | 'time' | 'exchanges' | 'errors' | 'events' | 'size';

export interface CaptureSort {
  column: CaptureColumn;
  isDescending: boolean;
}

/** The newest first. */
const FIRST_SORT: CaptureSort = { column: 'time', isDescending: true };

/** The order that was last chosen, from its JSON; for any other text the newest go first. */
export function readSort(text: string | undefined): CaptureSort {
  try {
    const read: unknown = JSON.parse(text ?? '{}');
    const { column, isDescending } = { ...(read as Partial<CaptureSort>) };
    if (column === undefined || !Object.hasOwn(VALUES, column)) return FIRST_SORT;
    return { column, isDescending: isDescending === true };
  } catch {
    return FIRST_SORT;
  }
}

const VALUES: Record<CaptureColumn, (row: CaptureRow) => number | string> = {
  name: ({ capture }) => capture.name,
  time: ({ capture }) => capture.startedAt,
  exchanges: ({ description }) => description.facts?.exchanges ?? -1,
  errors: ({ description }) => description.facts?.errors ?? -1,
  events: ({ capture }) => capture.eventCount,
  size: ({ capture }) => capture.sizeBytes,
};

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Captures in order; equal ones stay as they were. */
export function sortCaptures(
  rows: readonly CaptureRow[],
  { column, isDescending }: CaptureSort,
): CaptureRow[] {
  const valueOf = VALUES[column];
  const sorted = rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    if (typeof a === 'string' || typeof b === 'string') return names.compare(String(a), String(b));
    return a - b;
  });
  return isDescending ? sorted.toReversed() : sorted;
}

/** Whether nothing would be missed: every start of the browser begins a capture, and many get no traffic. */
export function isEmpty({ capture, description, isCurrent }: CaptureRow): boolean {
  const { facts, note, tags } = description;
  const isWanted = isCurrent || capture.isPinned === true || capture.imported !== undefined;
  const isDescribed = note !== undefined || tags !== undefined;
  if (isWanted || isDescribed || facts?.upTo !== capture.lastSequence) return false;
  return facts.exchanges === 0 && facts.servers.length === 0;
}

/** What is said of a capture that was imported, in a word and in a sentence; undefined for all others. */
export function importWords({
  imported,
  eventCount,
}: CaptureRecord): { word: string; sentence: string } | undefined {
  if (imported === undefined) return undefined;
  const { file, repairCount, events = 0, isRedacted } = imported;
  if (eventCount < events) {
    const share = `${eventCount.toLocaleString('en')} of ${events.toLocaleString('en')} events`;
    const sentence = `Reading ${file} goes on elsewhere, or was interrupted: ${share} are here. If so, import it again.`;
    return { word: 'imported in part', sentence };
  }
  return {
    word: isRedacted === true ? 'imported, secrets replaced' : 'imported',
    sentence: `${file}, ${formatCount(repairCount, 'thing')} put right`,
  };
}

/** The order that a click on a column asks for: names rise first, all else falls. */
export function nextSort(sort: CaptureSort, column: CaptureColumn): CaptureSort {
  if (sort.column === column) return { column, isDescending: !sort.isDescending };
  return { column, isDescending: column !== 'name' };
}

/** Tags as they were typed: parted by commas, each once, without blanks around them. */
export function readTags(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim());
  return [...new Set(tags)].filter((tag) => tag !== '');
}

/** A server in a word: as it calls itself, else its host. */
export function nameServer({ url, name }: { url: string; name?: string }): string {
  if (name !== undefined && name !== '') return name;
  return URL.canParse(url) ? new URL(url).host : url;
}
