import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Completer } from '../../lib/state/server/schema-form.ts';
import { VisibleText } from '../json/VisibleText.tsx';

interface CompletionListProps {
  completer: Completer | undefined;
  /** Of the field, as the server knows it. */
  name: string;
  onChoose: (value: string) => void;
  field: LineAttributes;
}

interface LineAttributes {
  id: string;
  inputMode: 'decimal' | 'text';
  placeholder: string;
  value: string;
  autocomplete: 'off';
  spellcheck: false;
  'aria-describedby': string;
  'aria-invalid': boolean;
  'aria-required': boolean;
  onInput: (event: { currentTarget: HTMLInputElement }) => void;
}

/** A field of one line, with a list of what the server proposes for it. */
export function CompletionList({ completer, name, onChoose, field }: CompletionListProps) {
  const id = useId();
  const active = useSignal(-1);
  const offered = completer?.options.value;
  const own = offered?.name === name ? offered : undefined;
  // What stands there already is no proposal.
  const values = own?.values.filter((value) => value !== field.value) ?? [];
  const isOpen = values.length > 0 || (own !== undefined && own.note !== '');
  if (completer === undefined) return <input type="text" {...field} />;

  function choose(value: string | undefined): void {
    if (value === undefined) return;
    onChoose(value);
    completer?.leave();
    active.value = -1;
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (!isOpen) {
      // Who opens the list wants to see what there is.
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      completer?.type(name, field.value);
      return;
    }
    const keys: Record<string, () => void> = {
      ArrowDown: () => (active.value = Math.min(active.value + 1, values.length - 1)),
      ArrowUp: () => (active.value = Math.max(active.value - 1, -1)),
      Escape: () => completer?.leave(),
    };
    if (active.value >= 0) keys['Enter'] = () => choose(values[active.value]);
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  return (
    <div class="completion">
      <input
        type="text"
        {...field}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={active.value < 0 ? undefined : `${id}-${active.value}`}
        onBlur={() => {
          active.value = -1;
          completer.leave();
        }}
        onKeyDown={onKeyDown}
      />
      <div class="completion-list" hidden={!isOpen}>
        <div id={`${id}-list`} role="listbox" aria-label={`Proposals for ${name}`}>
          {values.map((value, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the keys and the focus
            <div
              key={value}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active.value}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(value)}
            >
              <VisibleText text={value} />
            </div>
          ))}
        </div>
        {own !== undefined && own.note !== '' && <p class="dim">{own.note}</p>}
      </div>
    </div>
  );
}
