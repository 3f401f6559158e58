import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { VisibleText } from '../json/VisibleText.tsx';
import { FieldTitle } from './FieldTitle.tsx';
import type { FieldProps } from './field-props.ts';

interface GroupFrameProps extends FieldProps {
  /** What it holds, in words: `an object`. */
  what: string;
  /** Absent where it is not given. */
  children?: ComponentChildren;
}

/** A part that holds others, in a frame of its own; what is not given can be added, and left out again. */
export function GroupFrame(props: GroupFrameProps) {
  const { form, part, path, name, what, actions, children } = props;
  const id = useId();
  const isGiven = children !== undefined;
  const isItem = typeof path.at(-1) === 'number';
  const fault = form.faultAt(path);
  const { description = '', title } = form.fieldOf(part);
  return (
    <fieldset
      class={`field-group${isGiven ? '' : ' is-absent'}${fault === undefined ? '' : ' is-invalid'}`}
      aria-describedby={`${id}-hint ${id}-fault`}
    >
      <legend>
        <FieldTitle {...props} />
        {title !== undefined && title !== name && name !== '' && (
          <code class="dim">
            <VisibleText text={name} />
          </code>
        )}
        {actions}
        {path.length > 0 && !isItem && actions === undefined && (
          <button
            type="button"
            class="link"
            aria-label={isGiven ? `Leave out ${name}` : `Add ${name}`}
            title={isGiven ? 'Leave it out' : `Add ${what}`}
            onClick={() => (isGiven ? form.remove(path) : form.add(path, part))}
          >
            {isGiven ? 'Leave out' : 'Add'}
          </button>
        )}
      </legend>
      <p id={`${id}-hint`} class="dim field-hint">
        <VisibleText text={description} />
      </p>
      {children}
      <p id={`${id}-fault`} class="error">
        {fault}
      </p>
    </fieldset>
  );
}
