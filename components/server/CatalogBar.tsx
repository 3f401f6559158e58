import type { AppModel } from '../../lib/state/app-model.ts';
import { LISTS } from '../../lib/state/server/server-entries.ts';
import type { ListModel } from '../../lib/state/server/server-list-model.ts';
import type { ServerModel } from '../../lib/state/server/server-model.ts';
import { formatBytes, formatClock, formatCount } from '../../lib/text.ts';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { openRow } from './open-row.ts';

interface CatalogBarProps {
  list: ListModel;
  servers: ServerModel;
  model: AppModel;
}

/** What can be done with a list, how much of it is there, and what went wrong with it. */
export function CatalogBar({ list, servers, model }: CatalogBarProps) {
  const { title } = LISTS[list.kind];
  const problem = list.problem.value;
  return (
    <>
      <div class="catalog-bar">
        <input
          type="search"
          class="wire"
          aria-label={`Search in ${title.toLowerCase()}`}
          placeholder="Name or description"
          spellcheck={false}
          value={list.search.value}
          onInput={(event) => (list.search.value = event.currentTarget.value)}
        />
        <LoadButtons list={list} servers={servers} />
        <label
          class="catalog-follow"
          title="Load the list again when the server says that it has changed. A modern server says so in a subscription, which is opened for it"
        >
          <input
            type="checkbox"
            checked={servers.follows.value}
            onChange={(event) => (servers.follows.value = event.currentTarget.checked)}
          />
          Follow changes
        </label>
        <span role="status" aria-label={`${title} loaded`} class="dim">
          <CountWords list={list} />
        </span>
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} isAlert />}
      <Findings list={list} model={model} />
    </>
  );
}

function LoadButtons({ list, servers }: Pick<CatalogBarProps, 'list' | 'servers'>) {
  const { pages, nextCursor, isLoading } = list.listing.value;
  const isIdle = servers.live.value !== undefined && !isLoading;
  if (list.isLoadingAll.value) {
    return (
      <button type="button" class="bordered" onClick={() => list.stop()}>
        Stop
      </button>
    );
  }
  return (
    <>
      <button type="button" class="bordered" disabled={!isIdle} onClick={() => list.load()}>
        {pages.length === 0 ? 'Load' : 'Load again'}
      </button>
      <button
        type="button"
        class="bordered"
        disabled={!isIdle || nextCursor === undefined}
        onClick={() => list.loadNext()}
      >
        Next page
      </button>
      <button type="button" class="bordered" disabled={!isIdle} onClick={() => list.loadAll()}>
        Load all
      </button>
    </>
  );
}

function CountWords({ list }: { list: ListModel }) {
  const { pages, entries, sizeBytes, nextCursor, isLoading } = list.listing.value;
  if (isLoading) return <>loading</>;
  if (pages.length === 0) return <>not loaded</>;
  const shown = list.shown.value.length;
  const count =
    shown === entries.length
      ? formatCount(shown, 'entry', 'entries')
      : `${shown} of ${formatCount(entries.length, 'entry', 'entries')}`;
  const more = nextCursor === undefined ? '' : ', more to load';
  return (
    <>
      {count}
      {more}, {formatCount(pages.length, 'page')}, {formatBytes(sizeBytes)} of definitions
    </>
  );
}

/** What is not as it should be with the list as a whole. */
function Findings({ list, model }: { list: ListModel; model: AppModel }) {
  const { failure, changed, isRepeating, entries, pages } = list.listing.value;
  const invalid = entries.filter(({ faults }) => faults.length > 0).length;
  const excluded = entries.filter((entry) => entry.excluded !== undefined).length;
  const twice = entries.filter(({ isDuplicate }) => isDuplicate).length;
  const counts = [
    invalid > 0 ? `${invalid} invalid` : '',
    excluded > 0 ? `${excluded} that clients have to leave out` : '',
    twice > 0 ? `${twice} with a name that others have too` : '',
  ].filter((part) => part !== '');
  return (
    <div class="catalog-findings">
      {failure !== undefined && (
        <p class="error" role="alert">
          {pages.length === 0
            ? 'Not loaded'
            : `Failed after ${formatCount(entries.length, 'entry', 'entries')}`}
          : {failure.reason}{' '}
          <button type="button" class="link" onClick={() => openRow(model, failure.item)}>
            Show it in the table
          </button>
        </p>
      )}
      {isRepeating && (
        <p class="warning">
          The server names a cursor again that was followed already. To go on would never end.
        </p>
      )}
      {changed !== undefined && (
        <p class="warning">
          Changed at {formatClock(changed.started.wallTime).slice(0, 8)}, as the server says: load
          it again.{' '}
          <button type="button" class="link" onClick={() => openRow(model, changed)}>
            Show the notification
          </button>
        </p>
      )}
      {counts.length > 0 && <p class="warning">{counts.join(', ')}.</p>}
    </div>
  );
}
