import { ChoiceSelect, type Choice } from '../ui/ChoiceSelect.tsx';

interface LabSelectProps<Value extends string> {
  label: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onChange: (value: Value) => void;
}

/** A choice with its label before it. */
export function LabSelect<Value extends string>({ label, ...choice }: LabSelectProps<Value>) {
  return (
    <label class="lab-field">
      <span>{label}</span>
      <ChoiceSelect {...choice} />
    </label>
  );
}
