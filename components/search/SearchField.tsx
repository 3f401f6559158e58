import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { SearchQuery } from '../../lib/state/search/search-pattern.ts';
import './SearchField.css';

interface SearchFieldProps {
  id: string;
  label: string;
  placeholder: string;
  query: Signal<SearchQuery>;
  problem: string | undefined;
  /** Whether what stands in it is to be typed over at once. */
  isSelected?: boolean;
  /** The query has changed, and nobody types on. */
  onChange: () => void;
  /** The arrow key that leads out of the field, to what was found. */
  onLeave: () => void;
}

/** Who types on is not done yet, in ms. */
const PAUSE_MS = 250;

const OPTIONS = [
  { name: 'isCaseSensitive', sign: 'Aa', title: 'Match case' },
  { name: 'isWholeWord', sign: 'ab', title: 'Whole words only' },
  { name: 'isRegex', sign: '.*', title: 'Regular expression' },
] as const;

/** A field for what is looked for, and how it is meant. */
export function SearchField(props: SearchFieldProps) {
  const { id, label, placeholder, query, problem, isSelected = false, onChange, onLeave } = props;
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    if (isSelected) field.current?.select();
    return () => clearTimeout(timer.current);
  }, []);

  function change(part: Partial<SearchQuery>, pauseMs: number): void {
    query.value = { ...query.value, ...part };
    clearTimeout(timer.current);
    if (pauseMs === 0) onChange();
    else timer.current = setTimeout(onChange, pauseMs);
  }

  return (
    <>
      <div class="search-field">
        <input
          ref={field}
          id={id}
          type="search"
          class="wire"
          aria-label={label}
          placeholder={placeholder}
          spellcheck={false}
          autocomplete="off"
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          value={query.value.text}
          onInput={(event) => change({ text: event.currentTarget.value }, PAUSE_MS)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              event.preventDefault();
              change({}, 0);
            } else if (event.key === 'ArrowDown') {
              event.preventDefault();
              onLeave();
            }
          }}
        />
        {OPTIONS.map(({ name, sign, title }) => (
          <button
            key={name}
            type="button"
            class={`search-option search-${name}`}
            aria-label={title}
            title={title}
            aria-pressed={query.value[name]}
            data-sign={sign}
            onClick={() => change({ [name]: !query.value[name] }, 0)}
          />
        ))}
      </div>
      {problem !== undefined && (
        <p id={`${id}-problem`} class="error" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
