import { VisibleText } from '../json/VisibleText.tsx';
import type { FieldProps } from './field-props.ts';

/** How a field is called, and whether it has to be given. */
export function FieldTitle({ form, part, name, isRequired }: FieldProps) {
  const { title = name } = form.fieldOf(part);
  return (
    <span title={name}>
      <VisibleText text={title === '' ? 'value' : title} />
      {isRequired && name !== '' && <span class="dim"> (required)</span>}
    </span>
  );
}
