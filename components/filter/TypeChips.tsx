import type { ReadonlySignal, Signal } from '@preact/signals';
import { TYPE_CHIPS } from '../../lib/state/filter/filter-types.ts';
import type { TypeChip } from '../../lib/state/filter/filter-types.ts';
import { TYPE_TITLES } from '../../lib/state/filter/filter-words.ts';

interface TypeChipsProps {
  chosen: Signal<ReadonlySet<TypeChip>>;
  issues: ReadonlySignal<number>;
}

/** The types of rows to choose from: one by a click, several with Ctrl or Cmd. One tab stop, arrows within. */
export function TypeChips({ chosen, issues }: TypeChipsProps) {
  const types = chosen.value;

  function choose(chip: TypeChip | undefined, isAdded: boolean): void {
    if (chip === undefined) chosen.value = new Set();
    else if (!isAdded) chosen.value = new Set([chip]);
    else {
      const next = new Set(types);
      if (!next.delete(chip)) next.add(chip);
      chosen.value = next;
    }
  }

  function onKeyDown(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const at = buttons.findIndex((button) => button === event.target);
    const moves: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: buttons.length - 1,
    };
    const next = moves[event.key];
    if (next !== undefined) {
      event.preventDefault();
      buttons.at(next % buttons.length)?.focus();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      // Browsers press a button by Enter only without these keys.
      event.preventDefault();
      choose(TYPE_CHIPS[at - 1], true);
    }
  }

  const first = TYPE_CHIPS.find((chip) => types.has(chip));
  return (
    <div
      role="toolbar"
      tabIndex={-1}
      class="chips"
      aria-label="Types of rows"
      onKeyDown={onKeyDown}
    >
      {[undefined, ...TYPE_CHIPS].map((chip) => (
        <button
          key={chip ?? 'all'}
          type="button"
          class="chip"
          tabIndex={chip === first ? 0 : -1}
          aria-pressed={chip === undefined ? types.size === 0 : types.has(chip)}
          title={chip === undefined ? undefined : 'Ctrl or Cmd with a click chooses several'}
          onClick={(event) => choose(chip, event.ctrlKey || event.metaKey)}
        >
          {chip === undefined ? 'All' : TYPE_TITLES[chip]}
          {chip === 'issues' && issues.value > 0 && ` (${issues.value.toLocaleString('en')})`}
        </button>
      ))}
    </div>
  );
}
