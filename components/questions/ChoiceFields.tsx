import type { ComponentChildren } from 'preact';
import type { FieldInput, FieldValue } from '../../lib/state/elicitation-fields.ts';
import { VisibleText } from '../json/VisibleText.tsx';

interface ChoiceFieldsProps {
  title: ComponentChildren;
  input: Extract<FieldInput, { kind: 'choices' }>;
  value: FieldValue;
  describedBy: string;
  onChange: (value: FieldValue) => void;
}

/** A field of which several values can be chosen. */
export function ChoiceFields({ title, input, value, describedBy, onChange }: ChoiceFieldsProps) {
  const chosen: readonly number[] = typeof value === 'object' ? value : [];
  return (
    <fieldset class="field-choices" aria-describedby={describedBy}>
      <legend>{title}</legend>
      {input.choices.map((choice, index) => (
        <label key={choice.json} title={choice.json}>
          <input
            type="checkbox"
            checked={chosen.includes(index)}
            onChange={(event) => {
              const others = chosen.filter((other) => other !== index);
              onChange(event.currentTarget.checked ? [...others, index] : others);
            }}
          />
          <VisibleText text={choice.title} />
        </label>
      ))}
    </fieldset>
  );
}
