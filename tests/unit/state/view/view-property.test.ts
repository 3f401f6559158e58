import { deepEqual, equal } from 'node:assert/strict';
import * as fc from 'fast-check';
import { test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { Correlation } from '../../../../lib/capture/correlate/correlate.ts';
import type { Item } from '../../../../lib/capture/correlate/items.ts';
import { filterLanguage } from '../../../../lib/state/filter/filter-language.ts';
import { isOfTypes, TYPE_CHIPS } from '../../../../lib/state/filter/filter-types.ts';
import { compareSortKeys, SORT_COLUMNS, sortKeyOf } from '../../../../lib/state/view/sorting.ts';
import { createTrafficView } from '../../../../lib/state/view/traffic-view.ts';
import type { TrafficView } from '../../../../lib/state/view/traffic-view.ts';
import { settled } from '../fakes.ts';
import { BusyLog } from '../view-log-builder.ts';

const TEXTS = [
  '',
  'progress',
  '-progress',
  'method:tools/call',
  '-method:notifications/* tool1',
  'is:running',
  '-is:running',
  'is:error',
  'has:issue',
  '-has:issue',
  'status-code:4xx',
  'larger-than:60',
  'slower-than:3ms',
  'kind:notification',
  'dir:in',
  'conn:server1',
  'era:modern',
  'task:later1',
  '/tool[12]/',
  'nonsense:1 call',
  '"HTTP"',
];

const number = fc.nat({ max: 99 });
const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('events' as const),
      acts: fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 12 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('text' as const), at: number }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('invert' as const), at: number }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('types' as const),
      types: fc.subarray([...TYPE_CHIPS], { maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('range' as const), at: number, to: number }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('sort' as const), at: number }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('fold' as const), at: number }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('issue' as const), at: number }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const), at: number }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('show' as const), at: number }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pause' as const), at: number }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('slice' as const), at: number }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reveal' as const), at: number }) },
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Time that passes with every look at the clock, so that slices are as short as they can be. */
function shortSlices() {
  let time = 0;
  const waiting: (() => void)[] = [];
  return { now: () => (time += 10), later: (run: () => void) => void waiting.push(run), waiting };
}

function startView(correlation: Correlation, issues: ReadonlySet<string>, slices = shortSlices()) {
  let now = 0;
  const view = createTrafficView(correlation, {
    now: () => now,
    slices,
    hasIssue: (item) => issues.has(item.key),
    loadLanguage: () => Promise.resolve(filterLanguage),
  });
  const finish = () => {
    for (let run = slices.waiting.shift(); run; run = slices.waiting.shift()) run();
  };
  return { view, slices, finish, setNow: (value: number) => (now = value) };
}

/** Depth, key, and how many rows are folded under it, or would be. */
type ExpectedRow = [depth: number, key: string, under: number];

/** The rows as the rules say, from the beginning and without any shortcut. */
function fromScratch(
  view: TrafficView,
  correlation: Correlation,
  issues: ReadonlySet<string>,
  cleared: number,
): { rows: ExpectedRow[]; filteredOut: number } {
  const hasIssue = (item: Item) => issues.has(item.key);
  const parsed = filterLanguage.parse(view.filter.text.value);
  const matcher = filterLanguage.compile(parsed, { source: correlation, hasIssue });
  const [range, types, sort] = [view.range.value, view.filter.types.value, view.sort.value];
  const kept = correlation.items.slice(cleared);
  const passing = kept.filter((item) => {
    const end = item.ended ?? (item.kind === 'lifecycle' ? item.started : { wallTime: Infinity });
    if (range && (item.started.wallTime > range.to || end.wallTime < range.from)) return false;
    if (types.size > 0 && !isOfTypes(item, types, correlation, hasIssue)) return false;
    if (parsed.questions.length === 0) return true;
    const isMatch = matcher.matches({ item, text: undefined, textRevision: -1 });
    return isMatch !== view.filter.isInverted.value;
  });
  const above = (item: Item): Item | undefined => {
    const parent = view.parentOf(item);
    return parent === undefined || passing.includes(parent) ? parent : above(parent);
  };
  const tops = passing.filter((item) => above(item) === undefined);
  if (sort) {
    const key = (item: Item) => sortKeyOf(item, sort.column, correlation);
    tops.sort((one, other) => compareSortKeys(key(one), key(other), sort));
  }
  const rows: ExpectedRow[] = [];
  const under = (item: Item): Item[] =>
    passing.filter((other) => above(other) === item).flatMap((other) => [other, ...under(other)]);
  /** Without what is folded within it. */
  const shownUnder = (item: Item): Item[] =>
    passing
      .filter((other) => above(other) === item)
      .flatMap((other) => [other, ...(view.isFolded(other) ? [] : shownUnder(other))]);
  const walk = (items: Item[], depth: number) => {
    for (const item of items) {
      const below = view.isFolded(item) ? under(item) : shownUnder(item);
      rows.push([Math.min(depth, 2), item.key, below.length]);
      if (view.isFolded(item)) continue;
      walk(
        passing.filter((other) => above(other) === item),
        depth + 1,
      );
    }
  };
  walk(tops, 0);
  return { rows, filteredOut: kept.length - passing.length };
}

function rowsOf(view: TrafficView): ExpectedRow[] {
  return Array.from({ length: view.count.value }, (_, index) => {
    const item = view.itemAt(index);
    return [view.depthAt(index), item?.key ?? '', item === undefined ? 0 : view.rowsUnder(item)];
  });
}

async function play(steps: readonly Step[]): Promise<void> {
  const correlation = createCorrelation();
  const issues = new Set<string>();
  const busy = new BusyLog();
  const { view, slices, finish, setNow } = startView(correlation, issues);
  // From here on the language is there.
  view.filter.text.value = 'x';
  await settled();
  view.filter.text.value = '';
  finish();

  for (const next of steps) {
    const { items } = correlation;
    const item = 'at' in next ? items[next.at % Math.max(items.length, 1)] : undefined;
    const before = rowsOf(view);
    switch (next.do) {
      case 'events': {
        for (const [choice, at] of next.acts) busy.act(choice, at);
        view.refresh(correlation.apply(busy.take()));
        if (view.isPaused.value && view.isSettled.value) deepEqual(rowsOf(view), before);
        break;
      }
      case 'text':
        view.filter.text.value = TEXTS[next.at % TEXTS.length] ?? '';
        break;
      case 'invert':
        view.filter.isInverted.value = !view.filter.isInverted.value;
        break;
      case 'types':
        view.filter.types.value = new Set(next.types);
        break;
      case 'range': {
        const start = items[0]?.started.wallTime ?? 0;
        const [from, to] = [start + Math.min(next.at, next.to), start + Math.max(next.at, next.to)];
        view.range.value = next.at % 3 === 0 ? undefined : { from, to };
        break;
      }
      case 'sort': {
        const column = SORT_COLUMNS[next.at % (SORT_COLUMNS.length + 1)];
        const direction = next.at % 2 === 0 ? 'ascending' : 'descending';
        view.sort.value = column && { column, direction };
        break;
      }
      case 'fold':
        if (item !== undefined) view.toggleFold(item);
        break;
      case 'issue':
        if (item === undefined) break;
        if (!issues.delete(item.key)) issues.add(item.key);
        view.refresh(new Set(), new Set([item.key]));
        break;
      case 'clear':
        setNow(item?.started.wallTime ?? 0);
        view.clear();
        break;
      case 'show':
        view.showAll();
        break;
      case 'pause':
        view.isPaused.value = !view.isPaused.value;
        break;
      case 'slice':
        slices.waiting.shift()?.();
        break;
      case 'reveal': {
        if (item === undefined) break;
        // What has been taken back is told with its first rows.
        const wasSettled = view.isSettled.value;
        const isCleared = items.indexOf(item) < view.hidden.value;
        const isRevealed = view.reveal(item);
        if (wasSettled) equal(isRevealed, !isCleared);
        if (isRevealed) equal(view.itemAt(view.indexOf(item)), item);
        break;
      }
    }
    if (slices.waiting.length > 0) continue;
    const rows = rowsOf(view);
    for (const [index, [, key]] of rows.entries()) {
      const shown = view.itemAt(index);
      equal(shown && view.indexOf(shown), index, key);
    }
    if (view.isPaused.value) continue;
    equal(view.isSettled.value, true);
    const expected = fromScratch(view, correlation, issues, view.hidden.value);
    deepEqual(rows, expected.rows);
    equal(view.filteredOut.value, expected.filteredOut);
    equal(view.total.value, items.length - view.hidden.value);
  }

  view.isPaused.value = false;
  finish();
  const expected = fromScratch(view, correlation, issues, view.hidden.value);
  deepEqual(rowsOf(view), expected.rows);
  // How the log was cut into batches makes no difference to what belongs to what.
  const again = createCorrelation();
  const { view: fresh } = startView(again, issues);
  fresh.refresh(again.apply(busy.log.events));
  for (const [index, item] of correlation.items.entries()) {
    const other = again.items[index];
    equal(other && fresh.parentOf(other)?.key, view.parentOf(item)?.key, item.key);
  }
}

test('the view is always what filtering and sorting from scratch would give', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), play), {
    numRuns: 300,
  });
}, 30_000);
