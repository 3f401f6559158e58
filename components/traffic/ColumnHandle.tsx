import { useRef } from 'preact/hooks';
import { MAX_COLUMN_WIDTH } from '../../lib/state/view/column-widths.ts';
import type { ColumnWidths } from '../../lib/state/view/column-widths.ts';

interface ColumnHandleProps {
  name: string;
  title: string;
  /** Edge of the column that moves; the other one stays where it is. */
  edge: 'left' | 'right';
  widths: ColumnWidths<string>;
  /** Of all handles only that of the heading in use is; the others are for the pointer. */
  isTabStop: boolean;
}

const STEP = 8;

/** The movable edge of a column. Mouse and arrow keys move it, double click and Enter put it back. */
export function ColumnHandle({ name, title, edge, widths, isTabStop }: ColumnHandleProps) {
  const handle = useRef<HTMLDivElement>(null);
  const drag = useRef({ x: 0, width: 0 });
  const sign = edge === 'right' ? 1 : -1;

  function measure(): number {
    return handle.current?.parentElement?.offsetWidth ?? 0;
  }

  function onPointerDown(event: PointerEvent & { currentTarget: HTMLElement }): void {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, width: measure() };
  }

  function onPointerMove(event: PointerEvent): void {
    if (!(event.buttons & 1)) return;
    const { x, width } = drag.current;
    widths.resize(name, width + (event.clientX - x) * sign);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const moves: Record<string, () => void> = {
      ArrowLeft: () => widths.resize(name, measure() - STEP * sign),
      ArrowRight: () => widths.resize(name, measure() + STEP * sign),
      Enter: () => widths.reset(name),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  }

  const width = widths.widths.value.get(name);
  return (
    <div
      ref={handle}
      role="separator"
      class={`column-handle column-handle-${edge}`}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={`Resize ${title}`}
      aria-orientation="vertical"
      aria-valuenow={width ?? 0}
      aria-valuemin={0}
      aria-valuemax={MAX_COLUMN_WIDTH}
      aria-valuetext={width === undefined ? 'own width' : `${width} pixels`}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onDblClick={() => widths.reset(name)}
      onKeyDown={onKeyDown}
    />
  );
}
