import { useSignal } from '@preact/signals';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { findChoices, listChoices, runChoice } from '../../lib/state/commands/commands-palette.ts';
import type { PaletteEntry } from '../../lib/state/commands/commands-palette.ts';
import { keysOf } from '../../lib/state/commands/commands.ts';
import { copyDeskOf } from '../../lib/state/copy/copy-desk.ts';
import { ariaKeys, nameKeys } from '../../lib/state/commands/shortcuts.ts';
import { formatCount } from '../../lib/text.ts';
import { copyText } from '../ui/copy-text.ts';
import { createDoor } from './door.ts';
import { IS_MAC } from './keyboard.ts';
import './Palette.css';

const PAGE = 8;

/** All that can be done now, found by a few letters of its name. */
export function Palette({ model }: { model: AppModel }) {
  const { desk } = model;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const query = desk.paletteQuery;
  const active = useSignal(0);
  const choices = useMemo(
    () => listChoices(model, createDoor(model), copyDeskOf(model, copyText)),
    [model],
  );
  const found = useMemo(
    () => findChoices(query.value, choices, desk.recent.value),
    [query.value, choices],
  );
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    document.getElementById(`${id}-${active.value}`)?.scrollIntoView({ block: 'nearest' });
  }, [active.value, found]);

  function run(entry: PaletteEntry | undefined): void {
    if (entry === undefined) return;
    // The focus goes back first: commands may move it on.
    dialog.current?.close();
    desk.isPaletteOpen.value = false;
    runChoice(model, entry.command);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const last = found.length - 1;
    const steps: Record<string, () => void> = {
      ArrowDown: () => (active.value = active.value >= last ? 0 : active.value + 1),
      ArrowUp: () => (active.value = active.value <= 0 ? last : active.value - 1),
      PageDown: () => (active.value = Math.min(active.value + PAGE, last)),
      PageUp: () => (active.value = Math.max(active.value - PAGE, 0)),
      Enter: () => run(found[active.value]),
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    step();
  }

  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Command palette"
      onClose={() => (desk.isPaletteOpen.value = false)}
      // A press beside it.
      onPointerDown={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div class="palette-box">
        <input
          type="text"
          role="combobox"
          aria-label="Command"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={found.length === 0 ? undefined : `${id}-${active.value}`}
          placeholder="Type a command"
          autocomplete="off"
          spellcheck={false}
          value={query.value}
          onInput={(event) => {
            query.value = event.currentTarget.value;
            active.value = 0;
          }}
          onKeyDown={onKeyDown}
        />
        <div role="listbox" id={`${id}-list`} class="palette-list" aria-label="Commands">
          {found.map((entry, index) => (
            <Choice
              key={entry.command.id}
              id={`${id}-${index}`}
              entry={entry}
              isActive={index === active.value}
              onChoose={() => run(entry)}
            />
          ))}
        </div>
        <p class="visually-hidden" role="status">
          {formatCount(found.length, 'command')}
        </p>
        {found.length === 0 && (
          <p class="palette-none dim">No command of that name is possible now.</p>
        )}
      </div>
    </dialog>
  );
}

interface ChoiceProps {
  id: string;
  entry: PaletteEntry;
  isActive: boolean;
  onChoose: () => void;
}

function Choice({ id, entry: { command, places }, isActive, onChoose }: ChoiceProps) {
  const [first] = keysOf(command, IS_MAC);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the keys and the focus
    <div
      role="option"
      id={id}
      class="palette-choice"
      aria-selected={isActive}
      aria-keyshortcuts={first && ariaKeys(first)}
      onClick={onChoose}
    >
      <span class="palette-title">
        <Marked text={command.title} places={places} />
      </span>
      <span class="palette-group">{command.group}</span>
      {first !== undefined && <kbd aria-hidden="true">{nameKeys(first, IS_MAC)}</kbd>}
    </div>
  );
}

/** The letters that were typed stand out. */
function Marked({ text, places }: { text: string; places: readonly number[] }) {
  const marked = new Set(places);
  return (
    <>{Array.from(text, (letter, at) => (marked.has(at) ? <b key={at}>{letter}</b> : letter))}</>
  );
}
