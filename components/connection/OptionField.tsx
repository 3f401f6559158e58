import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';

interface OptionFieldProps {
  id?: string;
  label: string;
  value: Signal<string>;
  fault: string | undefined;
  isNumber?: boolean;
  placeholder?: string;
}

/** A field of the options, with what is wrong with it below. */
export function OptionField(props: OptionFieldProps) {
  const { label, value, fault, isNumber = false, placeholder } = props;
  const faultId = useId();
  return (
    <div class="option">
      <label>
        {label}
        <input
          id={props.id}
          type="text"
          class={isNumber ? undefined : 'wire'}
          inputMode={isNumber ? 'decimal' : undefined}
          size={isNumber ? 6 : 20}
          placeholder={placeholder}
          autocomplete="off"
          spellcheck={false}
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
