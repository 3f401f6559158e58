import type { Signal } from '@preact/signals';

interface SwitchesProps {
  onlyDifferences: Signal<boolean>;
  isLenient: Signal<boolean>;
}

/** What of a comparison is shown, and what counts as different. */
export function CompareSwitches({ onlyDifferences, isLenient }: SwitchesProps) {
  return (
    <>
      <label>
        <input
          type="checkbox"
          checked={onlyDifferences.value}
          onChange={(event) => (onlyDifferences.value = event.currentTarget.checked)}
        />
        Only differences
      </label>
      <label title="Values that are new in every run: ids, times, durations, progress tokens, cursors">
        <input
          type="checkbox"
          checked={isLenient.value}
          onChange={(event) => (isLenient.value = event.currentTarget.checked)}
        />
        Ignore ids and times
      </label>
    </>
  );
}
