import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import type { OutlineScan } from '../../lib/json/outline-scan.ts';
import { expansionBelow, keysAbove, nodeAt, openLists } from '../../lib/json/tree-expansion.ts';
import { flattenTree, type TreeRow } from '../../lib/json/tree.ts';
import { formatBytes } from '../../lib/text.ts';
import { copyText } from '../ui/copy-text.ts';
import { VirtualRows } from '../ui/VirtualRows.tsx';
import { JsonTreeRow } from './JsonTreeRow.tsx';
import { ValueMenu } from './ValueMenu.tsx';
import { copiedValue } from './value-actions.ts';
import './JsonTree.css';

interface JsonTreeProps {
  label: string;
  /** It may still be going on; then what has been read is shown. */
  scan: OutlineScan;
  /** What is open; undefined as long as nobody has touched it. */
  expanded: Signal<ReadonlySet<number> | undefined>;
  /** A place in the text, in UTF-16 units, to bring into view. */
  place: number | undefined;
  /** Shows the string at a node as text. */
  onShowText: (node: number) => void;
}

const ROW_HEIGHT = 18;
const ROWS_AT_FIRST = 200;
/** What "expand all" shows at most: no screen has room for more. */
const ROWS_AT_MOST = 50_000;
const PAGE = 10;

/** JSON as a collapsible tree: keys in their order, every value to the letter. */
export function JsonTree({ label, scan, expanded, place, onShowText }: JsonTreeProps) {
  const id = useId();
  const [begun] = useState(() => [
    ...expansionBelow(scan, 0, ROWS_AT_FIRST),
    ...openLists(scan.outline),
  ]);
  // What was shown of the beginning stays, when the end is known.
  const atFirst = useMemo(
    () => new Set([...begun, ...expansionBelow(scan, 0, ROWS_AT_FIRST)]),
    [begun, scan, scan.isDone],
  );
  const open = expanded.value ?? atFirst;
  const active = useSignal(-1);
  const menu = useSignal<{ row: TreeRow; x: number; y: number } | undefined>(undefined);
  const rows = useMemo(() => flattenTree(scan, open), [scan, open, scan.position]);

  const isPlaceRead = place !== undefined && (scan.isDone || scan.position > place);
  useEffect(() => {
    const node = isPlaceRead ? nodeAt(scan.outline, place) : undefined;
    if (node === undefined) return;
    const next = new Set([...open, ...keysAbove(scan.outline, node)]);
    expanded.value = next;
    active.value = flattenTree(scan, next).indexOf(node);
  }, [place, isPlaceRead]);

  function setExpanded(row: TreeRow | undefined, isExpanded: boolean): void {
    if (row === undefined || !row.isExpandable) return;
    const next = new Set(open);
    if (isExpanded) next.add(row.key);
    else next.delete(row.key);
    expanded.value = next;
  }

  function setAllBelow(row: TreeRow, isExpanded: boolean): void {
    const below = expansionBelow(scan, row.key, ROWS_AT_MOST);
    const next = new Set(open);
    for (const key of below) {
      if (isExpanded) next.add(key);
      else next.delete(key);
    }
    expanded.value = next;
  }

  function onKeyDown(event: KeyboardEvent): void {
    const at = Math.max(active.value, 0);
    const row = rows.at(at);
    if (event.altKey || event.ctrlKey || event.metaKey) {
      const isCopy = event.key.toLowerCase() === 'c' && !event.altKey;
      if (!isCopy || active.value < 0 || row === undefined || hasSelection()) return;
      event.preventDefault();
      void copyText(copiedValue(scan, row));
      return;
    }
    const isMenuKey = event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey);
    if (isMenuKey) {
      // The panel has a menu of its own for the row of the table.
      if (!openMenu(active.value)) return;
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const isExpanded = row?.isExpanded === true;
    function moveTo(index: number): void {
      active.value = Math.min(Math.max(index, 0), rows.count - 1);
    }
    const actions: Record<string, () => void> = {
      ArrowDown: () => moveTo(active.value + 1),
      ArrowUp: () => moveTo(at - 1),
      PageDown: () => moveTo(at + PAGE),
      PageUp: () => moveTo(at - PAGE),
      Home: () => moveTo(0),
      End: () => moveTo(rows.count - 1),
      ArrowRight: () => (isExpanded ? moveTo(at + 1) : setExpanded(row, true)),
      ArrowLeft: () => (isExpanded ? setExpanded(row, false) : moveTo(row?.parent ?? 0)),
      Enter: () => setExpanded(row, !isExpanded),
      '*': () => row && setAllBelow(row, true),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  /** Opens the menu of a row at a place in the window, or below the row. */
  function openMenu(index: number, place?: { x: number; y: number }): boolean {
    const row = rows.at(index);
    if (row === undefined) return false;
    active.value = index;
    const box = document.getElementById(`${id}-${index}`)?.getBoundingClientRect();
    menu.value = { row, ...(place ?? { x: (box?.left ?? 0) + 24, y: box?.bottom ?? 0 }) };
    return true;
  }

  function onContextMenu(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target.closest('.tree-row') : null;
    // Without a row under it, it comes from a key.
    const isOpened =
      target === null
        ? openMenu(active.value)
        : openMenu(Number(target.getAttribute('data-index')), {
            x: event.clientX,
            y: event.clientY,
          });
    if (!isOpened) return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <>
      <VirtualRows
        class="tree"
        role="tree"
        id={id}
        aria-label={label}
        aria-busy={!scan.isDone}
        aria-activedescendant={active.value < 0 ? undefined : `${id}-${active.value}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onContextMenu={onContextMenu}
        count={rows.count}
        rowHeight={ROW_HEIGHT}
        active={active.value}
        bodyRole="presentation"
        row={(index, top) => {
          const row = rows.at(index);
          return (
            row && (
              <JsonTreeRow
                key={row.id}
                id={`${id}-${index}`}
                index={index}
                row={row}
                top={top}
                isActive={index === active.value}
                onSelect={() => (active.value = index)}
                onToggle={() => setExpanded(row, !row.isExpanded)}
                onShowText={() => onShowText(row.node)}
              />
            )
          );
        }}
      />
      {rows.isCut && (
        <p class="message-note dim">
          Only the first {rows.count.toLocaleString('en')} lines are shown.
        </p>
      )}
      {!scan.isDone && (
        <p class="message-note dim" role="status">
          Reading… {formatBytes(scan.position)} of {formatBytes(scan.text.length)}
        </p>
      )}
      {menu.value && (
        <ValueMenu
          scan={scan}
          {...menu.value}
          onShowText={onShowText}
          onExpand={setAllBelow}
          onClose={() => {
            menu.value = undefined;
            document.getElementById(id)?.focus();
          }}
        />
      )}
    </>
  );
}

function hasSelection(): boolean {
  return document.getSelection()?.isCollapsed === false;
}
