import { useId } from 'preact/hooks';
import { toServerTitle } from '../../lib/state/connection-words.ts';
import type { Composer } from '../../lib/state/composer.ts';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { clientMethods } from './client-methods.ts';
import './SendBar.css';

/** Sends a request of the user's own. What is typed is sent to the letter, or not at all. */
export function SendBar({ composer }: { composer: Composer }) {
  const id = useId();
  const fault = composer.fault.value;
  const connection = composer.connection.value;
  return (
    <form
      class="send-bar"
      aria-label="Send a request"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        composer.send();
      }}
    >
      <div class="send-line">
        <label class="send-method">
          Method
          <input
            class="wire"
            list={`${id}-methods`}
            autocomplete="off"
            spellcheck={false}
            value={composer.method.value}
            onInput={(event) => composer.setMethod(event.currentTarget.value)}
          />
        </label>
        <datalist id={`${id}-methods`}>
          {clientMethods(connection?.era).map((method) => (
            <option key={method} value={method}>
              {method}
            </option>
          ))}
        </datalist>
        {composer.choices.value.length > 1 && (
          <label>
            Connection{' '}
            <select
              value={connection?.connectionId}
              onChange={(event) => composer.choose(event.currentTarget.value)}
            >
              {composer.choices.value.map((choice) => (
                <option key={choice.connectionId} value={choice.connectionId}>
                  {toServerTitle(choice)} ({choice.url})
                </option>
              ))}
            </select>
          </label>
        )}
        <button
          type="submit"
          class="primary"
          disabled={connection === undefined || fault !== undefined}
        >
          Send
        </button>
        {connection === undefined && <span class="dim">Connect to a server first.</span>}
      </div>
      <label class="send-params">
        Params (JSON)
        <textarea
          rows={3}
          spellcheck={false}
          placeholder="none"
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-fault`}
          value={composer.paramsText.value}
          onInput={(event) => (composer.paramsText.value = event.currentTarget.value)}
        />
      </label>
      <p id={`${id}-fault`} class="error" role="status">
        {fault !== undefined && `Not JSON at ${fault}`}
      </p>
      {composer.problem.value && <ProblemNotice problem={composer.problem.value} isAlert />}
    </form>
  );
}
