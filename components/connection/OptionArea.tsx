import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';

interface OptionAreaProps {
  label: string;
  value: Signal<string>;
  fault: string | undefined;
}

/** A field of the options for text of several lines, with what is wrong with it below. */
export function OptionArea({ label, value, fault }: OptionAreaProps) {
  const faultId = useId();
  return (
    <div class="option">
      <label>
        {label}
        <textarea
          rows={3}
          spellcheck={false}
          autocomplete="off"
          aria-invalid={fault !== undefined}
          aria-describedby={fault === undefined ? undefined : faultId}
          value={value.value}
          onInput={(event) => (value.value = event.currentTarget.value)}
        />
      </label>
      {fault !== undefined && (
        <p id={faultId} class="error">
          {fault}
        </p>
      )}
    </div>
  );
}
