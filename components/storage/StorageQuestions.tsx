import { useEffect, useRef } from 'preact/hooks';
import { totalBytes } from '../../lib/capture/store/retention-plan.ts';
import type { StorageModel } from '../../lib/state/captures/storage-model.ts';
import { formatBytes, formatCount } from '../../lib/text.ts';

/** Asks once before captures are deleted for a limit. */
export function StorageQuestions({ desk }: { desk: StorageModel }) {
  const question = desk.question.value;
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (question !== undefined) keep.current?.focus();
  }, [question]);
  if (question === undefined) return null;
  const { limitBytes, removed } = question;
  const captures = formatCount(removed.length, 'capture');
  return (
    <div class="storage-question" role="alertdialog" aria-labelledby="storage-question">
      <p id="storage-question">
        With a limit of {formatBytes(limitBytes)}, {captures} ({formatBytes(totalBytes(removed))})
        will be deleted now.
      </p>
      <button type="button" class="bordered" ref={keep} onClick={() => desk.cancel()}>
        Keep
      </button>
      <button type="button" class="primary" onClick={() => void desk.confirm()}>
        Delete for good
      </button>
    </div>
  );
}
