import { useEffect, useId, useRef } from 'preact/hooks';
import type { ConnectionSummary } from '../../lib/port/contract.ts';
import { answerDeskOf } from '../../lib/state/answers/answer-desk.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { AnswerGroup } from '../connection/AnswerGroup.tsx';
import { ProblemNotice } from '../ProblemNotice.tsx';
import './AnswerSettings.css';

interface AnswerSettingsProps {
  connection: ConnectionSummary;
  model: AppModel;
}

/** How an open connection answers what its server asks: one button until it is opened. */
export function AnswerSettings({ connection, model }: AnswerSettingsProps) {
  const { connectionId } = connection;
  const desk = answerDeskOf(model);
  const id = useId();
  const isOpen = desk.shown.value === connectionId;
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        title="How this connection answers what its server asks"
        onClick={() => (isOpen ? desk.close() : desk.open(connectionId))}
      >
        Answers ›
      </button>
      {isOpen && (
        <section class="answer-settings" id={id} aria-label="Answers of this connection">
          <AnswerForm connection={connection} model={model} />
        </section>
      )}
    </>
  );
}

function AnswerForm({ connection, model }: AnswerSettingsProps) {
  const desk = answerDeskOf(model);
  const options = desk.options.value;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (options === undefined) return;
    form.current?.scrollIntoView({ block: 'nearest' });
    form.current?.querySelector('select')?.focus();
  }, [options]);
  return (
    <>
      {desk.problem.value && <ProblemNotice problem={desk.problem.value} isAlert />}
      {options !== undefined && (
        <form
          ref={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            desk.save();
          }}
        >
          <AnswerGroup answers={options} />
          <p class="dim">
            {connection.era === 'modern'
              ? 'What is declared goes out with every request, so that the next one declares this.'
              : 'What was declared in the handshake stays declared; what is not declared here is refused as an unknown method.'}
          </p>
          <div class="answer-actions">
            <button type="submit" class="primary" disabled={options.fault.value !== undefined}>
              Use from now on
            </button>
            <button type="button" class="bordered" onClick={() => desk.close()}>
              Close
            </button>
            <span role="status">{desk.isSaved.value && 'Holds for the next question.'}</span>
          </div>
        </form>
      )}
    </>
  );
}
