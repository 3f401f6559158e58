import type { SearchMatch } from '../../lib/state/search/search-results.ts';

/** Marks a match in the details, however they are drawn, as far as it is on screen. */
export interface Highlighter {
  /** Looks for the match now, and whenever the details change. */
  show(match: SearchMatch): void;
  clear(): void;
}

const DETAILS = '.detail';
const [ALL, CURRENT] = ['search-match', 'search-match-current'];
/** More than these are marked by nobody's wish. */
const OCCURRENCES = 200;
/** Room beside what was scrolled to, in px. */
const MARGIN = 64;

interface Place {
  range: Range;
  /** Units of text around it that are the same as around the match. */
  likeness: number;
}

/** Creates the highlighter; it changes nothing in the document, and so disturbs nobody who draws it. */
export function createHighlighter(): Highlighter {
  let shown: SearchMatch | undefined;
  /** How like the place was to which was scrolled: a tree may bring the right one only a moment later. */
  let scrolledTo = -1;
  let frame = 0;
  const observer = new MutationObserver(schedule);

  function schedule(): void {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(mark);
  }

  function mark(): void {
    const details = document.querySelector(DETAILS);
    if (shown === undefined || details === null) return erase();
    const section =
      shown.section === undefined
        ? null
        : details.querySelector(`section[aria-label="${CSS.escape(shown.section)}"]`);
    const places = findPlaces(section ?? details, shown);
    const best = places.reduce<Place | undefined>(
      (first, place) => (first === undefined || place.likeness > first.likeness ? place : first),
      undefined,
    );
    if (best === undefined) return erase();
    CSS.highlights.set(ALL, new Highlight(...places.map(({ range }) => range)));
    const current = new Highlight(best.range);
    current.priority = 1;
    CSS.highlights.set(CURRENT, current);
    if (best.likeness <= scrolledTo) return;
    scrolledTo = best.likeness;
    bringIntoView(best.range, details);
  }

  function erase(): void {
    CSS.highlights.delete(ALL);
    CSS.highlights.delete(CURRENT);
  }

  return {
    show(match) {
      shown = match;
      scrolledTo = -1;
      observer.observe(document.body, { childList: true, characterData: true, subtree: true });
      schedule();
    },
    clear() {
      shown = undefined;
      cancelAnimationFrame(frame);
      observer.disconnect();
      erase();
    },
  };
}

/** Scrolls what is around it, by no more than is needed. */
function bringIntoView(range: Range, details: Element): void {
  const { startContainer } = range;
  for (
    let box: Element | null = startContainer.parentElement;
    box !== null && details.contains(box);
    box = box.parentElement
  ) {
    const rect = range.getBoundingClientRect();
    const frame = box.getBoundingClientRect();
    const canScroll = (overflow: string) => overflow === 'auto' || overflow === 'scroll';
    const { overflowX, overflowY } = getComputedStyle(box);
    if (canScroll(overflowX)) {
      box.scrollLeft += outside(rect.left, rect.right, frame.left, frame.left + box.clientWidth);
    }
    if (canScroll(overflowY)) {
      box.scrollTop += outside(rect.top, rect.bottom, frame.top, frame.top + box.clientHeight);
    }
  }
}

/** How far a stretch lies before (negative) or behind the part in sight. */
function outside(from: number, to: number, first: number, last: number): number {
  if (from < first) return from - first - MARGIN;
  return to > last ? Math.min(to - last + MARGIN, from - first) : 0;
}

/** All places of the match's text; it may go over several text nodes, as where marks stand in between. */
function findPlaces(root: Element, match: SearchMatch): Place[] {
  const nodes: { node: Text; start: number }[] = [];
  let text = '';
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  const needle = match.text.slice(match.from, match.to);
  const places: Place[] = [];
  for (let at = text.indexOf(needle); at >= 0 && places.length < OCCURRENCES;) {
    const range = document.createRange();
    range.setStart(...pointAt(nodes, at));
    range.setEnd(...pointAt(nodes, at + needle.length));
    places.push({ range, likeness: likenessAt(text, at, match) });
    at = text.indexOf(needle, at + needle.length);
  }
  return places;
}

function pointAt(nodes: readonly { node: Text; start: number }[], at: number): [Text, number] {
  let low = 0;
  let high = nodes.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((nodes[middle]?.start ?? Infinity) <= at) low = middle;
    else high = middle - 1;
  }
  const found = nodes[low];
  if (found === undefined) throw new RangeError('There is no text.');
  return [found.node, Math.min(at - found.start, found.node.length)];
}

function likenessAt(text: string, at: number, match: SearchMatch): number {
  let before = 0;
  while (before < match.from && text[at - 1 - before] === match.text[match.from - 1 - before]) {
    before += 1;
  }
  const end = at + match.to - match.from;
  const rest = match.text.length - match.to;
  let after = 0;
  while (after < rest && text[end + after] === match.text[match.to + after]) after += 1;
  return before + after;
}
