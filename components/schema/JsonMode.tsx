import { useId } from 'preact/hooks';
import type { SchemaForm } from '../../lib/state/server/schema-form.ts';

/** Lines that are shown at once; more of them scroll. */
const MAX_ROWS = 18;
const MANY = 20;

/** The JSON that is sent, to the letter, with what is wrong with it and where. */
export function JsonMode({ form, label }: { form: SchemaForm; label: string }) {
  const id = useId();
  const fault = form.fault.value;
  const problems = form.problems.value.toSorted(
    (one, other) => one.line - other.line || one.column - other.column,
  );
  const text = form.text.value;
  const rows = Math.min(Math.max(text.split('\n').length, 4), MAX_ROWS);
  return (
    <div class="schema-json">
      <textarea
        rows={rows}
        spellcheck={false}
        placeholder="{}"
        aria-label={`${label} (JSON)`}
        aria-invalid={fault !== undefined || problems.length > 0}
        aria-describedby={`${id}-problems`}
        value={text}
        onInput={(event) => form.setJson(event.currentTarget.value)}
      />
      <ul id={`${id}-problems`} class="schema-problems" aria-label="Problems">
        {fault !== undefined && <li class="error">{fault}</li>}
        {problems.slice(0, MANY).map(({ path, message, line, column }) => (
          <li key={`${path.join('/')} ${message}`} class="error">
            {line}:{column}: {path.length === 0 ? 'the whole' : path.join('.')} {message}
          </li>
        ))}
        {problems.length > MANY && (
          <li class="dim">And {(problems.length - MANY).toLocaleString('en')} more.</li>
        )}
      </ul>
    </div>
  );
}
