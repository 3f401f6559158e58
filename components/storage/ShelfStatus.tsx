import type { StorageModel } from '../../lib/state/captures/storage-model.ts';

/** What takes a while, and what came of what was done. */
export function ShelfStatus({ desk }: { desk: StorageModel }) {
  const running = desk.running.value;
  return (
    <>
      {running !== undefined && (
        <p role="status">
          {running.title} <progress aria-label={running.title} max={1} value={running.share} />{' '}
          <button type="button" class="link" onClick={() => desk.stopWork()}>
            Stop
          </button>
        </p>
      )}
      <p role="status" aria-label="What was done">
        {desk.outcome.value}
      </p>
    </>
  );
}
