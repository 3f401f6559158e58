import { useLayoutEffect, useRef } from 'preact/hooks';
import { answerDeskOf } from '../../lib/state/answers/answer-desk.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { deferred } from '../ui/Deferred.tsx';
import './ServerQuestions.css';

const QuestionCard = deferred(async () => (await import('./QuestionCard.tsx')).QuestionCard);

/** What servers wait for the user to answer. */
export function ServerQuestions({ model }: { model: AppModel }) {
  const { questions } = model;
  const open = questions.open.value;
  const problem = questions.problem.value;
  const countBefore = useRef(0);
  useLayoutEffect(() => {
    // With its question gone, the focus would fall out of the panel.
    const isFocusLost = document.activeElement === document.body;
    if (open.length < countBefore.current && isFocusLost) {
      const next = open[0];
      if (next === undefined) document.getElementById('traffic')?.focus();
      else questions.show(next);
    }
    countBefore.current = open.length;
  }, [open.length]);

  return (
    <>
      <p class="visually-hidden" role="status" aria-label="Open questions">
        {questions.announcement.value}
      </p>
      {(open.length > 0 || problem !== undefined) && (
        <section class="questions" aria-label="Server asks">
          <div class="questions-head">
            <h2>
              <button
                type="button"
                aria-expanded={questions.isExpanded.value}
                onClick={() => (questions.isExpanded.value = !questions.isExpanded.value)}
              >
                <span aria-hidden="true">{questions.isExpanded.value ? '▾' : '▸'}</span>
                Server asks ({open.length})
              </button>
            </h2>
            {problem !== undefined && (
              <button type="button" onClick={() => questions.clearProblem()}>
                Dismiss
              </button>
            )}
          </div>
          {problem !== undefined && <ProblemNotice problem={problem} isAlert />}
          {/* Folded away, not taken down: what is typed in it stays where it is. */}
          <ul class="questions-list" hidden={!questions.isExpanded.value}>
            {open.map((question) => (
              <QuestionCard
                key={question.key}
                question={question}
                questions={questions}
                onSettings={() => answerDeskOf(model).open(question.connectionId)}
              />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
