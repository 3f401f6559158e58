import type { CompareModel } from '../../lib/state/captures/compare-model.ts';
import { CompareSwitches } from './CompareSwitches.tsx';

interface BarProps {
  model: CompareModel;
  onSwap: () => void;
  onBack: () => void;
}

/** What is compared with what, and how strictly. */
export function CompareBar({ model, onSwap, onBack }: BarProps) {
  const { before, after } = model;
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
      <CompareSwitches onlyDifferences={model.onlyDifferences} isLenient={model.isLenient} />
    </header>
  );
}
