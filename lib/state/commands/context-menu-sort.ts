import type { AppModel } from '../app-model.ts';
import type { MenuEntry } from './context-menu.ts';
import type { SortColumn } from '../view/sorting.ts';

const COLUMNS: readonly [column: SortColumn, title: string][] = [
  ['name', 'Name'],
  ['kind', 'Kind'],
  ['direction', 'Direction'],
  ['connection', 'Connection'],
  ['status', 'Status'],
  ['type', 'Type'],
  ['size', 'Size'],
  ['time', 'Time'],
  ['duration', 'Duration'],
];

/** The orders of the table. To choose the one that is chosen turns it round. */
export function sortEntries({ traffic }: AppModel): MenuEntry[] {
  const chosen = traffic.sort.value;
  const columns = COLUMNS.map(([column, title]): MenuEntry => {
    const isChosen = chosen?.column === column;
    const isTurned = isChosen && chosen.direction === 'ascending';
    return {
      kind: 'choice',
      id: `sort-${column}`,
      title: isChosen ? `${title}, ${chosen.direction}` : title,
      isChosen,
      run: () => {
        traffic.sort.value = { column, direction: isTurned ? 'descending' : 'ascending' };
      },
    };
  });
  return [
    {
      kind: 'choice',
      id: 'sort-recorded',
      title: 'As recorded',
      isChosen: chosen === undefined,
      run: () => {
        traffic.sort.value = undefined;
      },
    },
    { kind: 'separator' },
    ...columns,
  ];
}
