import type { TreeRow } from '../../lib/json/tree.ts';
import { formatCount } from '../../lib/text.ts';
import { VisibleText } from './VisibleText.tsx';

interface JsonTreeRowProps {
  id: string;
  index: number;
  row: TreeRow;
  top: number;
  isActive: boolean;
  onSelect: () => void;
  onToggle: () => void;
  onShowText: () => void;
}

/** One line of a JSON tree. */
export function JsonTreeRow(props: JsonTreeRowProps) {
  const { id, index, row, top, isActive, onSelect, onToggle, onShowText } = props;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the tree has the keys and the focus
    <div
      role="treeitem"
      id={id}
      class="tree-row"
      data-index={index}
      style={{ top: `${top}px`, paddingLeft: `${row.depth * 14 + 20}px` }}
      aria-level={row.depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={row.isExpandable ? row.isExpanded : undefined}
      aria-selected={isActive}
      onClick={onSelect}
      onDblClick={onToggle}
    >
      {row.isExpandable && (
        <span class="tree-toggle" aria-hidden="true" onClick={onToggle}>
          {row.isExpanded ? '▾' : '▸'}
        </span>
      )}
      {row.label !== undefined && (
        <>
          <span class={row.isIndex ? 'dim' : 'json-key'}>
            <VisibleText text={row.label} />
          </span>
          {': '}
        </>
      )}
      <TreeValue row={row} onShowText={onShowText} />
    </div>
  );
}

interface TreeValueProps {
  row: TreeRow;
  onShowText: () => void;
}

function TreeValue({ row, onShowText }: TreeValueProps) {
  switch (row.kind) {
    case 'object':
    case 'array':
      return <ContainerValue row={row} kind={row.kind} />;
    case 'group':
      return <span class="dim">[{row.text}]</span>;
    case 'line':
      return <ScalarText row={row} className="json-line" onShowText={onShowText} />;
    case 'string':
      return <ScalarText row={row} className="json-string" onShowText={onShowText} />;
    case 'number':
    case 'true':
    case 'false':
    case 'null':
      return <ScalarText row={row} className="json-number" onShowText={onShowText} />;
  }
}

function ScalarText({ row, className, onShowText }: TreeValueProps & { className: string }) {
  const canShow = row.kind === 'string' && row.isExpandable;
  return (
    <>
      <span class={className}>
        <VisibleText text={row.text} />
      </span>
      {row.omitted > 0 && <span class="dim">… {formatCount(row.omitted, 'more character')}</span>}
      {(canShow || row.omitted > 0) && row.kind !== 'number' && (
        <button type="button" class="link tree-text" tabIndex={-1} onClick={onShowText}>
          text
        </button>
      )}
    </>
  );
}

function ContainerValue({ row, kind }: { row: TreeRow; kind: 'object' | 'array' }) {
  const size = formatCount(row.size, kind === 'object' ? 'member' : 'item');
  if (row.isExpanded)
    return <span class="dim">{kind === 'object' ? `{${row.size}}` : `[${row.size}]`}</span>;
  if (row.size === 0) return <span>{kind === 'object' ? '{}' : '[]'}</span>;
  return (
    <span class="dim" title={size}>
      {row.text.replaceAll(/\s+/g, ' ')}
      {row.omitted > 0 && '…'}
    </span>
  );
}
