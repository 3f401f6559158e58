import type { CompareModel } from '../../lib/state/captures/compare-model.ts';

interface BarProps {
  model: CompareModel;
  onSwap: () => void;
  onBack: () => void;
}

/** What is compared with what, and how strictly. */
export function CompareBar({ model, onSwap, onBack }: BarProps) {
  const { before, after, onlyDifferences, isLenient } = model;
  return (
    <header class="compare-bar">
      <button type="button" class="bordered" onClick={onBack}>
        <span aria-hidden="true">‹ </span>All captures
      </button>
      <h3>
        {before.name} <span aria-hidden="true">→</span>
        <span class="visually-hidden">compared with</span> {after.name}
      </h3>
      <button type="button" onClick={onSwap} title="Compare the other way round">
        <span aria-hidden="true">⇄ </span>Swap
      </button>
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
    </header>
  );
}
