import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { createFilterBox } from '../../lib/state/filter/filter-box.ts';
import type { TrafficView } from '../../lib/state/view/traffic-view.ts';

/** The field of the filter, with a list of how it could go on. */
export function FilterBox({ filter }: { filter: TrafficView['filter'] }) {
  const [box] = useState(() => createFilterBox(filter));
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const options = box.options.value;
  const active = box.active.value;
  const isOpen = options.length > 0;

  useLayoutEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  function accept(index?: number): boolean {
    const caret = box.accept(index);
    const field = input.current;
    if (caret === undefined || field === null) return false;
    // Now, not with the next drawing: the caret has to stand in the new text.
    field.value = filter.text.value;
    field.focus();
    field.setSelectionRange(caret, caret);
    return true;
  }

  function onKeyDown(event: KeyboardEvent & { currentTarget: HTMLInputElement }): void {
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    const caret = event.currentTarget.selectionStart ?? 0;
    const keys: Record<string, () => boolean> = {
      ArrowDown: () => (box.move(1, caret), true),
      ArrowUp: () => (box.move(-1, caret), true),
      Enter: () => accept() || (box.close(), true),
      Tab: () => !event.shiftKey && accept(box.offered()),
      Escape: () => leave(),
    };
    if (keys[event.key]?.() !== true) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The list goes first, then the text; after that the key is for others. */
  function leave(): boolean {
    box.close();
    if (isOpen) return true;
    if (filter.text.value === '') return false;
    filter.text.value = '';
    return true;
  }

  return (
    <div class="filter-box">
      <input
        ref={input}
        id="filter"
        class="wire"
        type="text"
        role="combobox"
        aria-label="Filter"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls="filter-options"
        aria-activedescendant={active < 0 ? undefined : optionId(active)}
        aria-invalid={filter.problem.value !== undefined}
        aria-describedby="filter-problem"
        placeholder="Filter: text, /regex/, method:tools/call, -kind:notification"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={filter.text.value}
        onFocus={() => filter.prepare()}
        onBlur={() => box.close()}
        onInput={({ currentTarget: field }) =>
          box.type(field.value, field.selectionStart ?? field.value.length)
        }
        onClick={() => box.close()}
        onKeyDown={onKeyDown}
      />
      <div
        ref={list}
        id="filter-options"
        class="filter-options"
        role="listbox"
        aria-label="Ways to go on"
        hidden={!isOpen}
      >
        {options.map(({ label, hint }, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the keys and the focus
          <div
            key={label}
            id={optionId(index)}
            role="option"
            aria-selected={index === active}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => accept(index)}
          >
            <span class="filter-label">{label}</span>
            {hint !== '' && <span class="filter-hint">{hint}</span>}
          </div>
        ))}
      </div>
    </div>
  );
}

function optionId(index: number): string {
  return `filter-option-${index}`;
}
