import { useEffect, useRef } from 'preact/hooks';
import type { CaptureRemoval } from '../../lib/state/captures/capture-removal.ts';
import { formatCount } from '../../lib/text.ts';

/** What was just deleted, as long as it can be had back. */
export function RemovalLine({ removal }: { removal: CaptureRemoval }) {
  const pending = removal.pending.value;
  const undo = useRef<HTMLButtonElement>(null);
  const count = useRef(pending.length);
  useEffect(() => {
    // The line that had the focus is gone.
    if (pending.length > count.current) undo.current?.focus();
    count.current = pending.length;
  }, [pending]);
  const [first] = pending;
  const what = pending.length === 1 ? `“${first?.name}”` : formatCount(pending.length, 'capture');
  return (
    <div role="status" aria-label="Deleted captures">
      {first !== undefined && (
        <p class="storage-question">
          <span>
            {what} {pending.length === 1 ? 'is' : 'are'} deleted for good in some seconds, or when
            you leave this screen.
          </span>
          <button
            type="button"
            class="bordered"
            ref={undo}
            onClick={() => {
              removal.undo();
              document.getElementById('captures')?.focus();
            }}
          >
            Undo
          </button>
        </p>
      )}
    </div>
  );
}
