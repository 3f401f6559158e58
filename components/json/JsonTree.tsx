import { useSignal } from '@preact/signals';
import { useId, useMemo } from 'preact/hooks';
import type { JsonNode } from '../../lib/json/parse.ts';
import { flattenTree, initialExpansion } from '../../lib/json/tree.ts';
import { VirtualRows } from '../ui/VirtualRows.tsx';
import { JsonTreeRow } from './JsonTreeRow.tsx';
import './JsonTree.css';

interface JsonTreeProps {
  label: string;
  text: string;
  root: JsonNode;
}

const ROW_HEIGHT = 18;
const ROWS_AT_FIRST = 120;
const PAGE = 10;

/** JSON as a collapsible tree: keys in their order, every value to the letter. */
export function JsonTree({ label, text, root }: JsonTreeProps) {
  const id = useId();
  const expanded = useSignal<ReadonlySet<number>>(
    useMemo(() => initialExpansion(root, ROWS_AT_FIRST), [root]),
  );
  const active = useSignal(-1);
  const rows = useMemo(() => flattenTree(text, root, expanded.value), [text, root, expanded.value]);

  function setExpanded(index: number, isExpanded: boolean): void {
    const row = rows[index];
    if (row === undefined || !row.isExpandable) return;
    const next = new Set(expanded.value);
    if (isExpanded) next.add(row.start);
    else next.delete(row.start);
    expanded.value = next;
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = Math.max(active.value, 0);
    const row = rows[at];
    const isExpanded = row?.isExpanded === true;
    function moveTo(index: number): void {
      active.value = Math.min(Math.max(index, 0), rows.length - 1);
    }
    const actions: Record<string, () => void> = {
      ArrowDown: () => moveTo(active.value + 1),
      ArrowUp: () => moveTo(at - 1),
      PageDown: () => moveTo(at + PAGE),
      PageUp: () => moveTo(at - PAGE),
      Home: () => moveTo(0),
      End: () => moveTo(rows.length - 1),
      ArrowRight: () => (isExpanded ? moveTo(at + 1) : setExpanded(at, true)),
      ArrowLeft: () => (isExpanded ? setExpanded(at, false) : moveTo(row?.parent ?? 0)),
      Enter: () => setExpanded(at, !isExpanded),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  return (
    <VirtualRows
      class="tree"
      role="tree"
      aria-label={label}
      aria-activedescendant={active.value < 0 ? undefined : `${id}-${active.value}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      count={rows.length}
      rowHeight={ROW_HEIGHT}
      active={active.value}
      bodyRole="presentation"
      row={(index, top) => {
        const row = rows[index];
        return (
          row && (
            <JsonTreeRow
              key={row.id}
              id={`${id}-${index}`}
              row={row}
              top={top}
              isActive={index === active.value}
              onSelect={() => (active.value = index)}
              onToggle={() => setExpanded(index, !row.isExpanded)}
            />
          )
        );
      }}
    />
  );
}
