import { useRef } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import {
  moveHandle,
  rangeBetween,
  shareAt,
  shareForKey,
  shiftRange,
} from '../../lib/state/time/overview-brush.ts';
import type { Handle } from '../../lib/state/time/overview-brush.ts';
import type { TimeWindow } from '../../lib/state/time/waterfall-draw.ts';
import { formatClock, formatDuration } from '../../lib/text.ts';
import { OverviewGraph } from './OverviewGraph.tsx';
import './OverviewStrip.css';

/** What a pointer that is down does to the range. */
type Grip = { what: 'brush'; from: number } | { what: 'shift'; at: number } | { what: Handle };

/** When how much went over the wire, and the part of it that the table shows. */
export function OverviewStrip({ model }: { model: AppModel }) {
  const { range } = model.traffic;
  const strip = useRef<HTMLDivElement>(null);
  const grip = useRef<Grip | undefined>(undefined);
  const density = model.time.value?.overview.density.value;
  if (density === undefined) return null;
  const { extent } = density;
  const shown = range.value ?? extent;
  const [start, end] = [shareAt(extent, shown.from), shareAt(extent, shown.to)];

  function shareOf(event: PointerEvent): number {
    const box = strip.current?.getBoundingClientRect();
    return box === undefined ? 0 : (event.clientX - box.left) / box.width;
  }

  function grab(event: PointerEvent, next: Grip): void {
    if (event.button !== 0) return;
    event.stopPropagation();
    strip.current?.setPointerCapture(event.pointerId);
    grip.current = next;
  }

  function onPointerDown(event: PointerEvent): void {
    const share = shareOf(event);
    const isInside = range.value !== undefined && share > start && share < end;
    grab(event, isInside ? { what: 'shift', at: share } : { what: 'brush', from: share });
  }

  function onPointerMove(event: PointerEvent): void {
    const held = grip.current;
    if (held === undefined || !(event.buttons & 1)) return;
    const share = shareOf(event);
    if (held.what === 'brush') {
      const next = rangeBetween(extent, held.from, share);
      if (next !== undefined) range.value = next;
    } else if (held.what === 'shift') {
      if (range.value !== undefined) range.value = shiftRange(extent, range.value, share - held.at);
      grip.current = { what: 'shift', at: share };
    } else {
      range.value = moveHandle(extent, range.value, held.what, share);
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || range.value === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    range.value = undefined;
  }

  function slider(handle: Handle, share: number, time: number) {
    return (
      <div
        role="slider"
        class={`overview-handle overview-handle-${handle}`}
        style={{ left: `${share * 100}%` }}
        tabIndex={0}
        aria-label={handle === 'from' ? 'Shown from' : 'Shown to'}
        aria-valuemin={0}
        aria-valuemax={1000}
        aria-valuenow={Math.round(share * 1000)}
        aria-valuetext={formatClock(time)}
        onPointerDown={(event) => grab(event, { what: handle })}
        onKeyDown={(event) => {
          const next = shareForKey(event.key, share);
          if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          event.stopPropagation();
          range.value = moveHandle(extent, range.value, handle, next);
        }}
      />
    );
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- one key for all within it
    <section class="overview" aria-label="Time range" onKeyDown={onKeyDown}>
      <RangeWords range={range.value} extent={extent} />
      <div
        class={range.value === undefined ? 'overview-strip' : 'overview-strip is-brushed'}
        ref={strip}
        title="Drag to show a range of time only, double-click to show all"
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={() => (grip.current = undefined)}
        onDblClick={() => (range.value = undefined)}
      >
        <OverviewGraph density={density} />
        <div class="overview-outside" style={{ left: 0, width: `${start * 100}%` }} />
        <div class="overview-outside" style={{ left: `${end * 100}%`, right: 0 }} />
        {slider('from', start, shown.from)}
        {slider('to', end, shown.to)}
      </div>
      {range.value !== undefined && (
        <button type="button" class="link" onClick={() => (range.value = undefined)}>
          Show all
        </button>
      )}
    </section>
  );
}

/** Local time, with no more digits than the span is long. */
function RangeWords({ range, extent }: { range: TimeWindow | undefined; extent: TimeWindow }) {
  const { from, to } = range ?? extent;
  const length = to - from >= 60_000 ? 8 : 12;
  return (
    <span
      class={range === undefined ? 'overview-words' : 'overview-words is-range'}
      title={`${new Date(from).toISOString()} to ${new Date(to).toISOString()}`}
    >
      <span>
        {formatClock(from).slice(0, length)} to {formatClock(to).slice(0, length)}
      </span>{' '}
      <span class="overview-length">({formatDuration(to - from)})</span>
    </span>
  );
}
