import { useEffect, useRef } from 'preact/hooks';
import type { Replay } from '../../lib/state/replay.ts';
import './ReplayDialog.css';

/** Asks before a tool is called again: calls may change things. */
export function ReplayDialog({ replay }: { replay: Replay }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const question = replay.question.value;
  useEffect(() => {
    if (question !== undefined) dialog.current?.showModal();
  }, [question]);
  if (question?.asksFor === undefined) return null;
  const { tool, argumentsText } = question.asksFor;
  return (
    <dialog
      ref={dialog}
      class="replay-dialog"
      aria-labelledby="replay-title"
      onClose={() => replay.cancel()}
    >
      <h2 id="replay-title">Call “{tool}” again?</h2>
      <p>The tool runs once more on the server, with these arguments:</p>
      <pre>{argumentsText === '' ? 'none' : argumentsText}</pre>
      <div class="dialog-actions">
        <button type="button" class="bordered" onClick={() => replay.cancel()}>
          Cancel
        </button>
        <button type="button" class="primary" onClick={() => replay.confirm()}>
          Send again
        </button>
      </div>
    </dialog>
  );
}
