import type { AppModel } from '../lib/state/app-model.ts';
import type { Load } from '../lib/state/load.ts';
import { toShownWords } from '../lib/state/filter/filter-words.ts';
import type { TrafficView } from '../lib/state/view/traffic-view.ts';
import { formatBytes, formatClock, formatCount } from '../lib/text.ts';

/** Counts, and the state of the recording. */
export function StatusBar({ model }: { model: AppModel }) {
  const { traffic, totals, issues, storage, load } = model;
  const found = issues.count.value;
  return (
    <footer class="status-bar">
      <span role="status" aria-label="Capture">
        {rowWords(traffic)} · {formatBytes(totals.sizeBytes.value)} ·{' '}
        {found > 0 && `${formatCount(found, 'issue')} · `}
        <FeedWords model={model} />
      </span>
      <LoadWords load={load.load.value} />
      {traffic.hidden.value > 0 && (
        <span>
          {traffic.hidden.value.toLocaleString('en')} hidden,{' '}
          <button type="button" class="link" onClick={() => traffic.showAll()}>
            show
          </button>
        </span>
      )}
      <span class="status-end">
        <button
          type="button"
          class="link"
          title="Keyboard shortcuts (?)"
          aria-haspopup="dialog"
          onClick={() => (model.desk.areShortcutsOpen.value = true)}
        >
          Keys
        </button>{' '}
        <button
          type="button"
          class="link"
          id="storage-button"
          title="What was recorded earlier, and how much may be stored"
          aria-expanded={storage.isOpen.value}
          onClick={() => (storage.isOpen.value = !storage.isOpen.value)}
        >
          Captures
        </button>{' '}
        <button
          type="button"
          class="link"
          id="settings-button"
          aria-expanded={model.settings.isOpen.value}
          onClick={() => (model.settings.isOpen.value = !model.settings.isOpen.value)}
        >
          Settings
        </button>
      </span>
    </footer>
  );
}

/** All rows, or how many of them a filter leaves. */
function rowWords(traffic: TrafficView): string {
  const { filter, total } = traffic;
  return filter.isActive.value ? toShownWords(traffic) : formatCount(total.value, 'row');
}

function FeedWords({ model }: { model: AppModel }) {
  const feed = model.feed.value;
  switch (feed.kind) {
    case 'loading':
      return <>reading the capture, {formatCount(feed.loadedEvents, 'event')} so far</>;
    case 'reconnecting':
      return (
        <span class="warning">
          the background has restarted, reconnecting (attempt {feed.attempt})
        </span>
      );
    case 'unreadable':
      return (
        <span class="warning" title="Open the panel again to try once more">
          {feed.to === 0 ? 'the capture' : `events ${feed.from} to ${feed.to}`} cannot be read:{' '}
          {feed.reason}
        </span>
      );
    case 'stored':
      return feed.file === undefined ? (
        <>stored earlier: {feed.name}</>
      ) : (
        <>
          imported from {feed.file}: {feed.name}
        </>
      );
    case 'ended':
      return <>what was recorded is stored on disk</>;
    case 'live':
      return <StorageWords model={model} />;
  }
}

function StorageWords({ model }: { model: AppModel }) {
  const { state, since, reason, advice } = model.totals.storage.value;
  if (state === 'memory') {
    const from = since === undefined ? '' : ` since ${formatClock(since).slice(0, 5)}`;
    return (
      <span class="warning" title={[reason, advice ?? ''].join(' ')}>
        recording to disk stopped, kept in memory only{from}: {reason} {advice}
      </span>
    );
  }
  const isCapturing = model.connections.value.some(
    (connection) => connection.state === 'connected',
  );
  return <>{isCapturing ? 'capturing, stored on disk' : 'stored on disk'}</>;
}

function LoadWords({ load }: { load: Load }) {
  const { eventsPerSecond, queuedBytes, isPaused } = load;
  return (
    <>
      {eventsPerSecond !== undefined && (
        <span>{formatCount(eventsPerSecond, 'event')} a second</span>
      )}
      {queuedBytes !== undefined && (
        <span class="warning">
          {isPaused === true && 'reading paused, '}
          {formatBytes(queuedBytes)} wait to be stored
        </span>
      )}
    </>
  );
}
