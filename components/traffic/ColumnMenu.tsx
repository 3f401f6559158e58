import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TableSetup } from '../../lib/state/view/column-choice.ts';
import { COLUMNS } from '../../lib/state/view/columns.ts';
import type { MenuPlace } from './ColumnsButton.tsx';
import './ColumnMenu.css';

interface ColumnMenuProps {
  setup: TableSetup;
  at: MenuPlace;
  onClose: () => void;
}

const MARGIN = 4;

/** What the table shows. A choice takes effect at once; the menu stays for the next one. */
export function ColumnMenu({ setup, at, onClose }: ColumnMenuProps) {
  const menu = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = menu.current;
    if (element === null) return undefined;
    element.showPopover();
    const { offsetWidth, offsetHeight } = element;
    const { clientWidth, clientHeight } = document.documentElement;
    element.style.left = `${Math.max(Math.min(at.x, clientWidth - offsetWidth - MARGIN), MARGIN)}px`;
    element.style.top = `${Math.max(Math.min(at.y, clientHeight - offsetHeight - MARGIN), MARGIN)}px`;
    const opener = document.activeElement;
    items()[0]?.focus();
    return () => {
      // The focus goes back, unless it has been taken elsewhere.
      const isLost = document.activeElement === document.body || element.matches(':focus-within');
      if (isLost && opener instanceof HTMLElement) opener.focus();
    };
  }, [at]);

  function items(): HTMLElement[] {
    return [...(menu.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
  }

  function onKeyDown(event: KeyboardEvent): void {
    const all = items();
    const place = all.findIndex((item) => item === document.activeElement);
    const targets: Record<string, number> = {
      ArrowDown: (place + 1) % all.length,
      ArrowUp: (place - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    };
    const target = targets[event.key];
    // Nothing behind the menu gets its keys.
    event.stopPropagation();
    if (target !== undefined) all[target]?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else if (event.key.length === 1 && event.key !== ' ') focusByLetter(all, place, event.key);
    else return;
    event.preventDefault();
  }

  return (
    <div
      ref={menu}
      role="menu"
      class="column-menu"
      aria-label="Table"
      tabIndex={-1}
      popover="auto"
      onToggle={(event) => {
        if (event.newState === 'closed') onClose();
      }}
      onKeyDown={onKeyDown}
    >
      <div role="group" aria-label="Columns">
        {COLUMNS.filter(({ isFixed }) => isFixed !== true).map(({ name, title }) => (
          <Choice
            key={name}
            kind="checkbox"
            title={title}
            isChosen={setup.chosen.value.has(name)}
            onChoose={() => setup.toggleColumn(name)}
          />
        ))}
      </div>
      <div role="group" aria-label="Time" class="column-menu-part">
        <Choice
          kind="radio"
          title="Local time"
          isChosen={setup.timeStyle.value === 'local'}
          onChoose={() => setup.setTimeStyle('local')}
        />
        <Choice
          kind="radio"
          title="Time since the first row"
          isChosen={setup.timeStyle.value === 'relative'}
          onChoose={() => setup.setTimeStyle('relative')}
        />
      </div>
      <div role="none" class="column-menu-part">
        <Choice
          kind="checkbox"
          title="Overview of time"
          isChosen={setup.hasOverview.value}
          onChoose={() => setup.toggleOverview()}
        />
        <button
          type="button"
          role="menuitem"
          class="column-menu-item"
          tabIndex={-1}
          onClick={() => setup.reset()}
        >
          As it was at first
        </button>
      </div>
    </div>
  );
}

interface ChoiceProps {
  kind: 'checkbox' | 'radio';
  title: string;
  isChosen: boolean;
  onChoose: () => void;
}

function Choice({ kind, title, isChosen, onChoose }: ChoiceProps) {
  return (
    <button
      type="button"
      role={kind === 'radio' ? 'menuitemradio' : 'menuitemcheckbox'}
      class="column-menu-item"
      aria-checked={isChosen}
      tabIndex={-1}
      onClick={onChoose}
    >
      {title}
    </button>
  );
}

/** The next one that begins with a letter, from the top again after the last. */
function focusByLetter(all: readonly HTMLElement[], place: number, letter: string): void {
  const inOrder = [...all.slice(place + 1), ...all.slice(0, place + 1)];
  inOrder.find((item) => item.innerText.toLowerCase().startsWith(letter.toLowerCase()))?.focus();
}
