import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';

interface OptionFieldProps {
  id?: string;
  label: string;
  value: Signal<string>;
  fault: string | undefined;
  isNumber?: boolean;
  /** Not shown while it is typed. */
  isSecret?: boolean;
  placeholder?: string;
}

/** A field of the options, with what is wrong with it below. */
export function OptionField(props: OptionFieldProps) {
  const { label, value, fault, isNumber = false, isSecret = false, placeholder } = props;
  const faultId = useId();
  const common = {
    id: props.id,
    size: isNumber ? 6 : 20,
    placeholder,
    autocomplete: 'off',
    spellcheck: false,
    'aria-invalid': fault !== undefined,
    'aria-describedby': fault === undefined ? undefined : faultId,
    value: value.value,
    onInput: (event: { currentTarget: HTMLInputElement }) =>
      (value.value = event.currentTarget.value),
  };
  return (
    <div class="option">
      <label>
        {label}
        {isSecret ? (
          <input type="password" class="wire" {...common} />
        ) : (
          <input
            type="text"
            class={isNumber ? undefined : 'wire'}
            inputMode={isNumber ? 'decimal' : undefined}
            {...common}
          />
        )}
      </label>
      {fault !== undefined && (
        <p id={faultId} class="error">
          {fault}
        </p>
      )}
    </div>
  );
}
