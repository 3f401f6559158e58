import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { listCommands } from '../../lib/state/commands/commands.ts';
import { buildSheet } from '../../lib/state/commands/shortcuts-sheet.ts';
import { Icon } from '../ui/Icon.tsx';
import { createDoor } from './door.ts';
import { IS_MAC } from './keyboard.ts';
import './ShortcutSheet.css';

/** All keys of the panel, by what they are for. */
export function ShortcutSheet({ model }: { model: AppModel }) {
  const { desk } = model;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const groups = useMemo(() => buildSheet(listCommands(model, createDoor(model)), IS_MAC), [model]);
  useEffect(() => dialog.current?.showModal(), []);

  return (
    <dialog
      ref={dialog}
      class="sheet"
      aria-labelledby={`${id}-title`}
      onClose={() => (desk.areShortcutsOpen.value = false)}
      onPointerDown={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div class="sheet-box">
        <header class="sheet-head">
          <h2 id={`${id}-title`}>Keyboard shortcuts</h2>
          <button
            type="button"
            aria-label="Close the shortcuts"
            title="Close (Escape)"
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </header>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll area needs the keyboard */}
        <div class="sheet-groups" role="group" aria-label="Keys by group" tabIndex={0}>
          <div class="sheet-columns">
            {groups.map(({ title, lines }) => (
              <section key={title} class="sheet-group" aria-label={title}>
                <h3>{title}</h3>
                <dl>
                  {lines.map((line) => (
                    <div key={line.title} class="sheet-line">
                      <dt>{line.title}</dt>
                      <dd>
                        {line.keys.map((keys) => (
                          <kbd key={keys}>{keys}</kbd>
                        ))}
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
            <p class="sheet-note dim">
              Letters and signs work while no field has the focus. In Firefox, Escape also opens the
              console of the toolbox, and no page can keep it from that: Q does without.
            </p>
          </div>
        </div>
      </div>
    </dialog>
  );
}
