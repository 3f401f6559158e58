import { useId } from 'preact/hooks';
import type { FieldInput, FieldValue, FormField } from '../../lib/state/elicitation-fields.ts';
import { VisibleText } from '../json/VisibleText.tsx';
import { ChoiceFields } from './ChoiceFields.tsx';

interface FieldRowProps {
  field: FormField;
  value: FieldValue;
  fault: string | undefined;
  onChange: (value: FieldValue) => void;
}

/** A field of a form with its title, description and fault. */
export function FieldRow(props: FieldRowProps) {
  const { field, fault } = props;
  const id = useId();
  const hints = [field.description, ...toLimits(field.input)].filter((hint) => hint !== undefined);
  const describedBy = `${id}-hint ${id}-fault`;
  return (
    <div class="field">
      {field.input.kind === 'choices' ? (
        <ChoiceFields
          title={<FieldTitle field={field} />}
          input={field.input}
          value={props.value}
          describedBy={describedBy}
          onChange={props.onChange}
        />
      ) : (
        <label
          htmlFor={`${id}-control`}
          class={field.input.kind === 'boolean' ? 'field-check' : 'field-label'}
        >
          <FieldTitle field={field} />
          <FieldControl {...props} id={`${id}-control`} describedBy={describedBy} />
        </label>
      )}
      <p id={`${id}-hint`} class="dim">
        <VisibleText text={hints.join(' · ')} />
      </p>
      <p id={`${id}-fault`} class="error">
        {fault}
      </p>
    </div>
  );
}

function FieldTitle({ field }: { field: FormField }) {
  return (
    <span title={field.name}>
      <VisibleText text={field.title} />
      {field.isRequired && <span class="dim"> (required)</span>}
    </span>
  );
}

function FieldControl(props: FieldRowProps & { id: string; describedBy: string }) {
  const { id, field, value, fault, onChange, describedBy } = props;
  const { input, isRequired } = field;
  const common = {
    id,
    'aria-describedby': describedBy,
    'aria-invalid': fault !== undefined,
    'aria-required': isRequired,
  };
  switch (input.kind) {
    case 'boolean':
      return (
        <input
          type="checkbox"
          id={id}
          aria-describedby={describedBy}
          checked={value === true}
          indeterminate={value === undefined}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <select
          {...common}
          value={Array.isArray(value) && value.length > 0 ? String(value[0]) : ''}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            onChange(chosen === '' ? [] : [Number(chosen)]);
          }}
        >
          <option value="">not given</option>
          {input.choices.map(({ title, json }, index) => (
            <option key={json} value={index}>
              {title}
            </option>
          ))}
        </select>
      );
    case 'json':
    case 'text':
    case 'number': {
      const typed = {
        ...common,
        autocomplete: 'off',
        spellcheck: false,
        value: String(value ?? ''),
        onInput: (event: { currentTarget: HTMLInputElement }) =>
          onChange(event.currentTarget.value),
      };
      if (input.kind === 'text' && input.format === 'date') return <input type="date" {...typed} />;
      return (
        <input
          type="text"
          class={input.kind === 'json' ? 'wire' : ''}
          inputMode={input.kind === 'number' ? 'decimal' : 'text'}
          placeholder={input.kind === 'json' ? 'JSON' : ''}
          {...typed}
        />
      );
    }
    case 'choices':
      return null;
  }
}

/** What the schema allows, as far as a title does not say it. */
function toLimits(input: FieldInput): string[] {
  switch (input.kind) {
    case 'text':
      return [
        input.format ?? '',
        range(input.minLength, input.maxLength, 'characters'),
        input.pattern === undefined ? '' : `pattern ${input.pattern}`,
      ].filter((words) => words !== '');
    case 'number':
      return [
        [input.isInteger ? 'whole number' : 'number', range(input.minimum, input.maximum, '')]
          .filter((words) => words !== '')
          .join(', '),
      ];
    case 'choices':
      return [range(input.minItems, input.maxItems, 'of these')].filter((words) => words !== '');
    case 'boolean':
    case 'choice':
    case 'json':
      return [];
  }
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  const end = unit === '' ? '' : ` ${unit}`;
  if (min !== undefined && max !== undefined) return `${min} to ${max}${end}`;
  if (min !== undefined) return `at least ${min}${end}`;
  return max === undefined ? '' : `at most ${max}${end}`;
}
