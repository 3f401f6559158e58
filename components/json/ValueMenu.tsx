import { useLayoutEffect, useRef } from 'preact/hooks';
import { toJsonPath, toJsonPointer, type Outlined } from '../../lib/json/path.ts';
import type { TreeRow } from '../../lib/json/tree.ts';
import { copyText } from '../ui/copy-text.ts';
import { copiedValue } from './value-actions.ts';

interface ValueMenuProps {
  scan: Outlined;
  row: TreeRow;
  /** Where it opens, px in the window. */
  x: number;
  y: number;
  onShowText: (node: number) => void;
  onExpand: (row: TreeRow, isExpanded: boolean) => void;
  onClose: () => void;
}

interface Entry {
  title: string;
  keys?: string;
  /** Begins a group of its own. */
  isFirst?: true;
  run: () => void;
}

/** What can be done with a value of a JSON tree. */
export function ValueMenu(props: ValueMenuProps) {
  const { scan, row, x, y, onClose } = props;
  const menu = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = menu.current;
    if (element === null) return;
    // In the top layer nothing cuts it off.
    element.showPopover();
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(4, Math.min(x, innerWidth - width - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(y, innerHeight - height - 4))}px`;
    element.querySelector('button')?.focus();
  }, [x, y]);

  function onKeyDown(event: KeyboardEvent): void {
    event.stopPropagation();
    const buttons = [...(menu.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((button) => button === document.activeElement);
    const targets: Record<string, number> = {
      ArrowDown: (at + 1) % buttons.length,
      ArrowUp: (at + buttons.length - 1) % buttons.length,
      Home: 0,
      End: buttons.length - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) buttons[target]?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else return;
    event.preventDefault();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the focus is on its entries
    <div
      ref={menu}
      role="menu"
      popover="manual"
      class="value-menu"
      aria-label="Value"
      onKeyDown={onKeyDown}
      onFocusOut={(event) => {
        const next = event.relatedTarget;
        if (!(next instanceof Node) || menu.current?.contains(next) !== true) onClose();
      }}
      onContextMenu={(event) => event.preventDefault()}
    >
      {entriesOf(props).map(({ title, keys, isFirst, run }) => [
        isFirst && <hr key={`before ${title}`} />,
        <button
          key={title}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            run();
            onClose();
          }}
        >
          {title}
          {keys !== undefined && <kbd class="dim">{keys}</kbd>}
        </button>,
      ])}
    </div>
  );

  function entriesOf({ onShowText, onExpand }: ValueMenuProps): Entry[] {
    // Never rejects: a refusal is its answer, and there is no place to say it.
    const copy = (text: string) => void copyText(text);
    const isString = row.kind === 'string' || row.kind === 'line';
    const entries: Entry[] = [
      { title: 'Copy value', keys: 'Ctrl+C', run: () => copy(copiedValue(scan, row)) },
    ];
    if (row.kind === 'string') {
      const source = () =>
        scan.text.slice(scan.outline.startOf(row.node), scan.outline.endOf(row.node));
      entries.push({ title: 'Copy as JSON', run: () => copy(source()) });
    }
    entries.push(
      { title: 'Copy JSONPath', isFirst: true, run: () => copy(toJsonPath(scan, row.node)) },
      { title: 'Copy JSON Pointer', run: () => copy(toJsonPointer(scan, row.node)) },
    );
    if (isString)
      entries.push({ title: 'Show as text', isFirst: true, run: () => onShowText(row.node) });
    if (row.size > 0) {
      entries.push(
        { title: 'Expand all below', isFirst: true, keys: '*', run: () => onExpand(row, true) },
        { title: 'Collapse all below', run: () => onExpand(row, false) },
      );
    }
    return entries;
  }
}
