import { useEffect } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { findCommand, listCommands } from '../../lib/state/commands/commands.ts';
import { createDoor } from './door.ts';
import { IS_MAC } from './keyboard.ts';

/** While a dialog is open, only these mean anything to what lies under it. */
const OVER_DIALOGS = new Set(['close', 'palette']);

/** Runs commands by their keys, wherever in the panel the focus is. */
export function useCommandKeys(model: AppModel): void {
  useEffect(() => {
    const door = createDoor(model);
    const { desk } = model;
    const ends = new AbortController();

    function onKeyDown(event: KeyboardEvent): void {
      // DevTools would open its drawer; it listens further out.
      if (event.key === 'Escape') event.stopPropagation();
      if (event.defaultPrevented || event.isComposing) return;
      const isDialogOpen = document.querySelector('dialog[open]') !== null;
      if (
        desk.isPaletteOpen.value &&
        !isDialogOpen &&
        event.key.length === 1 &&
        !hasControl(event)
      ) {
        // Its code is on the way, and these letters are for it: none of them is a command.
        event.preventDefault();
        desk.paletteQuery.value += event.key;
        return;
      }
      const all = listCommands(model, door);
      const commands = isDialogOpen ? all.filter(({ id }) => OVER_DIALOGS.has(id)) : all;
      const isTyping = isField(event.target);
      const command = findCommand(commands, event, { isMac: IS_MAC, isTyping });
      if (command === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      command.run();
    }

    document.documentElement.addEventListener('keydown', onKeyDown, { signal: ends.signal });
    return () => ends.abort();
  }, [model]);
}

/** Where keys are typed, or choose something by its first letter. */
function isField(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  const field = target.closest('input, textarea, select, [contenteditable]');
  return field !== null && !field.matches('input:is([type=checkbox], [type=radio], [type=button])');
}

function hasControl({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey;
}
