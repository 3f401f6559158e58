import type { ComponentChildren } from 'preact';
import { VisibleText } from '../json/VisibleText.tsx';
import { FieldTitle } from './FieldTitle.tsx';
import type { FieldProps } from './field-props.ts';

interface FieldFrameProps extends FieldProps {
  id: string;
  /** What the schema allows, as far as its title does not say it. */
  hints: readonly string[];
  fault: string | undefined;
  children: ComponentChildren;
}

/** A field with its title, what its schema says of it, and what is wrong with it. */
export function FieldFrame(props: FieldFrameProps) {
  const { id, form, part, fault, hints, actions, children } = props;
  const { description, isDeprecated } = form.fieldOf(part);
  const words = [isDeprecated ? 'deprecated' : '', description ?? '', ...hints].filter(Boolean);
  return (
    <div class="field">
      <div class="field-head">
        <label htmlFor={`${id}-control`}>
          <FieldTitle {...props} />
        </label>
        {actions}
      </div>
      {children}
      <p id={`${id}-hint`} class="dim field-hint">
        <VisibleText text={words.join(' · ')} />
      </p>
      <p id={`${id}-fault`} class="error">
        {fault}
      </p>
    </div>
  );
}
