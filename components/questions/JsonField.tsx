import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { jsonFault } from '../../lib/state/detail/json-text.ts';

/** JSON that is sent exactly as it is typed. */
export function JsonField({ label, text }: { label: string; text: Signal<string> }) {
  const faultId = useId();
  const fault = jsonFault(text.value);
  return (
    <div class="question-text">
      <label>
        {label}
        <textarea
          rows={5}
          spellcheck={false}
          aria-invalid={fault !== undefined}
          aria-describedby={faultId}
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </label>
      <p id={faultId} class="error" role="status">
        {fault !== undefined && `Not JSON at ${fault}`}
      </p>
    </div>
  );
}
