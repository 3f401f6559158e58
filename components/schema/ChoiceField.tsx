import { useId } from 'preact/hooks';
import { parseExact, writeExact } from '../../lib/json/exact.ts';
import type { Choice } from '../../lib/schema/field.ts';
import { FieldFrame } from './FieldFrame.tsx';
import type { FieldProps } from './field-props.ts';

/** One of the values that a schema names. What it holds beside them is kept, and shown as it is. */
export function ChoiceField(props: FieldProps & { choices: readonly Choice[] }) {
  const { form, path, choices, isRequired } = props;
  const id = useId();
  const isItem = typeof path.at(-1) === 'number';
  const fault = form.faultAt(path);
  const source = form.sourceAt(path);
  const held = source === undefined ? undefined : writeExact(parseExact(source));
  const chosen = choices.findIndex(({ json }) => json === held);
  const isOther = held !== undefined && chosen < 0;
  return (
    <FieldFrame {...props} id={id} hints={[]} fault={fault}>
      <select
        id={`${id}-control`}
        aria-describedby={`${id}-hint ${id}-fault`}
        aria-invalid={fault !== undefined}
        aria-required={isRequired}
        value={isOther ? 'other' : chosen < 0 ? '' : String(chosen)}
        onChange={({ currentTarget: { value } }) => {
          const choice = choices[Number(value)];
          if (value === '') form.remove(path);
          else if (value !== 'other' && choice !== undefined) form.set(path, choice.json);
        }}
      >
        {!isItem && <option value="">not given</option>}
        {isOther && <option value="other">{source}</option>}
        {choices.map(({ title, json }, index) => (
          <option key={json} value={String(index)}>
            {title}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
