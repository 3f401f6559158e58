import type { StorageModel } from '../../lib/state/storage-model.ts';

/** How a capture is ended and the next one begun, and how that goes. */
export function RecordingBar({ desk }: { desk: StorageModel }) {
  const running = desk.running.value;
  return (
    <div class="storage-recording">
      <p>
        <button type="button" class="bordered" onClick={() => void desk.split()}>
          Start a new capture
        </button>{' '}
        <span class="dim">
          It ends the one that is being recorded, here and now. There is no stop: as long as a
          connection lives, all that it does is recorded, so that no traffic is lost.
        </span>
      </p>
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
    </div>
  );
}
