import type { Item } from '../../capture/correlate/items.ts';
import { typeOf } from './column-cells.ts';
import { httpStatus } from '../detail/http-status.ts';
import { toStatusText } from './item-status.ts';
import { messageEraOf } from '../connect/message-era.ts';
import { durationOf, sizeBytesOf, toKind, toNames } from './rows.ts';
import type { RowSource } from './rows.ts';
import { connectionNameOf, directionOf, ownRecord } from './view-facts.ts';

/** What rows can be sorted by; the waterfall stands for the moment of the start. */
export const SORT_COLUMNS = [
  'name',
  'kind',
  'direction',
  'connection',
  'status',
  'type',
  'size',
  'time',
  'duration',
  'era',
  'waterfall',
] as const;

export type SortColumn = (typeof SORT_COLUMNS)[number];

export interface Sort {
  column: SortColumn;
  direction: 'ascending' | 'descending';
}

/** What a row is sorted by; of one column all are texts or all are numbers. Undefined where a cell is empty. */
export type SortKey = string | number | undefined;

/** The value of an item in a column. */
export function sortKeyOf(item: Item, column: SortColumn, source: RowSource): SortKey {
  switch (column) {
    case 'name': {
      const { name, target } = toNames(item, recordOf(item, source), source);
      return `${name} ${target}`.toLowerCase();
    }
    case 'kind':
      return toKind(item);
    case 'direction':
      return directionOf(item);
    case 'connection':
      return connectionNameOf(item, source)?.toLowerCase();
    case 'status':
      return statusKey(item, source);
    case 'type':
      return typeOf(item, source) || undefined;
    case 'size':
      return sizeBytesOf(item, source);
    case 'duration':
      return runningOr(item, durationOf(item, source)?.ms);
    case 'era': {
      const era = messageEraOf(item, source);
      return era && (era.revision ?? era.era);
    }
    case 'time':
    case 'waterfall':
      return item.started.wallTime;
  }
}

/** Compares two values of one column; empty ones come last either way. */
export function compareSortKeys(one: SortKey, other: SortKey, sort: Sort): number {
  if (one === other) return 0;
  if (one === undefined) return 1;
  if (other === undefined) return -1;
  return one < other === (sort.direction === 'ascending') ? -1 : 1;
}

/** HTTP statuses first, then what there are only words for. */
function statusKey(item: Item, source: RowSource): string | undefined {
  const status = httpStatus(ownRecord(item, source));
  const words = toStatusText(item, source);
  if (status !== undefined) return `${status} ${words}`;
  return words === '' ? undefined : words;
}

/** What still runs takes the longest, however long that will be. */
function runningOr(item: Item, ms: number | undefined): number | undefined {
  const isRunning = item.ended === undefined && item.kind !== 'lifecycle';
  return isRunning ? Infinity : ms;
}

function recordOf(item: Item, { https }: RowSource) {
  return item.httpId === undefined ? undefined : https.get(item.httpId);
}
