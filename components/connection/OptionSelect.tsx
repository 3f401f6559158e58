import { useId } from 'preact/hooks';

interface OptionSelectProps<Value extends string> {
  label: string;
  value: Value;
  choices: readonly (readonly [Value, string])[];
  onChange: (value: Value) => void;
  isDisabled?: boolean;
  fault?: string | undefined;
  note?: string | undefined;
}

/** A choice of the options, with what is wrong with it, or why there is none, below. */
export function OptionSelect<Value extends string>(props: OptionSelectProps<Value>) {
  const { label, value, choices, onChange, isDisabled, fault, note } = props;
  const wordsId = useId();
  const words = fault ?? note;
  return (
    <div class="option">
      <label>
        {label}
        <select
          value={value}
          disabled={isDisabled}
          aria-invalid={fault !== undefined}
          aria-describedby={words === undefined ? undefined : wordsId}
          onChange={(event) => {
            const chosen = choices[event.currentTarget.selectedIndex];
            if (chosen !== undefined) onChange(chosen[0]);
          }}
        >
          {choices.map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {words !== undefined && (
        <p id={wordsId} class={fault === undefined ? 'dim' : 'error'}>
          {words}
        </p>
      )}
    </div>
  );
}
