import type { Item } from '../../capture/correlate/items.ts';
import { formatCount } from '../../text.ts';
import { createTurns } from '../../turns.ts';
import { awayEvents, unitWindows, withBytes } from './search-bytes.ts';
import type { PeekBytes } from './search-bytes.ts';
import { matchText } from './search-pattern.ts';
import type { SearchPattern, TextMatch } from './search-pattern.ts';
import { createRegexMatcher } from './search-regex.ts';
import type { OpenSearchWorker, SearchPatience } from './search-regex.ts';
import { createSearchResults } from './search-results.ts';
import type { SearchResults } from './search-results.ts';
import type { TextWindow } from './search-text.ts';
import { createSearchUnits } from './search-units.ts';
import type { SearchLog, SearchUnit, UnitText } from './search-units.ts';

/** What a search works on, and with. */
export interface SearchParts {
  log: SearchLog;
  /** Whether a row is in the table as it is filtered now. */
  isShown(item: Item): boolean;
  openWorker: OpenSearchWorker;
  peek: PeekBytes;
  patience?: SearchPatience;
}

/** How far a search has come. */
export interface RunState {
  kind: 'running' | 'done' | 'stopped';
  searchedRows: number;
  totalRows: number;
  /** What was not searched, and why; one sentence each. */
  gaps: readonly string[];
}

/** One search, from its start until another one takes its place. */
export interface SearchRun {
  readonly results: SearchResults;
  /** Takes note of rows that are new or have changed. */
  apply(changed: ReadonlySet<Item>): void;
  /** Leaves it as it is. */
  stop(): void;
}

interface Piece {
  unit: SearchUnit;
  window: TextWindow;
}

/** How much of a text is searched at once: bytes. An expression may take more than linear time. */
const [TEXT_WINDOW, REGEX_WINDOW] = [256 * 1024, 32 * 1024];
/** How much is searched before anybody else has a turn; how much goes to the thread in one message. */
const BATCH_LENGTH = 256 * 1024;
const BATCH_TEXTS = 500;
/** In so many texts an expression may take too long before it is given up. */
const GIVE_UP_AFTER = 5;
const PUBLISH_MS = 100;

/** Starts a search over a log; `changed` is told at most ten times a second, and at the end. */
export function startSearch(
  parts: SearchParts,
  pattern: SearchPattern,
  isWanted: (item: Item) => boolean,
  changed: (state: RunState) => void,
): SearchRun {
  const { log } = parts;
  const units = createSearchUnits(log);
  const results = createSearchResults();
  const matcher = pattern.isRegex
    ? createRegexMatcher(pattern, parts.openWorker, parts.patience)
    : undefined;
  const turns = createTurns();
  const windowBytes = pattern.isRegex ? REGEX_WINDOW : TEXT_WINDOW;
  /** Rows up to here were searched; those that changed since are looked at again. */
  let next = 0;
  const again = new Set<Item>();
  let pieces: Piece[] = [];
  let length = 0;
  let isOver = false;
  let isWorking = false;
  let isBroken = false;
  let unread = 0;
  let failure: string | undefined;
  const givenUp: string[] = [];
  let published = 0;

  async function work(): Promise<void> {
    if (isWorking || isOver) return;
    isWorking = true;
    await turns.next();
    try {
      // Rows may change while the last pieces are searched.
      while (!isOver && (pieces.length > 0 || again.size > 0 || next < log.items.length)) {
        for (let item = takeItem(); item !== undefined && !isOver; item = takeItem()) {
          await searchItem(item);
        }
        await flush();
      }
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      end();
    }
    isWorking = false;
    publish(true);
  }

  function takeItem(): Item | undefined {
    while (next < log.items.length) {
      const item = log.items[next];
      next += 1;
      if (item !== undefined && isWanted(item)) return item;
    }
    for (const item of again) {
      again.delete(item);
      return item;
    }
    return undefined;
  }

  async function searchItem(item: Item): Promise<void> {
    for (const unit of units.take(item)) {
      const text = await readable(unit.text);
      if (isOver) return;
      if (text === undefined) {
        unread += 1;
        continue;
      }
      for (const window of unitWindows(text, windowBytes, pattern.overlap)) {
        pieces.push({ unit, window });
        length += window.text.length;
        if (length >= BATCH_LENGTH || pieces.length >= BATCH_TEXTS) await flush();
        if (turns.isOver) await rest();
        if (isOver) return;
      }
    }
    // Most rows have little to search, or nothing.
    if (turns.isOver) await rest();
  }

  /** Undefined for what could not be read. */
  async function readable(text: UnitText): Promise<UnitText | undefined> {
    const away = awayEvents(text);
    return away.length === 0 ? text : withBytes(text, await parts.peek(away));
  }

  async function rest(): Promise<void> {
    if (matcher === undefined) await flush();
    publish(false);
    await turns.next();
  }

  async function flush(): Promise<void> {
    const searched = pieces;
    pieces = [];
    length = 0;
    if (searched.length === 0 || isOver) return;
    const texts = searched.map(({ window }) => window.searched);
    const found =
      matcher === undefined
        ? texts.map((text) => matchText(text, pattern))
        : await matcher.match(texts);
    if (isOver) return;
    for (const [at, { unit, window }] of searched.entries()) take(unit, window, found[at]);
    if (givenUp.length >= GIVE_UP_AFTER) isBroken = true;
    if (results.isFull || isBroken) end();
  }

  function take(unit: SearchUnit, window: TextWindow, matches: TextMatch[] | undefined): void {
    if (matches !== undefined) results.add(unit, window, matches);
    else givenUp.push(`${unit.part} of ${nameOf(unit.item)}`);
  }

  function end(): void {
    isOver = true;
    matcher?.end();
  }

  function publish(isEnd: boolean): void {
    const now = performance.now();
    if (!isEnd && now - published < PUBLISH_MS) return;
    published = now;
    changed({
      kind: isOver ? 'stopped' : isEnd ? 'done' : 'running',
      searchedRows: next,
      totalRows: log.items.length,
      gaps: wordGaps(),
    });
  }

  function wordGaps(): string[] {
    const gaps: string[] = [];
    if (failure !== undefined) gaps.push(`The search broke off: ${failure}`);
    if (givenUp.length > 0) {
      const [first = ''] = givenUp;
      const more = givenUp.length > 1 ? ` and in ${givenUp.length - 1} more` : '';
      gaps.push(
        `The expression takes too long in ${first}${more}, which ${givenUp.length > 1 ? 'were' : 'was'} left out.` +
          (isBroken
            ? ' The search was ended; nested repeats as in (a+)+ are the usual cause.'
            : ''),
      );
    }
    if (unread > 0) gaps.push(`${formatCount(unread, 'text')} could not be read from disk.`);
    if (units.unfinished > 0) {
      const isOne = units.unfinished === 1;
      gaps.push(
        `${formatCount(units.unfinished, 'body', 'bodies')} ${isOne ? 'is' : 'are'} still arriving, and searched when ${isOne ? 'it has' : 'they have'} ended.`,
      );
    }
    return gaps;
  }

  // Never rejects: what fails is among the gaps.
  void work();
  return {
    results,
    apply(touched) {
      if (isOver) return;
      const seen = log.items[next - 1]?.sequence ?? 0;
      for (const item of touched) if (item.sequence <= seen && isWanted(item)) again.add(item);
      void work();
    },
    stop() {
      if (isOver) return;
      end();
      publish(true);
    },
  };
}

function nameOf(item: Item): string {
  if (item.kind === 'lifecycle') return item.title;
  if (item.kind === 'auth') return 'Authorization';
  return 'method' in item ? item.method : `the ${item.kind}`;
}
