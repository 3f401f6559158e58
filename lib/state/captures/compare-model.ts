import { batch, computed, effect, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { CaptureLog } from '../../capture/store/capture-log.ts';
import type { CaptureRecord } from '../../capture/store/capture-record.ts';
import type { CaptureShelf } from '../../capture/store/capture-shelf.ts';
import type { Item } from '../../capture/correlate/items.ts';
import { alignKeys } from '../../compare/align.ts';
import { diffDefinitions, type DefinitionDiff } from '../../compare/definition-diff.ts';
import type { Problem } from '../../errors.ts';
import { createTurns } from '../../turns.ts';
import { readDefinitions } from './compare-definitions.ts';
import {
  diffExchange,
  PARTS,
  weighExchange,
  type ComparedPart,
  type ExchangeDiff,
  type ExchangeSides,
  type Weight,
} from './compare-exchange.ts';
import { readProblem } from './read-problem.ts';
import { toNames, toRow, type Row } from '../view/rows.ts';

/** Two exchanges that belong together, or one that only one capture has. */
export interface ExchangePair extends ExchangeSides {
  key: string;
  /** As the table shows them; none before they are compared. */
  rows: { before?: Row; after?: Row };
  /** Where both are there. */
  weights?: Record<ComparedPart, Weight>;
}

export type CompareState =
  | { kind: 'reading'; name: string; share: number }
  | { kind: 'comparing'; share: number }
  | { kind: 'done' }
  | { kind: 'failed'; problem: Problem };

export interface CompareModel {
  before: CaptureRecord;
  after: CaptureRecord;
  state: ReadonlySignal<CompareState>;
  /** All of them once they are compared, in order. */
  pairs: ReadonlySignal<readonly ExchangePair[]>;
  /** Those that are to be shown. */
  shown: ReadonlySignal<readonly ExchangePair[]>;
  definitions: ReadonlySignal<readonly DefinitionDiff[]>;
  shownDefinitions: ReadonlySignal<readonly DefinitionDiff[]>;
  onlyDifferences: Signal<boolean>;
  /** Ids, times and the like make no difference. */
  isLenient: Signal<boolean>;
  selected: Signal<ExchangePair | undefined>;
  /** What differs in the selected pair, once it is read. */
  detail: ReadonlySignal<{ pair: ExchangePair; diff: ExchangeDiff } | undefined>;
  differsIn(pair: ExchangePair): ComparedPart[];
  close(): void;
}

/** Compares two captures: begins at once, works in short turns, and ends with `close`. */
export function createCompareModel(
  loadShelf: () => Promise<Pick<CaptureShelf, 'read'>>,
  before: CaptureRecord,
  after: CaptureRecord,
): CompareModel {
  const ending = new AbortController();
  const state = signal<CompareState>({ kind: 'reading', name: before.name, share: 0 });
  const pairs = signal<readonly ExchangePair[]>([]);
  const definitions = signal<readonly DefinitionDiff[]>([]);
  const onlyDifferences = signal(true);
  const isLenient = signal(true);
  const selected = signal<ExchangePair>();
  const detail = signal<{ pair: ExchangePair; diff: ExchangeDiff }>();
  let wanted = 0;

  async function read(
    shelf: Pick<CaptureShelf, 'read'>,
    capture: CaptureRecord,
  ): Promise<CaptureLog> {
    return shelf.read(capture, {
      signal: ending.signal,
      progress: (share) => void (state.value = { kind: 'reading', name: capture.name, share }),
    });
  }

  async function work(): Promise<void> {
    const shelf = await loadShelf();
    const logs = { before: await read(shelf, before), after: await read(shelf, after) };
    const found = pairExchanges(logs.before, logs.after);
    const turns = createTurns();
    for (const [index, pair] of found.entries()) {
      ending.signal.throwIfAborted();
      await weigh(pair);
      if (!turns.isOver) continue;
      state.value = { kind: 'comparing', share: index / found.length };
      await turns.next();
    }
    const compared = diffDefinitions(
      await readDefinitions(logs.before),
      await readDefinitions(logs.after),
    );
    batch(() => {
      pairs.value = found;
      definitions.value = compared;
      state.value = { kind: 'done' };
    });
  }

  /** Leniently: what differs strictly only is `volatile` then. */
  async function weigh(pair: ExchangePair): Promise<void> {
    const { before: was, after: is } = pair;
    const rows = rowsOf(pair);
    pair.rows = rows;
    if (was === undefined || is === undefined) return;
    const statuses = [rows.before?.status ?? '', rows.after?.status ?? ''] as const;
    pair.weights = weighExchange(
      { before: was, after: is },
      await diffExchange(pair, true),
      statuses,
    );
  }

  function differsIn({ weights }: ExchangePair): ComparedPart[] {
    if (weights === undefined) return [];
    const least: Weight[] = isLenient.value ? ['different'] : ['different', 'volatile'];
    return PARTS.filter((part) => least.includes(weights[part]));
  }

  function isDifferent(pair: ExchangePair): boolean {
    return pair.weights === undefined || differsIn(pair).length > 0;
  }

  async function readDetail(pair: ExchangePair | undefined, lenient: boolean): Promise<void> {
    wanted += 1;
    const turn = wanted;
    if (pair === undefined) return void (detail.value = undefined);
    const diff = await diffExchange(pair, lenient);
    // Another one may have been selected meanwhile.
    if (turn === wanted) detail.value = { pair, diff };
  }

  function fail(error: unknown): void {
    if (ending.signal.aborted) return;
    state.value = { kind: 'failed', problem: readProblem(error) };
  }

  work().catch(fail);
  const stopFollowing = effect(() => {
    readDetail(selected.value, isLenient.value).catch(fail);
  });

  return {
    before,
    after,
    state,
    pairs,
    shown: computed(() => (onlyDifferences.value ? pairs.value.filter(isDifferent) : pairs.value)),
    definitions,
    shownDefinitions: computed(() =>
      onlyDifferences.value
        ? definitions.value.filter(({ kind }) => kind !== 'same')
        : definitions.value,
    ),
    onlyDifferences,
    isLenient,
    selected,
    detail,
    differsIn,
    close() {
      ending.abort();
      stopFollowing();
    },
  };
}

/** The exchanges of two captures, aligned by method, tool and order. */
export function pairExchanges(before: CaptureLog, after: CaptureLog): ExchangePair[] {
  const [was, is] = [exchangesOf(before), exchangesOf(after)];
  // When a server asks something of its own accord is chance, and must not part what belongs together.
  const ours = align(was.ours, is.ours);
  const theirs = align(was.theirs, is.theirs);
  return merge(ours, theirs).map(({ before: one, after: other }) => ({
    key: `${one?.item.key ?? ''} ${other?.item.key ?? ''}`,
    rows: {},
    before: one && { log: before, item: one.item },
    after: other && { log: after, item: other.item },
  }));
}

function rowsOf({ before, after }: ExchangeSides): ExchangePair['rows'] {
  return {
    ...(before === undefined ? {} : { before: toRow(before.item, before.log.correlation) }),
    ...(after === undefined ? {} : { after: toRow(after.item, after.log.correlation) }),
  };
}

interface Exchange {
  item: Item;
  key: string;
}

interface Aligned {
  before: Exchange | undefined;
  after: Exchange | undefined;
}

function exchangesOf({ correlation }: CaptureLog): Record<'ours' | 'theirs', Exchange[]> {
  const found = { ours: [] as Exchange[], theirs: [] as Exchange[] };
  for (const item of correlation.items) {
    if (item.kind !== 'request' && item.kind !== 'http') continue;
    const record = correlation.https.get(item.httpId ?? '');
    const { name, target } = toNames(item, record, correlation);
    const isTheirs = item.kind === 'request' && item.direction === 'incoming';
    // Tasks have another id in every run.
    const key = name.startsWith('tasks/') ? name : `${name} ${target}`;
    found[isTheirs ? 'theirs' : 'ours'].push({ item, key });
  }
  return found;
}

function align(before: readonly Exchange[], after: readonly Exchange[]): Aligned[] {
  const keys = (exchanges: readonly Exchange[]) => exchanges.map(({ key }) => key);
  return alignKeys(keys(before), keys(after)).map((pair) => ({
    before: before[pair.before ?? -1],
    after: after[pair.after ?? -1],
  }));
}

/** Two lists as one, each pair where it is in the capture that has it, the first one before the second. */
function merge(one: readonly Aligned[], other: readonly Aligned[]): Aligned[] {
  const merged: Aligned[] = [];
  let next = 0;
  for (const pair of one) {
    for (; next < other.length; next += 1) {
      const candidate = other[next];
      if (candidate === undefined || !isEarlier(candidate, pair)) break;
      merged.push(candidate);
    }
    merged.push(pair);
  }
  return [...merged, ...other.slice(next)];
}

function isEarlier(one: Aligned, other: Aligned): boolean {
  const side = one.before !== undefined && other.before !== undefined ? 'before' : 'after';
  return (one[side]?.item.sequence ?? Infinity) < (other[side]?.item.sequence ?? Infinity);
}
