import type { Problem } from '../../lib/errors.ts';
import type { AppModel } from '../../lib/state/app-model.ts';

/** The way out of a problem with the size limit: to the field that sets it. */
export function RaiseLimit({ problem, model }: { problem: Problem; model: AppModel }) {
  if (problem.code !== 'body-limit') return null;
  function show(): void {
    model.options.isOpen.value = true;
    // The options come into being with the next drawing.
    requestAnimationFrame(() => document.getElementById('option-size-limit')?.focus());
  }
  return (
    <p class="message-note">
      <button type="button" class="link" onClick={show}>
        Options → Size limit of one message
      </button>{' '}
      holds for the next connection.
    </p>
  );
}
