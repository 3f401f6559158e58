import { useEffect, useRef } from 'preact/hooks';
import type { CaptureRemoval } from '../../lib/state/capture-removal.ts';

/** What was just deleted, as long as it can be had back. */
export function RemovalLine({ removal }: { removal: CaptureRemoval }) {
  const pending = removal.pending.value;
  const lines = useRef<HTMLDivElement>(null);
  const count = useRef(pending.length);
  useEffect(() => {
    // The line that had the focus is gone.
    const isMore = pending.length > count.current;
    count.current = pending.length;
    if (isMore) lines.current?.querySelector<HTMLElement>('p:last-child button')?.focus();
  }, [pending]);
  return (
    <div role="status" aria-label="Deleted captures" ref={lines}>
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
