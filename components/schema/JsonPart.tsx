import { useId } from 'preact/hooks';
import { FieldFrame } from './FieldFrame.tsx';
import type { FieldProps } from './field-props.ts';

/** A part that no control can show, typed as JSON. */
export function JsonPart(props: FieldProps & { reason?: string }) {
  const { form, path, isRequired, reason } = props;
  const id = useId();
  const text = form.partAt(path);
  const fault = form.partFault(path) ?? form.faultAt(path, true);
  return (
    <FieldFrame {...props} id={id} hints={reason === undefined ? [] : [reason]} fault={fault}>
      <textarea
        id={`${id}-control`}
        rows={Math.min(Math.max(text.split('\n').length, 1), 12)}
        spellcheck={false}
        placeholder="JSON, or nothing to leave it out"
        aria-describedby={`${id}-hint ${id}-fault`}
        aria-invalid={fault !== undefined}
        aria-required={isRequired}
        value={text}
        onInput={(event) => form.setPart(path, event.currentTarget.value)}
      />
    </FieldFrame>
  );
}
