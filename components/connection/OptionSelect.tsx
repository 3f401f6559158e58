import { useId } from 'preact/hooks';
import { ChoiceSelect, type Choice } from '../ui/ChoiceSelect.tsx';

interface OptionSelectProps<Value extends string> {
  label: string;
  value: Value;
  choices: readonly Choice<Value>[];
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
        <ChoiceSelect
          value={value}
          choices={choices}
          onChange={onChange}
          isDisabled={isDisabled}
          isInvalid={fault !== undefined}
          describedBy={words === undefined ? undefined : wordsId}
        />
      </label>
      {words !== undefined && (
        <p id={wordsId} class={fault === undefined ? 'dim' : 'error'}>
          {words}
        </p>
      )}
    </div>
  );
}
