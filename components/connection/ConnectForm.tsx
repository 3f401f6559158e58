import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { ConnectForm as Form } from '../../lib/state/connect/connect-form.ts';
import { FORM_ID } from './focus-url.ts';
import type { Connector } from '../../lib/state/connect/connector.ts';

interface ConnectFormProps {
  form: Form;
  connector: Connector;
  /** The user has pressed Connect; `isSent` says whether the form could be sent. */
  onConnect?: (isSent: boolean) => void;
  /** Stands behind the Connect button. */
  children?: ComponentChildren;
}

/** URL and Connect. Faults are named once the user has tried to connect. */
export function ConnectForm({ form, connector, onConnect, children }: ConnectFormProps) {
  const hasTried = useSignal(false);
  const id = useId();
  const faults = hasTried.value ? Object.values(form.faults.value) : [];

  // A click, not a submit: browsers show the permission prompt only within a click. The Enter key makes
  // one too, on the form's submit button.
  function connect(event: MouseEvent): void {
    event.preventDefault();
    const request = form.toRequest();
    hasTried.value = request === undefined;
    if (request !== undefined) connector.connect(request);
    onConnect?.(request !== undefined);
  }

  return (
    <form id={FORM_ID} class="connect-form" noValidate>
      <input
        class="wire connect-url"
        id="connect-url"
        name="url"
        type="text"
        inputMode="url"
        aria-label="MCP endpoint URL"
        aria-describedby={faults.length > 0 ? id : undefined}
        aria-invalid={hasTried.value && 'url' in form.faults.value}
        placeholder="http://localhost:3001/mcp"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={form.url.value}
        onInput={(event) => (form.url.value = event.currentTarget.value)}
      />
      <button type="submit" class="primary" onClick={connect}>
        Connect
      </button>
      {children}
      <p id={id} class="connect-faults error" role="alert" hidden={faults.length === 0}>
        {faults.join(' ')}
      </p>
    </form>
  );
}
