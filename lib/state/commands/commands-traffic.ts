import type { AppModel } from '../app-model.ts';
import { clearTraffic, everywhere, isCovered, withControl } from './commands-model.ts';
import type { Command, CommandDoor } from './commands-model.ts';

/** What can be done with the table as a whole, while nothing lies over it. */
export function trafficCommands(model: AppModel, door: CommandDoor): Command[] {
  return [...viewCommands(model, door), ...stepCommands(model, door)].map((command) => ({
    ...command,
    isPossible: () => !isCovered(model) && command.isPossible?.() !== false,
  }));
}

function viewCommands(model: AppModel, door: CommandDoor): Command[] {
  const { traffic } = model;
  const { filter, isPaused } = traffic;
  return [
    {
      id: 'filter',
      title: 'Filter the traffic',
      group: 'Traffic',
      keys: { mac: ['/', 'Cmd+Shift+F'], other: ['/', 'Ctrl+Shift+F'] },
      isForFields: true,
      run: () => door.focus('filter'),
    },
    {
      id: 'filter-clear',
      title: 'Clear the filter',
      group: 'Traffic',
      isPossible: () => filter.isActive.value,
      run: () => filter.clear(),
    },
    {
      id: 'filter-invert',
      title: filter.isInverted.value ? 'Do not invert the filter' : 'Invert the filter',
      group: 'Traffic',
      isPossible: () => filter.text.value !== '',
      run: () => (filter.isInverted.value = !filter.isInverted.value),
    },
    {
      id: 'pause',
      title: isPaused.value ? 'Resume the view' : 'Pause the view',
      group: 'Traffic',
      keys: withControl('E'),
      isForFields: true,
      run: () => (isPaused.value = !isPaused.value),
    },
    {
      id: 'clear',
      title: 'Clear',
      group: 'Traffic',
      keys: { mac: ['Cmd+K', 'Ctrl+L'], other: ['Ctrl+L'] },
      isForFields: true,
      run: () => clearTraffic(model),
    },
    {
      id: 'show-all',
      title: 'Show what was cleared',
      group: 'Traffic',
      isPossible: () => traffic.hidden.value > 0,
      run: () => traffic.showAll(),
    },
  ];
}

function stepCommands({ selection, traffic }: AppModel, door: CommandDoor): Command[] {
  const isPossible = () => traffic.count.value > 0;
  return [
    {
      id: 'next-row',
      title: 'Next row',
      group: 'Traffic',
      keys: everywhere('J'),
      isStep: true,
      isPossible,
      run: () => selection.move(1),
    },
    {
      id: 'row-before',
      title: 'Row before',
      group: 'Traffic',
      keys: everywhere('K'),
      isStep: true,
      isPossible,
      run: () => selection.move(-1),
    },
    {
      id: 'traffic',
      title: 'Go to the traffic table',
      group: 'Traffic',
      run: () => door.focus('traffic'),
    },
  ];
}
