import { useId } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import type { ComposerDesk } from '../../lib/state/composer/composer-desk.ts';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { HttpFields } from './HttpFields.tsx';
import { KeptRequests } from './KeptRequests.tsx';
import { RequestFields } from './RequestFields.tsx';
import { SaveForm } from './SaveForm.tsx';
import { SentRequests } from './SentRequests.tsx';
import { TextFields } from './TextFields.tsx';

/** Sends what the user writes. It is sent to the letter, or not at all. */
export function ComposeForm({ desk, model }: { desk: ComposerDesk; model: AppModel }) {
  const id = useId();
  const { composer } = desk;
  const { mode } = composer;
  const fault = composer.fault.value;
  const origin = composer.origin.value;
  return (
    <form
      class="send-body"
      aria-label="Send a request"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        composer.send();
      }}
    >
      <div class="send-fields">
        {origin !== undefined && (
          <p class="send-origin">
            A replay of {origin.words}{' '}
            <button type="button" class="link" onClick={() => composer.dropOrigin()}>
              Send as something new
            </button>
          </p>
        )}
        {mode.value === 'request' && <RequestFields composer={composer} />}
        {mode.value === 'text' && <TextFields composer={composer} />}
        {mode.value === 'http' && <HttpFields composer={composer} />}
        <ul class="send-warnings" aria-label="Warnings">
          {composer.warnings.value.map((words) => (
            <li key={words} class="warning">
              {words}
            </li>
          ))}
        </ul>
        {composer.problem.value && <ProblemNotice problem={composer.problem.value} isAlert />}
        <div class="send-line send-actions">
          <button
            type="submit"
            class="primary"
            title="Send (Ctrl+Enter)"
            aria-describedby={`${id}-fault`}
            disabled={fault !== undefined}
          >
            Send
          </button>
          <SaveForm onSave={desk.save} />
          <span
            id={`${id}-fault`}
            class={composer.lack.value === undefined ? 'error' : 'dim'}
            role="status"
          >
            {fault}
          </span>
        </div>
        <SentRequests sent={desk.sent} model={model} />
      </div>
      <KeptRequests desk={desk} />
    </form>
  );
}
