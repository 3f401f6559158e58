import type { AppModel } from '../app-model.ts';
import { coversOf, everywhere, withControl } from './commands-model.ts';
import type { Command, CommandDoor } from './commands-model.ts';

/** Commands that are there whatever is shown. */
export function panelCommands(model: AppModel, door: CommandDoor): Command[] {
  const { desk, search, composer } = model;
  return [
    {
      id: 'palette',
      title: 'Command palette',
      group: 'Panel',
      // Firefox opens a private window on Ctrl+Shift+P whatever a page says. This one reaches us in both browsers.
      keys: withControl('P'),
      isForFields: true,
      isStep: true,
      run: () => {
        if (desk.isPaletteOpen.value) {
          closeTop(model, door);
          return;
        }
        desk.paletteQuery.value = '';
        desk.isPaletteOpen.value = true;
      },
    },
    {
      id: 'shortcuts',
      title: 'Keyboard shortcuts',
      group: 'Panel',
      keys: everywhere('?'),
      run: () => (desk.areShortcutsOpen.value = true),
    },
    {
      id: 'close',
      title: 'Close what is on top',
      group: 'Panel',
      // The toolbox of Firefox opens its console on Escape as well, and no page can keep it from that.
      keys: everywhere('Escape', 'Q'),
      isStep: true,
      run: () => closeTop(model, door),
    },
    {
      id: 'search',
      title: 'Search in everything recorded',
      group: 'Panel',
      keys: withControl('F'),
      isForFields: true,
      run: () => {
        for (const { isOpen } of coversOf(model)) isOpen.value = false;
        search.isOpen.value = true;
        door.focus('search-field');
      },
    },
    {
      id: 'report',
      title: model.report.isOpen.value ? 'Close the transport report' : 'Transport report',
      group: 'Panel',
      run: () => (model.report.isOpen.value = !model.report.isOpen.value),
    },
    {
      id: 'diagram',
      title: model.diagram.isOpen.value ? 'Close the sequence diagram' : 'Sequence diagram',
      group: 'Panel',
      run: () => (model.diagram.isOpen.value = !model.diagram.isOpen.value),
    },
    {
      id: 'server',
      title: model.server.isOpen.value
        ? 'Close the server screen'
        : 'Server: tools, resources, prompts',
      group: 'Panel',
      run: () => (model.server.isOpen.value = !model.server.isOpen.value),
    },
    {
      id: 'storage',
      title: model.storage.isOpen.value ? 'Close the captures' : 'Captures',
      group: 'Panel',
      run: () => (model.storage.isOpen.value = !model.storage.isOpen.value),
    },
    {
      id: 'credentials',
      title: model.credentials.isOpen.value ? 'Close the credentials' : 'Credentials',
      group: 'Panel',
      run: () => (model.credentials.isOpen.value = !model.credentials.isOpen.value),
    },
    {
      id: 'settings',
      title: model.settings.isOpen.value ? 'Close the settings' : 'Settings',
      group: 'Panel',
      run: () => (model.settings.isOpen.value = !model.settings.isOpen.value),
    },
    {
      id: 'send',
      title: composer.isOpen.value ? 'Close the form for requests' : 'Send a request',
      group: 'Panel',
      run: () => (composer.isOpen.value = !composer.isOpen.value),
    },
  ];
}

/** Layers close one at a time, the topmost first. */
function closeTop(model: AppModel, door: CommandDoor): void {
  const { desk, search, selection } = model;
  if (door.closeDialog()) {
    // Its event comes later, and the next key may come before that. The palette is never under another dialog.
    if (desk.isPaletteOpen.value) desk.isPaletteOpen.value = false;
    else desk.areShortcutsOpen.value = false;
    return;
  }
  const cover = coversOf(model).find(({ isOpen }) => isOpen.value);
  if (cover !== undefined) cover.isOpen.value = false;
  else if (selection.isOpen.value) {
    selection.close();
    door.focus('traffic');
  } else search.isOpen.value = false;
}
