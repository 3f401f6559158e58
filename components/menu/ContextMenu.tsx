import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import type { OpenMenu } from '../../lib/state/commands-desk.ts';
import { keysOf, listCommands } from '../../lib/state/commands.ts';
import { buildRowMenu } from '../../lib/state/context-menu.ts';
import type { MenuEntry } from '../../lib/state/context-menu.ts';
import { copyDeskOf } from '../../lib/state/copy-desk.ts';
import type { Keys } from '../../lib/state/shortcuts.ts';
import { createDoor } from '../commands/door.ts';
import { IS_MAC } from '../commands/keyboard.ts';
import { copyText } from '../ui/copy-text.ts';
import { MenuList } from './MenuList.tsx';
import { placeBelow } from './place-menu.ts';
import './ContextMenu.css';

/** The menu of a row, for as long as it is open. */
export function ContextMenu({ menu, model }: { menu: OpenMenu; model: AppModel }) {
  const { desk } = model;
  const box = useRef<HTMLDivElement>(null);
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
  const returnTo = useRef(document.activeElement);

  useEffect(() => {
    const leave = () => (desk.menu.value = undefined);
    const leaveOutside = (event: Event) => {
      if (event.target instanceof Node && box.current?.contains(event.target)) return;
      leave();
    };
    const ends = new AbortController();
    const options = { signal: ends.signal, capture: true };
    document.addEventListener('pointerdown', leaveOutside, options);
    document.addEventListener('wheel', leaveOutside, { ...options, passive: true });
    window.addEventListener('resize', leave, options);
    // Not while capturing: elements lose the focus all the time.
    window.addEventListener('blur', leave, { signal: ends.signal });
    return () => ends.abort();
  }, [desk]);

  function close(): void {
    desk.menu.value = undefined;
    const { current } = returnTo;
    if (current instanceof HTMLElement && current !== document.body) current.focus();
    else document.getElementById('traffic')?.focus();
  }

  function keysOfEntry(entry: MenuEntry): Keys | undefined {
    return entry.kind === 'action' ? keys.get(entry.commandId ?? '') : undefined;
  }

  return (
    <div class="context-menu" ref={box} onContextMenu={(event) => event.preventDefault()}>
      <MenuList
        label="Row"
        entries={entries}
        place={(size) => placeBelow(size, menu)}
        keysOf={keysOfEntry}
        startsAtFirst={menu.isByKey}
        onRun={(run) => {
          close();
          run();
        }}
        onBack={(key) => key === 'Escape' && close()}
        onLeave={close}
      />
    </div>
  );
}
