import type { AppModel } from '../../lib/state/app-model.ts';
import { tellApart } from '../../lib/state/connect/tell-apart.ts';
import { LIST_KINDS, LISTS } from '../../lib/state/server/server-entries.ts';
import type { ServerModel, ServerTab, ServerView } from '../../lib/state/server/server-model.ts';
import { Screen } from '../ui/Screen.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { CatalogPane } from './CatalogPane.tsx';
import { OverviewPane } from './OverviewPane.tsx';
import { serverModelOf } from './server-models.ts';
import './ServerScreen.css';

/** What a server offers, and the ways to use it; over the traffic that it is made of. */
export function ServerScreen({ model }: { model: AppModel }) {
  const servers = serverModelOf(model);
  const view = servers.view.value;

  return (
    <Screen
      id="server"
      title="Server"
      isOpen={model.server.isOpen}
      bar={
        <>
          <ServerChoice servers={servers} />
          {servers.live.value === undefined && view !== undefined && (
            <span class="dim">not connected: only what was recorded is shown</span>
          )}
        </>
      }
    >
      {view === undefined ? (
        <p class="server-empty dim">Connect to a server first. What it offers is listed here.</p>
      ) : (
        <ServerTabs key={view.connectionId} view={view} servers={servers} model={model} />
      )}
    </Screen>
  );
}

function ServerChoice({ servers }: { servers: ServerModel }) {
  const choices = servers.choices.value;
  const shown = servers.view.value;
  if (choices.length === 0 || shown === undefined) return null;
  const labels = tellApart(
    choices.map(({ title, url, link }) =>
      [title, link, title === url ? '' : url].filter((part) => part !== '').join(' · '),
    ),
  );
  return (
    <select
      aria-label="Connection"
      title={labels[choices.findIndex(({ connectionId }) => connectionId === shown.connectionId)]}
      value={shown.connectionId}
      onChange={(event) => servers.choose(event.currentTarget.value)}
    >
      {choices.map(({ connectionId }, index) => (
        <option key={connectionId} value={connectionId}>
          {labels[index]}
        </option>
      ))}
    </select>
  );
}

interface ServerTabsProps {
  view: ServerView;
  servers: ServerModel;
  model: AppModel;
}

function ServerTabs({ view, servers, model }: ServerTabsProps) {
  const tab = servers.tab.value;
  const tabs: { name: ServerTab; title: string }[] = [
    { name: 'overview', title: 'Overview' },
    ...LIST_KINDS.map((kind) => ({ name: kind, title: tabTitle(view, kind) })),
  ];
  return (
    <Tabs label="Server" tabs={tabs} active={tab} onChange={(name) => (servers.tab.value = name)}>
      {tab === 'overview' ? (
        <OverviewPane view={view} servers={servers} model={model} />
      ) : (
        <CatalogPane key={tab} kind={tab} view={view} servers={servers} model={model} />
      )}
    </Tabs>
  );
}

/** A count tells only what was loaded. */
function tabTitle({ lists }: ServerView, kind: (typeof LIST_KINDS)[number]): string {
  const { pages, entries, nextCursor, changed } = lists[kind].listing.value;
  const count =
    pages.length === 0 ? '' : ` (${entries.length}${nextCursor === undefined ? '' : '+'})`;
  return `${LISTS[kind].title}${count}${changed === undefined ? '' : ', changed'}`;
}
