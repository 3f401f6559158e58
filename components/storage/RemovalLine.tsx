import type { CaptureRemoval } from '../../lib/state/capture-removal.ts';

/** What was just deleted, as long as it can be had back. */
export function RemovalLine({ removal }: { removal: CaptureRemoval }) {
  const pending = removal.pending.value;
  return (
    <div role="status" aria-label="Deleted captures">
      {pending.map(({ captureId, name }) => (
        <p key={captureId} class="storage-question">
          <span>“{name}” is deleted for good in some seconds, or when you leave this screen.</span>
          <button
            type="button"
            class="bordered"
            aria-label={`Undo deleting ${name}`}
            onClick={() => {
              removal.undo(captureId);
              document.getElementById('captures')?.focus();
            }}
          >
            Undo
          </button>
        </p>
      ))}
    </div>
  );
}
