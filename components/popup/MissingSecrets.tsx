import { useEffect, useRef } from 'preact/hooks';
import { completeSecret } from '../../lib/state/connect/complete-secret.ts';
import type { ConnectForm } from '../../lib/state/connect/connect-form.ts';
import { notKeptTitle, notKeptWords } from '../../lib/state/connect/incomplete-words.ts';
import { FORM_ID } from '../connection/focus-url.ts';

/** Fields for the secrets that were not kept with the server that was taken up. */
export function MissingSecrets({ form }: { form: ConnectForm }) {
  const asked = form.asked.value;
  const fields = useRef<HTMLElement>(null);
  useEffect(() => {
    const inputs = fields.current?.querySelectorAll('input') ?? [];
    // What was typed for another server stays out of this one.
    for (const input of inputs) input.value = '';
    inputs[0]?.focus();
  }, [asked]);
  return (
    <section ref={fields} class="popup-missing" aria-label="Not kept with this server">
      <p role="alert" class="warning">
        {notKeptWords(asked)}
      </p>
      {asked.map((each, index) => (
        <label key={`${index} ${each.name}`}>
          {capital(notKeptTitle(each))}
          <input
            type="password"
            class="wire"
            form={FORM_ID}
            placeholder={/^authorization$/i.test(each.name) ? 'Bearer …' : ''}
            autocomplete="off"
            onInput={(event) => completeSecret(form, each, event.currentTarget.value)}
          />
        </label>
      ))}
    </section>
  );
}

function capital(title: string): string {
  return `${title.slice(0, 1).toUpperCase()}${title.slice(1)}`;
}
