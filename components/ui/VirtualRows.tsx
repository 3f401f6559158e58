import type { AriaRole, ComponentChildren, HTMLAttributes } from 'preact';
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import { distanceOf, rowWindow, scrollTopAfter } from './row-window.ts';
import './VirtualRows.css';

interface VirtualRowsProps extends HTMLAttributes<HTMLDivElement> {
  count: number;
  rowHeight: number;
  /** A row, `top` px from the top of the first one. It must have a key and be `rowHeight` high. */
  row: (index: number, top: number) => ComponentChildren;
  /** Stays above the rows while they scroll. */
  head?: ComponentChildren;
  headHeight?: number;
  bodyRole?: AriaRole;
  /** Row that stays in the document wherever the list is scrolled, and scrolls into view when it changes. */
  active?: number;
  /** Keeps the end in view as rows are added, as long as the user has not scrolled away from it. */
  isTail?: boolean;
  /** Grows by the number of rows that came in above those in sight: what is in sight stays there. */
  rowsAbove?: number;
}

const NEAR_END_PX = 2;
/** Rows that are there before they come into sight. */
const OVERSCAN = 10;
/** With fewer of them left, the next ones are drawn. */
const SPARE = 5;

/** A scroller that holds only the rows in sight, all of which are equally high. */
export function VirtualRows(props: VirtualRowsProps) {
  const { count, rowHeight, row, head, headHeight = 0, bodyRole, active, ...others } = props;
  const { isTail, rowsAbove = 0, ...rest } = others;
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const isActiveInView = useRef(false);
  const shown = useRef({ active, clientHeight: 0, rowsAbove, count });
  /** As last measured: to ask the browser while drawing would cost a layout. */
  const measured = useRef({ scrollTop: 0, clientHeight: 0 });
  const [, redraw] = useReducer((drawn: number) => drawn + 1, 0);

  const { scrollTop, clientHeight } = measured.current;
  const rows = { count, rowHeight, room: Math.max(clientHeight - headHeight, 0) };
  const inSight = rowWindow(rows, isFollowing() ? Infinity : scrollTop);
  const first = Math.max(inSight.first - OVERSCAN, 0);
  const end = Math.min(inSight.end + OVERSCAN, count);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      // Also where the same rows stay in sight: the end may not.
      if (element.clientHeight !== shown.current.clientHeight) redraw(undefined);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const element = scroller.current;
    // A hidden panel has no height: nothing can be shown in it.
    if (element === null || element.clientHeight === 0) return;
    const { current: before } = shown;
    const added = rowsAbove - before.rowsAbove;
    const hasMoved = active !== (before.active === undefined ? undefined : before.active + added);
    const hasResized = element.clientHeight !== before.clientHeight;
    if (isFollowing()) {
      element.scrollTop = element.scrollHeight;
    } else if (added !== 0) {
      const now = roomOf(element);
      const lists = { before: { ...now, count: before.count }, now };
      element.scrollTop = scrollTopAfter(added, lists, measured.current.scrollTop);
    }
    if (hasMoved || (hasResized && isActiveInView.current)) {
      element.scrollTop += distanceOfActive(element);
      isActiveInView.current = true;
      // Who goes to a row leaves the end, or comes to it, also while the list takes another size.
      if (hasMoved) isAtEnd.current = isNearEnd(element);
    }
    shown.current = { active, clientHeight: element.clientHeight, rowsAbove, count };
    measure(element);
  });

  function isFollowing(): boolean {
    return isTail === true && isAtEnd.current;
  }

  /** Looks where the list stands; it is drawn again if other rows have come into sight. */
  function measure(element: HTMLElement): void {
    const hasScrolled = element.scrollTop !== measured.current.scrollTop;
    measured.current = { scrollTop: element.scrollTop, clientHeight: element.clientHeight };
    const now = rowWindow(roomOf(element), isFollowing() ? Infinity : element.scrollTop);
    // A row or two more or less must change nothing: what is drawn may be what makes room for them, where the
    // longest row brings a scroll bar that hides it.
    const isShort =
      (first > 0 && now.first - first < SPARE) || (end < count && end - now.end < SPARE);
    const isScaled = now.bodyPx < count * rowHeight;
    if (isShort || (isScaled && hasScrolled)) redraw(undefined);
  }

  function roomOf(element: HTMLElement) {
    return { count, rowHeight, room: Math.max(element.clientHeight - headHeight, 0) };
  }

  /** How far the active row is above (negative) or below (positive) the part in view, in px. */
  function distanceOfActive(element: HTMLElement): number {
    if (active === undefined || active < 0) return 0;
    return distanceOf(active, roomOf(element), element.scrollTop);
  }

  function noteScroll(): void {
    const element = scroller.current;
    // Where a hidden or resized panel stands says nothing about the user's wish.
    if (element === null || element.clientHeight === 0) return;
    if (element.clientHeight === shown.current.clientHeight) {
      isAtEnd.current = isNearEnd(element);
      isActiveInView.current = distanceOfActive(element) === 0;
    }
    measure(element);
  }

  const indexes = Array.from({ length: Math.max(end - first, 0) }, (_, index) => first + index);
  const isOutside = active !== undefined && active >= 0 && active < count;
  if (isOutside && (active < first || active >= end)) indexes.push(active);

  return (
    <div {...rest} ref={scroller} onScroll={noteScroll}>
      {head}
      <div role={bodyRole} class="virtual-body" style={{ height: `${inSight.bodyPx}px` }}>
        {indexes.map((index) => row(index, inSight.topOf(index)))}
      </div>
    </div>
  );
}

function isNearEnd({ scrollHeight, clientHeight, scrollTop }: HTMLElement): boolean {
  return scrollHeight - clientHeight - scrollTop <= NEAR_END_PX;
}
