import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MenuEntry } from '../../lib/state/commands/context-menu.ts';
import { ariaKeys, nameKeys } from '../../lib/state/commands/shortcuts.ts';
import type { Keys } from '../../lib/state/commands/shortcuts.ts';
import { IS_MAC } from '../commands/keyboard.ts';
import { placeBeside } from './place-menu.ts';
import type { Place } from './place-menu.ts';

type Choosable = Exclude<MenuEntry, { kind: 'separator' }>;

interface MenuListProps {
  label: string;
  entries: readonly MenuEntry[];
  place: (menu: DOMRect) => Place;
  /** The keys that do the same without the menu. */
  keysOf: (entry: MenuEntry) => Keys | undefined;
  /** The first entry takes the focus; else the menu itself, until an arrow key is pressed. */
  startsAtFirst: boolean;
  onRun: (run: () => void) => void;
  /** Escape, or the arrow that leads back. */
  onBack: (key: 'Escape' | 'ArrowLeft') => void;
  /** Tab leads out of all menus. */
  onLeave: () => void;
}

/** Letters typed within this time look for an entry together, in ms. */
const TYPE_AHEAD_MS = 600;
/** A pointer on its way to another entry crosses some without meaning them. */
const HOVER_MS = 140;

/** One level of a menu. The entry with the focus is the chosen one; letters lead to what begins with them. */
export function MenuList(props: MenuListProps) {
  const { label, entries, place, keysOf, startsAtFirst, onRun, onBack, onLeave } = props;
  const menu = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<Place>();
  /** The submenu that is open. A pointer opens it without choosing anything in it. */
  const [open, setOpen] = useState<{ id: string; startsAtFirst: boolean }>();
  const typed = useRef({ letters: '', time: 0 });
  const hover = useRef(0);

  useLayoutEffect(() => {
    if (menu.current === null) return;
    setAt(place(menu.current.getBoundingClientRect()));
  }, []);
  useLayoutEffect(() => {
    // What is hidden takes no focus.
    if (at === undefined) return;
    if (startsAtFirst) move(() => 0);
    else menu.current?.focus();
  }, [at]);
  useEffect(() => () => clearTimeout(hover.current), []);

  /** Moves the focus; `to` tells the index from the current one, -1 for none, and the number of entries. */
  function move(to: (from: number, count: number) => number): void {
    const items = [
      ...(menu.current?.querySelectorAll<HTMLElement>(':scope > [role^=menuitem]') ?? []),
    ];
    const from = items.findIndex((item) => item === document.activeElement);
    items[(to(from, items.length) + items.length) % items.length]?.focus();
  }

  function typeAhead(letter: string): void {
    const now = performance.now();
    const { letters, time } = typed.current;
    const sought = (now - time < TYPE_AHEAD_MS ? letters : '') + letter.toLowerCase();
    typed.current = { letters: sought, time: now };
    const titles = entries
      .filter((entry): entry is Choosable => entry.kind !== 'separator')
      .map(({ title }) => title.toLowerCase());
    // One letter over and over goes from one entry to the next.
    const isOver = new Set(sought).size === 1;
    move((from, count) => {
      const first = isOver ? from + 1 : Math.max(from, 0);
      for (let step = 0; step < count; step += 1) {
        const index = (first + step) % count;
        if (titles[index]?.startsWith(isOver ? letter.toLowerCase() : sought)) return index;
      }
      return Math.max(from, 0);
    });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // Nothing under a menu hears its keys.
    event.stopPropagation();
    const entry = entries.find((other) => 'id' in other && other.id === focusedId());
    const steps: Record<string, () => void> = {
      ArrowDown: () => move((from) => from + 1),
      ArrowUp: () => move((from, count) => (from < 0 ? count - 1 : from - 1)),
      Home: () => move(() => 0),
      End: () => move((_, count) => count - 1),
      ArrowRight: () => entry?.kind === 'submenu' && setOpen({ id: entry.id, startsAtFirst: true }),
      ArrowLeft: () => onBack('ArrowLeft'),
      Escape: () => onBack('Escape'),
      Tab: onLeave,
    };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      typed.current.letters = '';
      step();
    } else if (event.key.length === 1 && event.key !== ' ') {
      event.preventDefault();
      typeAhead(event.key);
    }
  }

  function focusedId(): string | undefined {
    const { activeElement } = document;
    return activeElement instanceof HTMLElement ? activeElement.dataset['id'] : undefined;
  }

  /** A click that a key has made has no count. */
  function choose(entry: Choosable, isByKey: boolean): void {
    clearTimeout(hover.current);
    if (entry.kind === 'submenu') setOpen({ id: entry.id, startsAtFirst: isByKey });
    else onRun(entry.run);
  }

  /** Not where a menu opens under a pointer at rest: whoever uses the keyboard means something else. */
  function onPointerMove(entry: Choosable, item: HTMLElement): void {
    if (item === document.activeElement) return;
    clearTimeout(hover.current);
    if (entry.kind === 'submenu' && entry.id === open?.id) return;
    item.focus({ preventScroll: true });
    hover.current = window.setTimeout(
      () => setOpen(entry.kind === 'submenu' ? { id: entry.id, startsAtFirst: false } : undefined),
      HOVER_MS,
    );
  }

  function renderSubmenu(entry: Choosable): VNode | false {
    if (entry.kind !== 'submenu' || entry.id !== open?.id) return false;
    const item = () =>
      menu.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(entry.id)}"]`);
    return (
      <MenuList
        key={`${entry.id} open`}
        label={entry.title}
        entries={entry.entries}
        place={(size) => placeBeside(size, item()?.getBoundingClientRect() ?? size)}
        keysOf={keysOf}
        startsAtFirst={open.startsAtFirst}
        onRun={onRun}
        onBack={() => {
          setOpen(undefined);
          item()?.focus();
        }}
        onLeave={onLeave}
      />
    );
  }

  return (
    <>
      <div
        ref={menu}
        role="menu"
        class="menu"
        aria-label={label}
        tabIndex={-1}
        style={
          at === undefined ? { visibility: 'hidden' } : { left: `${at.left}px`, top: `${at.top}px` }
        }
        onKeyDown={onKeyDown}
      >
        {entries.map((entry, index) =>
          entry.kind === 'separator' ? (
            <hr key={index} class="menu-line" />
          ) : (
            <button
              key={entry.id}
              type="button"
              role={entry.kind === 'choice' ? 'menuitemradio' : 'menuitem'}
              class="menu-item"
              data-id={entry.id}
              tabIndex={-1}
              aria-keyshortcuts={ariaKeysOf(keysOf(entry))}
              aria-checked={entry.kind === 'choice' ? entry.isChosen : undefined}
              aria-haspopup={entry.kind === 'submenu' ? 'menu' : undefined}
              aria-expanded={entry.kind === 'submenu' ? entry.id === open?.id : undefined}
              onClick={(event) => choose(entry, event.detail === 0)}
              onPointerMove={(event) => onPointerMove(entry, event.currentTarget)}
            >
              {entry.kind === 'choice' && (
                <span class="menu-check" aria-hidden="true">
                  {entry.isChosen && '✓'}
                </span>
              )}
              <span class="menu-title">{entry.title}</span>
              <KeyHint keys={keysOf(entry)} />
              {entry.kind === 'submenu' && <span aria-hidden="true">›</span>}
            </button>
          ),
        )}
      </div>
      {entries.map((entry) => entry.kind !== 'separator' && renderSubmenu(entry))}
    </>
  );
}

function ariaKeysOf(keys: Keys | undefined): string | undefined {
  return keys && ariaKeys(keys);
}

/** For the eye; `aria-keyshortcuts` says it to others. */
function KeyHint({ keys }: { keys: Keys | undefined }) {
  return keys === undefined ? null : <kbd aria-hidden="true">{nameKeys(keys, IS_MAC)}</kbd>;
}
