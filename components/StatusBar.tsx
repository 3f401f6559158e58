import type { AppModel } from '../lib/state/app-model.ts';
import { formatBytes, formatCount } from '../lib/text.ts';

/** Counts, and the state of the recording. */
export function StatusBar({ model }: { model: AppModel }) {
  const { traffic, totals, issues } = model;
  const found = issues.count.value;
  return (
    <footer class="status-bar">
      <span role="status" aria-label="Capture">
        {formatCount(traffic.count.value, 'row')} · {formatBytes(totals.sizeBytes.value)} ·{' '}
        {found > 0 && `${formatCount(found, 'issue')} · `}
        <FeedWords model={model} />
      </span>
      {traffic.hidden.value > 0 && (
        <span>
          {traffic.hidden.value.toLocaleString('en')} hidden,{' '}
          <button type="button" class="link" onClick={() => traffic.showAll()}>
            show
          </button>
        </span>
      )}
    </footer>
  );
}

function FeedWords({ model }: { model: AppModel }) {
  const feed = model.feed.value;
  if (feed.kind === 'loading') {
    return <>reading the capture, {formatCount(feed.loadedEvents, 'event')} so far</>;
  }
  if (feed.kind === 'reconnecting') {
    return (
      <span class="warning">
        the background has restarted, reconnecting (attempt {feed.attempt})
      </span>
    );
  }
  if (feed.kind === 'ended') return <>what was recorded is stored on disk</>;
  const storage = model.totals.storage.value;
  if (storage.state === 'memory') {
    return <span class="warning">kept in memory only: {storage.reason}</span>;
  }
  const isCapturing = model.connections.value.some(({ state }) => state === 'connected');
  return <>{isCapturing ? 'capturing, stored on disk' : 'stored on disk'}</>;
}
