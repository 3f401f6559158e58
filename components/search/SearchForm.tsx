import { useEffect, useRef } from 'preact/hooks';
import type { SearchQuery } from '../../lib/state/search-pattern.ts';
import type { Search } from '../../lib/state/search.ts';

interface SearchFormProps {
  search: Search;
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

/** What is looked for, and how it is meant. */
export function SearchForm({ search, onLeave }: SearchFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const query = search.query.value;
  const { problem } = search.progress.value;
  useEffect(() => {
    field.current?.select();
    return () => clearTimeout(timer.current);
  }, []);

  function change(part: Partial<SearchQuery>, pauseMs = 0): void {
    search.query.value = { ...search.query.value, ...part };
    clearTimeout(timer.current);
    if (pauseMs === 0) search.run();
    else timer.current = setTimeout(() => search.run(), pauseMs);
  }

  return (
    <form
      class="search-form"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        change({});
      }}
    >
      <div class="search-field">
        <input
          ref={field}
          id="search-field"
          type="search"
          class="wire"
          aria-label="Search all traffic"
          placeholder="Find in bodies, headers, URLs, events"
          spellcheck={false}
          autocomplete="off"
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : 'search-problem'}
          value={query.text}
          onInput={(event) => change({ text: event.currentTarget.value }, PAUSE_MS)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return;
            event.preventDefault();
            onLeave();
          }}
        />
        {OPTIONS.map(({ name, sign, title }) => (
          <button
            key={name}
            type="button"
            class={`search-option search-${name}`}
            aria-label={title}
            title={title}
            aria-pressed={query[name]}
            data-sign={sign}
            onClick={() => change({ [name]: !query[name] })}
          />
        ))}
      </div>
      <label class="search-shown" title="Leave out what the filter or Clear hides">
        <input
          type="checkbox"
          checked={search.isShownOnly.value}
          onChange={(event) => {
            search.isShownOnly.value = event.currentTarget.checked;
            change({});
          }}
        />
        Only rows shown
      </label>
      {problem !== undefined && (
        <p id="search-problem" class="error" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
