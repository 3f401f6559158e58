import type { AppModel } from '../../lib/state/app-model.ts';
import { LISTS, type Entry, type ListKind } from '../../lib/state/server-entries.ts';
import { unlistedEntry, type ServerModel, type ServerView } from '../../lib/state/server-model.ts';
import { SplitPane } from '../ui/SplitPane.tsx';
import { useMedia } from '../ui/use-media.ts';
import { CatalogBar } from './CatalogBar.tsx';
import { CatalogList } from './CatalogList.tsx';
import { EntryPane } from './EntryPane.tsx';

interface CatalogPaneProps {
  kind: ListKind;
  view: ServerView;
  servers: ServerModel;
  model: AppModel;
}

/** One list of a server, and the entry that is chosen in it. */
export function CatalogPane({ kind, view, servers, model }: CatalogPaneProps) {
  const list = view.lists[kind];
  const isNarrow = useMedia('(max-width: 640px)');
  const entry = chosenEntry(view, kind);
  const pane = entry && (
    <EntryPane
      key={`${entry.key} ${entry.sizeBytes}`}
      entry={entry}
      view={view}
      servers={servers}
      model={model}
    />
  );
  // There is room for one of them.
  if (isNarrow && pane !== undefined) {
    return (
      <div class="catalog">
        <button
          type="button"
          class="catalog-back"
          onClick={() => (view.chosen[kind].value = undefined)}
        >
          ‹ All of {LISTS[kind].title.toLowerCase()}
        </button>
        {pane}
      </div>
    );
  }
  return (
    <div class="catalog">
      <CatalogBar list={list} servers={servers} model={model} />
      <SplitPane
        direction="row"
        label="Size of the entry"
        start={36}
        first={<CatalogList list={list} chosen={view.chosen[kind]} visits={view.visits} />}
        second={pane}
      />
    </div>
  );
}

function chosenEntry(view: ServerView, kind: ListKind): Entry | undefined {
  const key = view.chosen[kind].value;
  const unlisted = view.unlisted.value;
  const found = view.lists[kind].listing.value.entries.find((entry) => entry.key === key);
  if (found !== undefined || kind !== 'resources' || unlisted === undefined) return found;
  const entry = unlistedEntry(unlisted);
  return entry.key === key ? entry : undefined;
}
