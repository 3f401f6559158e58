import { useEffect, useRef } from 'preact/hooks';
import { totalBytes } from '../../lib/capture/retention-plan.ts';
import type { StorageModel, StorageQuestion } from '../../lib/state/storage-model.ts';
import { formatBytes, formatCount } from '../../lib/text.ts';

/** Asks once before anything is deleted. */
export function StorageQuestions({ desk }: { desk: StorageModel }) {
  const question = desk.question.value;
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (question !== undefined) keep.current?.focus();
  }, [question]);
  if (question === undefined) return null;
  return (
    <div class="storage-question" role="alertdialog" aria-labelledby="storage-question">
      <p id="storage-question">{wordQuestion(question)}</p>
      <button type="button" class="bordered" ref={keep} onClick={() => desk.cancel()}>
        Keep
      </button>
      <button type="button" class="primary" onClick={() => void desk.confirm()}>
        Delete for good
      </button>
    </div>
  );
}

function wordQuestion(question: StorageQuestion): string {
  if (question.kind === 'capture') {
    const { name, eventCount, sizeBytes } = question.capture;
    return `Delete “${name}” with ${formatCount(eventCount, 'event')} (${formatBytes(sizeBytes)})?`;
  }
  const { limitBytes, removed } = question;
  const captures = formatCount(removed.length, 'capture');
  return `With a limit of ${formatBytes(limitBytes)}, ${captures} (${formatBytes(totalBytes(removed))}) will be deleted now.`;
}
