import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { AriaRole, ComponentChildren, HTMLAttributes } from 'preact';
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
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
}

const NEAR_END_PX = 2;

/** A scroller that holds only the rows in sight: Preact's adapter to TanStack's virtual core. */
export function VirtualRows(props: VirtualRowsProps) {
  const { count, rowHeight, row, head, headHeight = 0, bodyRole, active, isTail, ...rest } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const isActiveInView = useRef(false);
  const shown = useRef({ active, clientHeight: 0 });
  const [, redraw] = useReducer((drawn: number) => drawn + 1, 0);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    paddingStart: headHeight,
    overscan: 8,
    scrollToFn: elementScroll,
    observeElementRect: (
      instance: Virtualizer<HTMLDivElement, HTMLDivElement>,
      onRect: Parameters<typeof observeElementRect>[1],
    ) =>
      observeElementRect(instance, (rect) => {
        onRect(rect);
        // Also where the same rows stay in sight: the end may not.
        redraw(undefined);
      }),
    observeElementOffset,
    onChange: redraw,
    rangeExtractor(range: Parameters<typeof defaultRangeExtractor>[0]) {
      const indexes = defaultRangeExtractor(range);
      const isOutside = active !== undefined && active >= 0 && active < count;
      return isOutside && !indexes.includes(active) ? [...indexes, active] : indexes;
    },
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLDivElement, HTMLDivElement>(options));
  virtualizer.setOptions(options);

  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => {
    virtualizer._willUpdate();
    const element = scroller.current;
    // A hidden panel has no height: nothing can be shown in it.
    if (element === null || element.clientHeight === 0) return;
    const { clientHeight } = element;
    const hasMoved = active !== shown.current.active;
    const hasResized = clientHeight !== shown.current.clientHeight;
    if (isTail && isAtEnd.current) element.scrollTop = element.scrollHeight;
    if (hasMoved || (hasResized && isActiveInView.current)) showActive(element);
    shown.current = { active, clientHeight };
  });

  /** How far the active row is above (negative) or below (positive) the part in view, in px. */
  function distanceOfActive(element: HTMLElement): number {
    if (active === undefined || active < 0) return 0;
    const top = active * rowHeight - element.scrollTop;
    const room = element.clientHeight - headHeight - rowHeight;
    return top < 0 ? top : Math.max(top - room, 0);
  }

  function showActive(element: HTMLElement): void {
    element.scrollTop += distanceOfActive(element);
    isActiveInView.current = true;
  }

  function noteScroll(): void {
    const element = scroller.current;
    // Where a hidden or resized panel stands says nothing about the user's wish.
    if (element === null || element.clientHeight === 0) return;
    if (element.clientHeight !== shown.current.clientHeight) return;
    const below = element.scrollHeight - element.clientHeight - element.scrollTop;
    isAtEnd.current = below <= NEAR_END_PX;
    isActiveInView.current = distanceOfActive(element) === 0;
  }

  return (
    <div {...rest} ref={scroller} onScroll={noteScroll}>
      {head}
      <div
        role={bodyRole}
        class="virtual-body"
        style={{ height: `${virtualizer.getTotalSize() - headHeight}px` }}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => row(index, start - headHeight))}
      </div>
    </div>
  );
}
