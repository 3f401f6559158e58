import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { offersList } from '../../lib/state/server/server-open.ts';
import { LISTS, type Entry, type ListKind } from '../../lib/state/server/server-entries.ts';
import {
  unlistedEntry,
  type ServerModel,
  type ServerView,
} from '../../lib/state/server/server-model.ts';
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
  const isLive = servers.live.value?.connectionId === view.connectionId;
  const isNarrow = useMedia('(max-width: 640px)');
  const entry = chosenEntry(view, kind);
  const pane = useRef<HTMLDivElement>(null);
  const chosen = view.chosen[kind];
  /** Where there is no room for an entry beside the list, keys move a mark in it. */
  const marked = useSignal<string | undefined>(chosen.peek());
  const first = list.shown.value[0]?.key;
  const isEmpty = first === undefined;
  const isAlone = isNarrow && entry !== undefined;

  useEffect(() => {
    // Beside the list there is room for an entry from the start.
    if (isNarrow) marked.value ??= first;
    else chosen.value ??= first;
    const focused = document.activeElement;
    const screen = pane.current?.closest('.screen');
    // Who has just opened the screen goes on here, and whose place has gone from under the focus.
    if (focused !== screen && focused !== document.body) return;
    if (isAlone) focusWork(pane.current);
    else pane.current?.querySelector<HTMLElement>('.catalog-list')?.focus();
  }, [isEmpty, isNarrow, isAlone]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    const form = pane.current?.querySelector<HTMLFormElement>('.entry-form');
    if (form === null || form === undefined || !isLive) return;
    event.preventDefault();
    form.requestSubmit();
  }

  const shown = entry && (
    <EntryPane
      key={`${entry.key} ${entry.sizeBytes}`}
      entry={entry}
      view={view}
      servers={servers}
      model={model}
    />
  );
  // There is room for one of them.
  if (isAlone) {
    return (
      // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a key for all that is in it
      <div class="catalog" ref={pane} onKeyDown={onKeyDown}>
        <button type="button" class="catalog-back" onClick={() => (chosen.value = undefined)}>
          ‹ All of {LISTS[kind].title.toLowerCase()}
        </button>
        {shown}
      </div>
    );
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a key for all that is in it
    <div class="catalog" ref={pane} onKeyDown={onKeyDown}>
      <CatalogBar list={list} servers={servers} model={model} />
      <SplitPane
        direction="row"
        label="Size of the entry"
        start={36}
        first={
          <CatalogList
            list={list}
            active={isNarrow ? marked : chosen}
            visits={view.visits}
            isOffered={offersList(view.identity.value, kind)}
            onOpen={(key) => {
              marked.value = key;
              chosen.value = key;
            }}
            onEnter={() => focusWork(pane.current)}
          />
        }
        second={shown}
      />
    </div>
  );
}

/** Goes where the chosen entry is filled in; to its button, where there is nothing to fill in. */
function focusWork(pane: HTMLElement | null): void {
  const form = pane?.querySelector('.entry-form');
  // Not the one that would only add a member.
  const field = form?.querySelector<HTMLElement>(':is(input, textarea, select):not(.field-new *)');
  (field ?? form?.querySelector<HTMLElement>('[type=submit]'))?.focus();
}

function chosenEntry(view: ServerView, kind: ListKind): Entry | undefined {
  const key = view.chosen[kind].value;
  const unlisted = view.unlisted.value;
  const found = view.lists[kind].listing.value.entries.find((entry) => entry.key === key);
  if (found !== undefined || kind !== 'resources' || unlisted === undefined) return found;
  const entry = unlistedEntry(unlisted);
  return entry.key === key ? entry : undefined;
}
