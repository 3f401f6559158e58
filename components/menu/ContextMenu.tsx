import { useMemo } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import type { OpenMenu } from '../../lib/state/commands/commands-desk.ts';
import { keysOf, listCommands } from '../../lib/state/commands/commands.ts';
import { buildRowMenu } from '../../lib/state/commands/context-menu.ts';
import type { MenuEntry } from '../../lib/state/commands/context-menu.ts';
import { copyDeskOf } from '../../lib/state/copy/copy-desk.ts';
import type { Keys } from '../../lib/state/commands/shortcuts.ts';
import { createDoor } from '../commands/door.ts';
import { IS_MAC } from '../commands/keyboard.ts';
import { copyText } from '../ui/copy-text.ts';
import { MenuLayer } from './MenuLayer.tsx';

/** The menu of a row, for as long as it is open. */
export function ContextMenu({ menu, model }: { menu: OpenMenu; model: AppModel }) {
  const entries = useMemo(
    () => buildRowMenu(menu.item, model, copyDeskOf(model, copyText)),
    [menu, model],
  );
  const keys = useMemo(
    () =>
      new Map(
        listCommands(model, createDoor(model)).map((command) => [
          command.id,
          keysOf(command, IS_MAC)[0],
        ]),
      ),
    [model],
  );

  function keysOfEntry(entry: MenuEntry): Keys | undefined {
    return entry.kind === 'action' ? keys.get(entry.commandId ?? '') : undefined;
  }

  return (
    <MenuLayer
      label="Row"
      entries={entries}
      anchor={menu}
      keysOf={keysOfEntry}
      fallbackId="traffic"
      onClose={() => (model.desk.menu.value = undefined)}
    />
  );
}
