import { useSignal } from '@preact/signals';
import type { CaptureColumn, CaptureRow } from '../../lib/state/captures/capture-list.ts';
import { nextSort } from '../../lib/state/captures/capture-list.ts';
import type { StorageModel } from '../../lib/state/captures/storage-model.ts';
import { formatCount } from '../../lib/text.ts';
import type { MenuAnchor } from '../menu/MenuLayer.tsx';
import { CaptureEditor } from './CaptureEditor.tsx';
import { CaptureLine } from './CaptureLine.tsx';
import { CaptureMenu } from './CaptureMenu.tsx';
import type { CaptureWays } from './capture-ways.ts';

interface TableProps {
  desk: StorageModel;
  ways: CaptureWays;
}

const COLUMNS: readonly { column: CaptureColumn; title: string; hint?: string }[] = [
  { column: 'name', title: 'Name' },
  { column: 'time', title: 'Time' },
  { column: 'exchanges', title: 'Exchanges', hint: 'JSON-RPC requests of either side' },
  { column: 'errors', title: 'Errors', hint: 'Rows that say that something failed' },
  { column: 'events', title: 'Events' },
  { column: 'size', title: 'Size' },
];

/** More than anybody looks through, and few enough to be drawn at once. */
const SHOWN = 100;

/** The stored captures, with what can be done with each. */
export function CaptureTable({ desk, ways }: TableProps) {
  const menu = useSignal<{ row: CaptureRow; anchor: MenuAnchor } | undefined>(undefined);
  const edited = useSignal<CaptureRow | undefined>(undefined);
  const areAllShown = useSignal(false);
  const sort = desk.sort.value;
  const rows = desk.rows.value;
  return (
    <div class="storage-table">
      <table aria-label="Captures">
        <thead>
          <tr>
            <th scope="col">
              <span class="visually-hidden">Compare</span>
            </th>
            {COLUMNS.map(({ column, title, hint }) => {
              const isSorted = sort.column === column;
              const direction = sort.isDescending ? 'descending' : 'ascending';
              return (
                <th
                  key={column}
                  scope="col"
                  class={`capture-${column}`}
                  aria-sort={isSorted ? direction : 'none'}
                >
                  <button
                    type="button"
                    title={hint ?? `Sort by ${title.toLowerCase()}`}
                    onClick={() => desk.sortBy(nextSort(sort, column))}
                  >
                    {title}
                    <span aria-hidden="true">{isSorted && (sort.isDescending ? '▾' : '▴')}</span>
                  </button>
                </th>
              );
            })}
            <th scope="col">Pinned</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, areAllShown.value ? undefined : SHOWN).map((row) => (
            <CaptureLine
              key={row.capture.captureId}
              row={row}
              desk={desk}
              ways={ways}
              onMenu={(anchor) => (menu.value = { row, anchor })}
            />
          ))}
        </tbody>
      </table>
      {rows.length > SHOWN && !areAllShown.value && (
        <p>
          <span class="dim">{formatCount(SHOWN, 'capture')} are listed.</span>{' '}
          <button
            type="button"
            class="link"
            onClick={() => {
              areAllShown.value = true;
              document.getElementById('captures')?.focus();
            }}
          >
            List all {rows.length.toLocaleString('en')}
          </button>
        </p>
      )}
      {menu.value !== undefined && (
        <CaptureMenu
          row={menu.value.row}
          anchor={menu.value.anchor}
          desk={desk}
          ways={ways}
          onEdit={(row) => (edited.value = row)}
          onClose={() => (menu.value = undefined)}
        />
      )}
      {edited.value !== undefined && (
        <CaptureEditor
          row={edited.value}
          onSave={(edit) => void desk.edit(edited.value?.capture.captureId ?? '', edit)}
          onClose={() => (edited.value = undefined)}
        />
      )}
    </div>
  );
}
