import { useId } from 'preact/hooks';
import type { Choice, Shape } from '../../lib/schema/field.ts';
import { VisibleText } from '../json/VisibleText.tsx';
import { FieldTitle } from './FieldTitle.tsx';
import type { FieldProps } from './field-props.ts';
import { chosenAmong } from './shown-choices.ts';

interface ChoicesFieldProps extends FieldProps {
  choices: readonly Choice[];
  shape: Shape & { kind: 'array' };
}

/** Several of the values that a schema names. */
export function ChoicesField(props: ChoicesFieldProps) {
  const { form, part, path, name, choices, shape, actions, isRequired } = props;
  const id = useId();
  const chosen = chosenAmong(form, path, choices) ?? [];
  const fault = form.faultAt(path, true);
  const { description = '' } = form.fieldOf(part);
  const isGiven = form.nodeAt(path) !== undefined;

  function toggle(json: string, isChosen: boolean): void {
    const next = choices
      .map((choice) => choice.json)
      .filter((each) => (each === json ? isChosen : chosen.includes(each)));
    if (next.length === 0 && !isRequired && typeof path.at(-1) !== 'number') form.remove(path);
    else form.set(path, `[${next.join(', ')}]`);
  }

  const limits = [
    shape.minItems === undefined ? '' : `at least ${shape.minItems}`,
    shape.maxItems === undefined ? '' : `at most ${shape.maxItems}`,
  ].filter(Boolean);
  return (
    <fieldset
      class={`field field-choices${fault === undefined ? '' : ' is-invalid'}`}
      aria-describedby={`${id}-hint ${id}-fault`}
    >
      <legend>
        <FieldTitle {...props} />
      </legend>
      {choices.map((choice) => (
        <label key={choice.json} title={choice.json}>
          <input
            type="checkbox"
            checked={chosen.includes(choice.json)}
            onChange={(event) => toggle(choice.json, event.currentTarget.checked)}
          />
          <VisibleText text={choice.title} />
        </label>
      ))}
      {actions}
      {chosen.length === 0 && typeof path.at(-1) !== 'number' && (
        <button
          type="button"
          class="link"
          aria-label={isGiven ? `Leave out ${name}` : `Send empty ${name}`}
          onClick={() => (isGiven ? form.remove(path) : form.set(path, '[]'))}
        >
          {isGiven ? 'Leave out' : 'Send empty'}
        </button>
      )}
      <p id={`${id}-hint`} class="dim field-hint">
        <VisibleText text={[description, limits.join(', ')].filter(Boolean).join(' · ')} />
      </p>
      <p id={`${id}-fault`} class="error">
        {fault}
      </p>
    </fieldset>
  );
}
