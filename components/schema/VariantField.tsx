import { useId } from 'preact/hooks';
import type { Variant } from '../../lib/schema/field.ts';
import { VisibleText } from '../json/VisibleText.tsx';
import { FieldTitle } from './FieldTitle.tsx';
import type { FieldProps } from './field-props.ts';

/** A part that may be of several kinds: which one, and then that one. What the others held is kept for later. */
export function VariantField(props: FieldProps & { variants: readonly Variant[] }) {
  const { form, part, path, variants, isRequired, actions, View } = props;
  const id = useId();
  const isGiven = form.nodeAt(path) !== undefined;
  const isItem = typeof path.at(-1) === 'number';
  const at = form.variantAt(path, variants);
  const shownAt = isGiven ? at : -1;
  const variant = variants[shownAt];
  const fault = form.faultAt(path);
  const { description = '' } = form.fieldOf(part);
  return (
    <div class="field-group field-variants" role="group" aria-labelledby={`${id}-title`}>
      <div class="field-head">
        <label id={`${id}-title`} htmlFor={`${id}-control`}>
          <FieldTitle {...props} />
        </label>
        <select
          id={`${id}-control`}
          aria-describedby={`${id}-hint`}
          aria-invalid={fault !== undefined && variant === undefined}
          aria-required={isRequired}
          value={String(shownAt)}
          onChange={({ currentTarget: { value } }) => {
            if (value === '-1') form.remove(path);
            else form.choose(path, variants, Number(value));
          }}
        >
          {!isItem && path.length > 0 && <option value="-1">not given</option>}
          {path.length === 0 && !isGiven && <option value="-1">choose</option>}
          {variants.map(({ title }, index) => (
            <option key={index} value={String(index)}>
              {title}
            </option>
          ))}
        </select>
        {actions}
      </div>
      <p id={`${id}-hint`} class="dim field-hint">
        <VisibleText text={description} />
      </p>
      {variant === undefined ? (
        <p class="error">{fault}</p>
      ) : form.fieldOf(variant.schema).shape.kind === 'null' ? null : (
        <View
          View={View}
          key={shownAt}
          form={form}
          part={variant.schema}
          path={path}
          name={variant.title}
          isRequired={false}
          isChosen
          // The choice above leaves it out.
          actions={null}
        />
      )}
    </div>
  );
}
