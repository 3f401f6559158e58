import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import type { ColumnLayout, ColumnName } from '../../lib/state/view/columns.ts';
import { deferred } from '../ui/Deferred.tsx';

// Nobody pulls at a column before the first paint.
const ColumnHandle = deferred(async () => (await import('./ColumnHandle.tsx')).ColumnHandle);

interface TableHeadProps {
  model: AppModel;
  layout: ColumnLayout;
  /** Told the width that rows have, in px, at first and whenever it changes. */
  onWidth: (width: number) => void;
  /** Asks for the menu of columns, at a place in px. */
  onMenu: (place: { x: number; y: number }) => void;
}

/** Headings that sort, resize and choose the columns. They are one tab stop; arrow keys go from one to the next. */
export function TableHead({ model, layout, onWidth, onMenu }: TableHeadProps) {
  const row = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<ColumnName>('name');
  const { sort } = model.traffic;
  const { columns } = layout;
  const focusable = columns.some(({ name }) => name === current) ? current : 'name';

  useLayoutEffect(() => {
    const element = row.current;
    if (element === null) return undefined;
    const measure = () => {
      // A hidden panel has no width.
      if (element.clientWidth > 0) onWidth(element.clientWidth);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  function toggleSort(column: ColumnName): void {
    const direction = sort.value?.column === column ? sort.value.direction : undefined;
    if (direction === 'descending') sort.value = undefined;
    else sort.value = { column, direction: direction ? 'descending' : 'ascending' };
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const place = columns.findIndex(({ name }) => name === focusable);
    const targets: Record<string, number> = {
      ArrowLeft: place - 1,
      ArrowRight: place + 1,
      Home: 0,
      End: columns.length - 1,
    };
    const target = targets[event.key];
    const next = target === undefined ? undefined : columns[target];
    if (event.key === 'ArrowDown') document.getElementById('traffic')?.focus();
    else if (next !== undefined) {
      setCurrent(next.name);
      document.getElementById(headId(next.name))?.focus();
    } else if (target === undefined) return;
    event.preventDefault();
  }

  function openMenu(event: MouseEvent): void {
    event.preventDefault();
    const box = (event.target as HTMLElement).getBoundingClientRect();
    // A key that asks for the menu has no place.
    const isPointed = event.clientX > 0 || event.clientY > 0;
    onMenu(isPointed ? { x: event.clientX, y: event.clientY } : { x: box.left, y: box.bottom });
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the button at its end does the same
    <div role="rowgroup" class="grid-head" onContextMenu={openMenu}>
      <div role="row" class="grid-row" aria-rowindex={1} ref={row}>
        {columns.map(({ name, title, isSign, edge }) => {
          const direction = sort.value?.column === name ? sort.value.direction : undefined;
          return (
            <div
              key={name}
              role="columnheader"
              class={`cell cell-${name}`}
              aria-sort={direction ?? 'none'}
            >
              <button
                type="button"
                id={headId(name)}
                class="head-button"
                title={sortTitle(title, direction)}
                tabIndex={name === focusable ? 0 : -1}
                onClick={() => toggleSort(name)}
                onFocus={() => setCurrent(name)}
                onKeyDown={onKeyDown}
              >
                <span class={isSign ? 'visually-hidden' : 'head-title'}>{title}</span>
                {direction && <span class={`sort-sign is-${direction}`} />}
              </button>
              {edge && (
                <ColumnHandle
                  name={name}
                  title={title}
                  edge={edge}
                  widths={model.setup.widths}
                  isTabStop={name === focusable}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function headId(name: ColumnName): string {
  return `traffic-head-${name}`;
}

/** What the next click does. */
function sortTitle(title: string, direction: 'ascending' | 'descending' | undefined): string {
  if (direction === undefined) return `Sort by ${title.toLowerCase()}`;
  return direction === 'ascending' ? 'Sort the other way round' : 'Back to the order of recording';
}
