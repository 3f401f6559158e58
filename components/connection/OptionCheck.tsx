import type { Signal } from '@preact/signals';

/** A yes or no of the options. */
export function OptionCheck({ label, value }: { label: string; value: Signal<boolean> }) {
  return (
    <label class="option-check">
      <input
        type="checkbox"
        checked={value.value}
        onChange={(event) => (value.value = event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}
