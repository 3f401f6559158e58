import { useEffect, useId, useRef } from 'preact/hooks';
import {
  toAskerWords,
  toRefusalWords,
  toSaidLines,
} from '../../lib/state/answers/question-words.ts';
import { draftOf } from '../../lib/state/answers/answer-drafts.ts';
import type { OpenQuestion, Questions } from '../../lib/state/answers/questions.ts';
import { formatClock } from '../../lib/text.ts';
import { VisibleText } from '../json/VisibleText.tsx';
import { focusFault } from '../schema/focus-fault.ts';
import { SchemaForm } from '../schema/SchemaForm.tsx';
import { JsonField } from './JsonField.tsx';
import { SamplingAnswer } from './SamplingAnswer.tsx';
import { UrlAnswer } from './UrlAnswer.tsx';

interface QuestionCardProps {
  question: OpenQuestion;
  questions: Questions;
  /** Shows how such questions are answered. */
  onSettings: () => void;
}

const ACCEPT_TITLES = {
  form: 'Accept',
  url: 'Accept',
  sampling: 'Send reply',
  roots: 'Send roots',
  result: 'Send result',
} as const;

/** One question: who asks what, and the ways to answer. */
export function QuestionCard({ question, questions, onSettings }: QuestionCardProps) {
  const id = useId();
  const card = useRef<HTMLLIElement>(null);
  const { key, server } = question;
  const draft = draftOf(question);
  const isWanted = questions.wanted.value === key;
  useEffect(() => {
    if (!isWanted) return;
    questions.wanted.value = undefined;
    card.current?.scrollIntoView({ block: 'nearest' });
    const find = (what: string) => card.current?.querySelector<HTMLElement>(what);
    (find('input, select, textarea') ?? find('button'))?.focus();
  }, [isWanted]);

  const { method, since } = question.question;
  const asker = toAskerWords(question.question);
  const refusal = toRefusalWords(question.question, draft.refusals[0]?.title ?? '');
  const isSending = question.isSending.value;
  const fault = question.hasTried.value ? draft.fault.value : undefined;
  return (
    <li ref={card} class="question">
      <form
        aria-labelledby={id}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          questions.accept(question, draft.toAnswer());
          focusFault(() => card.current);
        }}
      >
        <h3 id={id}>
          {method} <span class="dim">{server}</span>{' '}
          <span class="dim">since {formatClock(since)}</span>
          {asker !== undefined && <span class="dim"> · {asker}</span>}
        </h3>
        {toSaidLines(question.question).map(({ by, text }, index) => (
          <p key={index} class="question-said">
            {by !== '' && <span class="dim">{by}: </span>}
            <VisibleText text={text} />
          </p>
        ))}
        <AnswerFields question={question} />
        {refusal !== undefined && <p class="question-said dim">{refusal}</p>}
        <div class="question-actions">
          <button type="submit" class="primary" disabled={isSending}>
            {ACCEPT_TITLES[draft.kind]}
          </button>
          {draft.refusals.map(({ title, answer }) => (
            <button
              key={title}
              type="button"
              class="bordered"
              disabled={isSending}
              onClick={() => questions.answer(question, answer)}
            >
              {title}
            </button>
          ))}
          {'json' in draft && (
            <button
              type="button"
              class="question-json"
              aria-pressed={draft.json.isOn.value}
              onClick={() => draft.json.toggle()}
            >
              Edit as JSON
            </button>
          )}
          <button
            type="button"
            class="link"
            title="How this connection answers such questions from now on"
            onClick={onSettings}
          >
            Answer the next ones automatically…
          </button>
          <span role="alert" class="error">
            {fault}
          </span>
        </div>
      </form>
    </li>
  );
}

function AnswerFields({ question }: { question: OpenQuestion }) {
  const draft = draftOf(question);
  switch (draft.kind) {
    case 'form':
      return <SchemaForm form={draft.form} label="Content" />;
    case 'url':
      return <UrlAnswer draft={draft} />;
    case 'sampling':
      return draft.json.isOn.value ? (
        <JsonField label="Result (JSON)" text={draft.json.text} />
      ) : (
        <SamplingAnswer draft={draft} question={question.question} />
      );
    case 'roots':
      return <JsonField label="Roots (JSON)" text={draft.text} />;
    case 'result':
      return <JsonField label="Result (JSON)" text={draft.text} />;
  }
}
