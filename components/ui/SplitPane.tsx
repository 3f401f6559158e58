import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import './SplitPane.css';

interface SplitPaneProps {
  /** Direction in which the two parts follow each other. */
  direction: 'row' | 'column';
  /** What the handle resizes, for assistive technology. */
  label: string;
  first: ComponentChildren;
  /** Without a second part the first one takes all the room. */
  second: ComponentChildren | undefined;
  /** Share of the first part until the handle is moved, in percent. */
  start?: number;
}

const [MIN, START, MAX, STEP] = [15, 50, 85, 2];

/** Two parts with a handle between them that mouse and keyboard can move. */
export function SplitPane(props: SplitPaneProps) {
  const { direction, label, first, second, start = START } = props;
  const [percent, setPercent] = useState(start);
  const pane = useRef<HTMLDivElement>(null);
  const isRow = direction === 'row';

  function resizeTo(next: number): void {
    setPercent(Math.min(Math.max(next, MIN), MAX));
  }

  function drag(event: PointerEvent): void {
    if (!(event.buttons & 1) || pane.current === null) return;
    const box = pane.current.getBoundingClientRect();
    const share = isRow
      ? (event.clientX - box.left) / box.width
      : (event.clientY - box.top) / box.height;
    resizeTo(share * 100);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const targets: Record<string, number> = {
      [isRow ? 'ArrowLeft' : 'ArrowUp']: percent - STEP,
      [isRow ? 'ArrowRight' : 'ArrowDown']: percent + STEP,
      Home: MIN,
      End: MAX,
      Enter: start,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    resizeTo(target);
  }

  return (
    <div
      class={`split split-${direction}`}
      ref={pane}
      style={{ '--split-share': second === undefined ? '100%' : `${percent}%` }}
    >
      <div class="split-first">{first}</div>
      {second !== undefined && (
        <>
          <div
            role="separator"
            class="split-handle"
            tabIndex={0}
            aria-label={label}
            aria-orientation={isRow ? 'vertical' : 'horizontal'}
            aria-valuenow={Math.round(percent)}
            aria-valuemin={MIN}
            aria-valuemax={MAX}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={drag}
            onDblClick={() => resizeTo(start)}
            onKeyDown={onKeyDown}
          />
          <div class="split-second">{second}</div>
        </>
      )}
    </div>
  );
}
