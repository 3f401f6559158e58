/** A value, and what it is called. */
export type Choice<Value extends string> = readonly [Value, string];

interface ChoiceSelectProps<Value extends string> {
  value: Value;
  choices: readonly Choice<Value>[];
  onChange: (value: Value) => void;
  isDisabled?: boolean | undefined;
  isInvalid?: boolean;
  describedBy?: string | undefined;
}

/** A list to choose one of some values from. */
export function ChoiceSelect<Value extends string>(props: ChoiceSelectProps<Value>) {
  const { value, choices, onChange, isDisabled, isInvalid, describedBy } = props;
  return (
    <select
      value={value}
      disabled={isDisabled}
      aria-invalid={isInvalid}
      aria-describedby={describedBy}
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
  );
}
