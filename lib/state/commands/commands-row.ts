import type { AppModel } from '../app-model.ts';
import { everywhere, isCovered, withControl } from './commands-model.ts';
import type { Command, CommandDoor } from './commands-model.ts';
import { openToEdit } from '../composer/composer-opening.ts';
import { isReplayable } from '../replay/replay-links.ts';
import type { DetailTab } from '../view/selection.ts';

const TABS: readonly [tab: DetailTab, title: string, key: string][] = [
  ['message', 'Message', '1'],
  ['headers', 'Headers', '2'],
  ['stream', 'Stream', '3'],
  ['timing', 'Timing', '4'],
  ['auth', 'Auth', '5'],
  ['issues', 'Issues', '6'],
  ['replay', 'the comparison with a replay', '7'],
];

/** What the keyboard can do with the selected row. */
export function rowCommands(model: AppModel, door: CommandDoor): Command[] {
  return [...actions(model, door), ...tabs(model)].map((command) => ({
    ...command,
    isPossible: () => !isCovered(model) && command.isPossible?.() !== false,
  }));
}

function actions(model: AppModel, door: CommandDoor): Command[] {
  const { selection, replay, composer } = model;
  const isSelected = () => selection.item.value !== undefined;
  return [
    {
      id: 'open',
      title: 'Open the details',
      group: 'Selected row',
      isPossible: () => isSelected() && !selection.isOpen.value,
      run: () => selection.open(),
    },
    {
      id: 'menu',
      title: 'Menu of the row',
      group: 'Selected row',
      keys: everywhere('Shift+F10', 'ContextMenu', 'M'),
      isStep: true,
      isPossible: isSelected,
      run: () => door.openRowMenu(),
    },
    {
      id: 'copy',
      title: 'Copy the message',
      group: 'Selected row',
      keys: withControl('C'),
      isStep: true,
      isPossible: () => {
        const item = selection.item.value;
        return item !== undefined && 'message' in item && !door.hasSelectedText();
      },
      run: () => door.copyMessage(),
    },
    {
      id: 'replay',
      title: 'Replay',
      group: 'Selected row',
      keys: everywhere('R'),
      // It says itself why it cannot be done.
      run: () => replay.start(selection.item.value),
    },
    {
      id: 'replay-exact',
      title: 'Replay as it was',
      group: 'Selected row',
      keys: everywhere('Shift+R'),
      run: () => replay.startExact(selection.item.value),
    },
    {
      id: 'replay-selection',
      title: 'Replay selection in order',
      group: 'Selected row',
      isPossible: () => selection.marks.value.size > 0,
      run: () => void replayMarked(model),
    },
    {
      id: 'replay-edit',
      title: 'Edit and replay…',
      group: 'Selected row',
      keys: everywhere('E'),
      isPossible: () => isReplayable(selection.item.value),
      run: () => {
        const item = selection.item.value;
        if (item !== undefined) openToEdit(composer, item);
      },
    },
  ];
}

/** Its code comes with the form for requests. */
export async function replayMarked(model: AppModel): Promise<void> {
  (await import('../replay/replay-selection.ts')).replaySelection(model);
}

function tabs({ selection }: AppModel): Command[] {
  return TABS.map(([tab, title, key]) => ({
    id: `tab-${tab}`,
    title: `Show ${title}`,
    group: 'Details',
    keys: everywhere(key),
    isPossible: () => selection.item.value !== undefined,
    run: () => {
      if (!selection.isOpen.value) selection.open();
      selection.showTab(tab);
    },
  }));
}
