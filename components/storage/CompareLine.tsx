import type { CaptureRecord } from '../../lib/capture/store/capture-record.ts';
import type { StorageModel } from '../../lib/state/captures/storage-model.ts';

interface CompareLineProps {
  desk: StorageModel;
  onCompare: (before: CaptureRecord, after: CaptureRecord) => void;
}

/** Which captures are chosen to be compared, and the button that does it. */
export function CompareLine({ desk, onCompare }: CompareLineProps) {
  const chosen = desk.rows.value
    .map(({ capture }) => capture)
    .filter(({ captureId }) => desk.chosen.value.includes(captureId))
    // The older one is what the newer one is measured by.
    .toSorted((a, b) => a.startedAt - b.startedAt);
  const [before, after] = chosen;
  if (before === undefined) return null;
  return (
    <p class="storage-question" role="status" aria-label="Chosen to be compared">
      {after === undefined ? (
        <span>“{before.name}” is to be compared: choose a second capture.</span>
      ) : (
        <>
          <button type="button" class="primary" onClick={() => onCompare(before, after)}>
            Compare
          </button>
          <span>
            “{before.name}” with “{after.name}”
          </span>
        </>
      )}
      <button type="button" class="bordered" onClick={() => (desk.chosen.value = [])}>
        Cancel
      </button>
    </p>
  );
}
