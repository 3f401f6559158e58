import type { FormDraft } from '../../lib/state/answer-drafts.ts';
import { FieldRow } from './FieldRow.tsx';

interface FormAnswerProps {
  draft: FormDraft;
  /** Fields that were not touched are found fault with only then. */
  hasTried: boolean;
}

/** The form that a server's schema describes. */
export function FormAnswer({ draft, hasTried }: FormAnswerProps) {
  if (draft.fields.length === 0) {
    return <p class="dim">The schema has no fields: accepting sends an empty object.</p>;
  }
  return (
    <div class="question-fields">
      {draft.fields.map((field) => {
        const value = draft.values.value.get(field.name);
        const isShown = hasTried || value !== field.initial;
        return (
          <FieldRow
            key={field.name}
            field={field}
            value={value}
            fault={isShown ? draft.faults.value.get(field.name) : undefined}
            onChange={(next) => draft.set(field.name, next)}
          />
        );
      })}
    </div>
  );
}
