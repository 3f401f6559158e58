import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Entry } from '../../lib/state/server/server-entries.ts';
import { LISTS } from '../../lib/state/server/server-entries.ts';
import type { ListModel } from '../../lib/state/server/server-list-model.ts';
import type { Visits } from '../../lib/state/server/server-visits.ts';
import { formatBytes } from '../../lib/text.ts';
import { VisibleText } from '../json/VisibleText.tsx';
import { VirtualRows } from '../ui/VirtualRows.tsx';

interface CatalogListProps {
  list: ListModel;
  /** Key of the entry that the arrow keys move from. */
  active: Signal<string | undefined>;
  visits: Visits;
  /** The server says that it has lists of this kind. */
  isOffered: boolean;
  /** An entry was clicked, or Enter was pressed on it. */
  onOpen: (key: string) => void;
  /** Enter was pressed on an entry, which is open by now. */
  onEnter: () => void;
}

const ROW_HEIGHT = 38;
const PAGE = 8;

/** The entries of a list, one under the other. */
export function CatalogList(props: CatalogListProps) {
  const { list, active: activeKey, visits, isOffered, onOpen, onEnter } = props;
  const id = useId();
  const entries = list.shown.value;
  const active = entries.findIndex(({ key }) => key === activeKey.value);
  const { pages, isLoading } = list.listing.value;
  const changed = new Map(
    visits.changes.value?.changes
      .filter(({ kind }) => kind === list.kind)
      .map(({ change }) => [change.name, change.kind]),
  );

  function moveTo(index: number): void {
    const entry = entries[Math.min(Math.max(index, 0), entries.length - 1)];
    if (entry !== undefined) activeKey.value = entry.key;
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const current = entries[active];
    if (event.key === 'Enter' && current !== undefined) {
      // Not for a field that has the focus only then.
      event.preventDefault();
      onOpen(current.key);
      onEnter();
      return;
    }
    const targets: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + PAGE,
      PageUp: active - PAGE,
      Home: 0,
      End: entries.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    moveTo(target);
  }

  if (entries.length === 0) {
    return (
      <p class="catalog-empty dim">
        {isLoading
          ? `Loading: ${LISTS[list.kind].method} is on its way, and in the traffic list too.`
          : pages.length === 0
            ? `${isOffered ? '' : 'The server does not say that it has any. '}Press Load to ask for it. Every request is in the traffic list too.`
            : list.search.value === ''
              ? 'The server lists nothing here.'
              : 'Nothing fits the search.'}
      </p>
    );
  }
  return (
    <VirtualRows
      class="catalog-list"
      id={id}
      role="listbox"
      aria-label={LISTS[list.kind].title}
      aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      count={entries.length}
      rowHeight={ROW_HEIGHT}
      active={active}
      bodyRole="presentation"
      row={(index, top) => {
        const entry = entries[index];
        return (
          entry && (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the list has the keys and the focus
            <div
              key={entry.key}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              class={`catalog-row${index === active ? ' is-selected' : ''}`}
              style={{ top: `${top}px`, height: `${ROW_HEIGHT}px` }}
              onClick={() => onOpen(entry.key)}
            >
              <EntryRow entry={entry} change={changed.get(entry.name)} />
            </div>
          )
        );
      }}
    />
  );
}

function EntryRow({ entry, change }: { entry: Entry; change: string | undefined }) {
  const { name, title, description = '', sizeBytes, faults, excluded, isDuplicate } = entry;
  const about = [title ?? '', description].filter(Boolean).join(' · ');
  const signs = [
    faults.length > 0 ? 'invalid' : '',
    excluded === undefined ? '' : 'excluded',
    isDuplicate ? 'duplicate name' : '',
    change === 'added' ? 'new' : (change ?? ''),
  ].filter((sign) => sign !== '');
  return (
    <>
      <span class="catalog-name" title={name}>
        <VisibleText text={name} />
        {signs.map((sign) => (
          <span key={sign} class={sign === 'invalid' ? 'error' : 'warning'}>
            {' '}
            {sign}
          </span>
        ))}
        <span class="catalog-size dim">{formatBytes(sizeBytes)}</span>
      </span>
      <span class="catalog-about dim" title={about}>
        <VisibleText text={about.slice(0, 200)} />
      </span>
    </>
  );
}
