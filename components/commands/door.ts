import type { AppModel } from '../../lib/state/app-model.ts';
import type { CommandDoor } from '../../lib/state/commands/commands-model.ts';
import { openMenuOfSelected } from '../menu/open-row-menu.ts';
import { copyText } from '../ui/copy-text.ts';

/** What commands do to the page. */
export function createDoor(model: AppModel): CommandDoor {
  return {
    focus: (id) => document.getElementById(id)?.focus(),
    press(id) {
      const element = document.getElementById(id);
      element?.focus();
      element?.click();
    },
    closeDialog() {
      // The one on top has the focus, or nothing has.
      const dialog =
        document.activeElement?.closest<HTMLDialogElement>('dialog[open]') ??
        document.querySelector<HTMLDialogElement>('dialog[open]');
      dialog?.close();
      return dialog !== null;
    },
    hasSelectedText: () => document.getSelection()?.isCollapsed === false,
    openRowMenu: () => openMenuOfSelected(model),
    copyMessage() {
      const item = model.selection.item.peek();
      if (item === undefined) return;
      void import('../../lib/state/copy/copy-desk.ts').then(({ copyDeskOf }) =>
        copyDeskOf(model, copyText).copy('message', item),
      );
    },
  };
}
