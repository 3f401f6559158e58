import { batch, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { CaptureShelf } from '../../capture/store/capture-shelf.ts';
import type { Correlation } from '../../capture/correlate/correlate.ts';
import { nameServer, type CaptureRow } from './capture-list.ts';
import type { CapturePlace } from './capture-place.ts';
import { readProblem } from './read-problem.ts';
import { toRow, type Glyph } from '../view/rows.ts';
import {
  compileSearch,
  matchText,
  type SearchPattern,
  type SearchQuery,
} from '../search/search-pattern.ts';
import type { OpenSearchWorker } from '../search/search-regex.ts';
import type { SearchGroup, SearchMatch } from '../search/search-results.ts';
import {
  startSearch,
  type RunState,
  type SearchParts,
  type SearchRun,
} from '../search/search-run.ts';

/** A row of a capture in which something was found. */
export interface RowHit {
  place: CapturePlace;
  glyph: Glyph;
  /** How the row is called: method and target. */
  title: string;
  time: string;
  /** The first match in it. */
  match: SearchMatch;
  matchCount: number;
}

/** What was found in one capture. */
export interface CaptureHit {
  captureId: string;
  name: string;
  isCurrent: boolean;
  /** What of its description matches: `name`, `note`, `tag bug`. */
  words: string[];
  rows: RowHit[];
  matchCount: number;
  /** Rows with matches on top of those that are listed. */
  omittedRows: number;
  /** What was not searched, and why. */
  gaps: readonly string[];
}

export interface CaptureSearchState {
  kind: 'idle' | 'running' | 'done' | 'stopped';
  searched: number;
  total: number;
  /** The capture that is being searched, and how much of it is read, from 0 to 1. */
  name?: string;
  share: number;
  /** Why nothing can be searched for. */
  problem?: string;
}

/** The search through all captures. */
export interface CaptureSearch {
  query: Signal<SearchQuery>;
  state: ReadonlySignal<CaptureSearchState>;
  /** Those with matches, in the order in which they are listed. */
  hits: ReadonlySignal<readonly CaptureHit[]>;
  /** Begins anew with the query as it stands. */
  run(rows: readonly CaptureRow[]): void;
  /** Leaves the results as they are. */
  stop(): void;
}

/** More rows of one capture nobody goes through here: whoever wants them searches in the capture. */
const MOST_ROWS = 50;

const IDLE: CaptureSearchState = { kind: 'idle', searched: 0, total: 0, share: 0 };

/** Searches names, notes, tags, servers and all texts of traffic, one capture after the other. */
export function createCaptureSearch(
  loadShelf: () => Promise<Pick<CaptureShelf, 'read'>>,
  openWorker: OpenSearchWorker,
): CaptureSearch {
  const query = signal<SearchQuery>({
    text: '',
    isCaseSensitive: false,
    isWholeWord: false,
    isRegex: false,
  });
  const state = signal(IDLE);
  const hits = signal<readonly CaptureHit[]>([]);
  let ending: AbortController | undefined;

  function stop(): void {
    if (state.value.kind !== 'running') return;
    ending?.abort();
    state.value = { ...state.value, kind: 'stopped' };
  }

  async function work(
    rows: readonly CaptureRow[],
    pattern: SearchPattern,
    { signal: ended }: AbortController,
  ): Promise<void> {
    const shelf = await loadShelf();
    for (const [index, row] of rows.entries()) {
      const { name, captureId } = row.capture;
      const tell = (share: number) => {
        if (!ended.aborted) {
          state.value = { kind: 'running', searched: index, total: rows.length, name, share };
        }
      };
      tell(0);
      const hit = await searchCapture(shelf, row, pattern, { signal: ended, progress: tell });
      if (ended.aborted) return;
      const known = hits.value.find((other) => other.captureId === captureId);
      // The words were found before.
      const found = { ...hit, words: known?.words ?? [] };
      const others = hits.value.filter((other) => other.captureId !== captureId);
      const isFound = found.words.length + found.rows.length + found.gaps.length > 0;
      if (isFound) hits.value = inOrder([...others, found], rows);
    }
    state.value = { ...IDLE, kind: 'done', searched: rows.length, total: rows.length };
  }

  async function searchCapture(
    shelf: Pick<CaptureShelf, 'read'>,
    row: CaptureRow,
    pattern: SearchPattern,
    how: { signal: AbortSignal; progress(share: number): void },
  ): Promise<CaptureHit> {
    const hit = newHit(row, []);
    try {
      const log = await shelf.read(row.capture, how);
      const parts: SearchParts = {
        log: { ...log.correlation, isOver: true },
        isShown: () => true,
        openWorker,
        peek: log.peek,
      };
      const { run, state: end } = await searchAll(parts, pattern, how.signal);
      const { groups, matchCount } = run.results;
      return {
        ...hit,
        rows: groups.slice(0, MOST_ROWS).flatMap((group) => toRowHit(group, log.correlation)),
        matchCount,
        omittedRows: Math.max(groups.length - MOST_ROWS, 0),
        gaps: end.gaps,
      };
    } catch (error) {
      if (how.signal.aborted) return hit;
      const { message, detail = '' } = readProblem(error);
      return { ...hit, gaps: [`It could not be searched. ${message} ${detail}`.trim()] };
    }
  }

  return {
    query,
    state,
    hits,
    stop,
    run(rows) {
      ending?.abort();
      const { text } = query.value;
      const pattern = text === '' ? undefined : compileSearch(query.value);
      batch(() => {
        hits.value = [];
        state.value = IDLE;
        if (pattern === undefined) return;
        if ('problem' in pattern) {
          state.value = { ...IDLE, problem: pattern.problem };
          return;
        }
        state.value = { ...IDLE, kind: 'running', total: rows.length };
        // These are there at once, whatever the traffic takes. An expression runs elsewhere, and not for words.
        if (!pattern.isRegex) {
          hits.value = rows
            .map((row) => newHit(row, wordsOf(row, pattern)))
            .filter(({ words }) => words.length > 0);
        }
        ending = new AbortController();
        // Never rejects: what cannot be searched says so itself, but for code that is not there any more.
        work(rows, pattern, ending).catch((error: unknown) => {
          state.value = { ...IDLE, problem: readProblem(error).message };
        });
      });
    },
  };
}

function newHit({ capture, isCurrent }: CaptureRow, words: string[]): CaptureHit {
  const { captureId, name } = capture;
  return { captureId, name, isCurrent, words, rows: [], matchCount: 0, omittedRows: 0, gaps: [] };
}

function wordsOf({ capture, description }: CaptureRow, pattern: SearchPattern): string[] {
  const { tags = [], note = '', facts } = description;
  const texts: [string, string][] = [
    ['name', capture.name],
    ['note', note],
    ['file', capture.imported?.file ?? ''],
    ...tags.map((tag): [string, string] => [`tag ${tag}`, tag]),
    ...(facts?.servers ?? []).map((server): [string, string] => [
      `server ${nameServer(server)}`,
      `${server.name ?? ''} ${server.url}`,
    ]),
  ];
  const found = texts.filter(([, text]) => matchText(text, pattern).length > 0);
  return [...new Set(found.map(([word]) => word))];
}

function inOrder(hits: CaptureHit[], rows: readonly CaptureRow[]): CaptureHit[] {
  const places = new Map(rows.map(({ capture }, index) => [capture.captureId, index]));
  return hits.toSorted((a, b) => (places.get(a.captureId) ?? 0) - (places.get(b.captureId) ?? 0));
}

function searchAll(
  parts: SearchParts,
  pattern: SearchPattern,
  signal: AbortSignal,
): Promise<{ run: SearchRun; state: RunState }> {
  return new Promise((resolve) => {
    const run = startSearch(
      parts,
      pattern,
      () => true,
      (state) => {
        if (state.kind !== 'running') resolve({ run, state });
      },
    );
    if (signal.aborted) run.stop();
    signal.addEventListener('abort', () => run.stop(), { once: true });
  });
}

function toRowHit({ item, matches, omitted }: SearchGroup, log: Correlation): RowHit[] {
  const [match] = matches;
  if (match === undefined) return [];
  const { glyph, name, target, time } = toRow(item, log);
  const { tab, eventSequence, section, start, end } = match;
  return [
    {
      place: {
        row: item.key,
        tab,
        ...(eventSequence === undefined ? {} : { eventSequence }),
        ...(section === undefined ? {} : { text: { section, start, end } }),
      },
      glyph,
      title: `${name} ${target}`.trim(),
      time,
      match,
      matchCount: matches.length + omitted,
    },
  ];
}
