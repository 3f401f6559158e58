import { useId } from 'preact/hooks';
import type { SchemaForm as Form } from '../../lib/state/server/schema-form.ts';
import { FieldView } from './FieldView.tsx';
import { JsonMode } from './JsonMode.tsx';
import './SchemaForm.css';

interface SchemaFormProps {
  form: Form;
  /** What the form is for, such as `Arguments`. */
  label: string;
}

/** A form for a JSON Schema, and the same as JSON: both show one text, and write into it. */
export function SchemaForm({ form, label }: SchemaFormProps) {
  const id = useId();
  const isJson = form.isJson.value;
  const { notChecked } = form;
  return (
    <div class="schema-form" role="group" aria-labelledby={`${id}-title`}>
      <div class="schema-head">
        <h4 id={`${id}-title`}>{label}</h4>
        <span class="schema-modes" role="group" aria-label={`${label} as`}>
          {([false, true] as const).map((mode) => (
            <button
              key={String(mode)}
              type="button"
              aria-pressed={isJson === mode}
              onClick={() => (form.isJson.value = mode)}
            >
              {mode ? 'JSON' : 'Form'}
            </button>
          ))}
        </span>
        <button type="button" title="As the schema proposes it" onClick={() => form.reset()}>
          Reset
        </button>
      </div>
      {isJson ? <JsonMode form={form} label={label} /> : <Fields form={form} />}
      {notChecked.value.map((reason) => (
        <p key={reason} class="warning">
          {reason}
        </p>
      ))}
    </div>
  );
}

function Fields({ form }: { form: Form }) {
  if (!form.parsed.value.ok) {
    return (
      <p class="schema-broken">
        <span class="error">{form.fault.value}</span>{' '}
        <button type="button" class="link" onClick={() => (form.isJson.value = true)}>
          Correct it as JSON
        </button>
      </p>
    );
  }
  return <FieldView View={FieldView} form={form} part={form.schema} path={[]} name="" isRequired />;
}
