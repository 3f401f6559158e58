import type { Search } from '../../lib/state/search/search.ts';
import { SearchField } from './SearchField.tsx';

interface SearchFormProps {
  search: Search;
  /** The arrow key that leads out of the field, to what was found. */
  onLeave: () => void;
}

/** What is looked for, how it is meant, and where. */
export function SearchForm({ search, onLeave }: SearchFormProps) {
  return (
    <form class="search-form" role="search" onSubmit={(event) => event.preventDefault()}>
      <SearchField
        id="search-field"
        label="Search all traffic"
        placeholder="Find in bodies, headers, URLs, events"
        query={search.query}
        problem={search.progress.value.problem}
        isSelected
        onChange={() => search.run()}
        onLeave={onLeave}
      />
      <label class="search-shown" title="Leave out what the filter or Clear hides">
        <input
          type="checkbox"
          checked={search.isShownOnly.value}
          onChange={(event) => {
            search.isShownOnly.value = event.currentTarget.checked;
            search.run();
          }}
        />
        Only rows shown
      </label>
    </form>
  );
}
