import type { ServerQuestion } from '../../lib/port/contract.ts';
import type { SamplingDraft } from '../../lib/state/answers/answer-drafts.ts';
import { toSamplingWishes } from '../../lib/state/answers/question-words.ts';

interface SamplingAnswerProps {
  draft: SamplingDraft;
  question: ServerQuestion;
}

/** A reply that the user writes in place of a model. */
export function SamplingAnswer({ draft, question }: SamplingAnswerProps) {
  const wishes = toSamplingWishes(question);
  return (
    <div class="question-text">
      {wishes.length > 0 && <p class="dim">{wishes.join(' · ')}</p>}
      <label>
        Reply
        <textarea
          rows={3}
          value={draft.reply.value}
          onInput={(event) => (draft.reply.value = event.currentTarget.value)}
        />
      </label>
      <label class="question-model">
        Model
        <input
          class="wire"
          autocomplete="off"
          spellcheck={false}
          value={draft.model.value}
          onInput={(event) => (draft.model.value = event.currentTarget.value)}
        />
      </label>
    </div>
  );
}
