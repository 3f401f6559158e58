import type { AppModel } from '../../lib/state/app-model.ts';
import { LIST_KINDS, LISTS } from '../../lib/state/server/server-entries.ts';
import type { Capability, ServerIdentity } from '../../lib/state/server/server-identity.ts';
import { offersList } from '../../lib/state/server/server-open.ts';
import type { ServerModel, ServerView } from '../../lib/state/server/server-model.ts';
import { formatBytes, formatCount } from '../../lib/text.ts';
import { VisibleText } from '../json/VisibleText.tsx';
import { ChangesPanel } from './ChangesPanel.tsx';
import { openRow } from './open-row.ts';
import { VisitNote } from './VisitNote.tsx';

interface OverviewPaneProps {
  view: ServerView;
  servers: ServerModel;
  model: AppModel;
}

/** Who a server says it is, what it offers, and what has changed since the last visit. */
export function OverviewPane({ view, servers, model }: OverviewPaneProps) {
  const identity = view.identity.value;
  const choice = servers.choices.value.find((each) => each.connectionId === view.connectionId);
  return (
    <div class="server-overview">
      <ChangesPanel view={view} />
      <section class="server-overview-part" aria-label="Identity">
        <h3>Identity</h3>
        <dl class="facts">
          <Fact name="URL" text={view.url} />
          <Fact name="Link" text={choice?.link ?? ''} />
          {identity?.facts.map(({ name, text }) => (
            <Fact key={name} name={name} text={text} />
          ))}
          {identity?.icons.map(({ src, details }) => (
            <Fact key={src} name="icon" text={details === '' ? src : `${src} (${details})`} />
          ))}
          {identity !== undefined && identity.supportedVersions.length > 0 && (
            <Fact name="speaks" text={identity.supportedVersions.join(', ')} />
          )}
        </dl>
        {identity === undefined ? (
          <p class="dim">It has not introduced itself in this connection.</p>
        ) : (
          <p class="dim">
            As it says itself, and nobody has verified.{' '}
            <button type="button" class="link" onClick={() => openRow(model, identity.item)}>
              Show {identity.item.method} in the table
            </button>
          </p>
        )}
      </section>
      <Lists view={view} servers={servers} />
      {identity !== undefined && <Capabilities identity={identity} />}
      {identity?.instructions !== undefined && (
        <section class="server-overview-part" aria-label="Instructions">
          <h3>Instructions</h3>
          <p class="server-text">
            <VisibleText text={identity.instructions} />
          </p>
        </section>
      )}
      <VisitNote visits={view.visits} />
    </div>
  );
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <VisibleText text={text} />
      </dd>
    </>
  );
}

function Capabilities({ identity }: { identity: ServerIdentity }) {
  return (
    <section class="server-overview-part" aria-label="Capabilities">
      <h3>Capabilities</h3>
      <div class="server-overview-columns">
        <CapabilityList title="The server offers" list={identity.capabilities} />
        <CapabilityList title="Wirescope has declared" list={identity.declared} />
      </div>
    </section>
  );
}

function CapabilityList({ title, list }: { title: string; list: readonly Capability[] }) {
  return (
    <div>
      <h4>{title}</h4>
      {list.length === 0 ? (
        <p class="dim">nothing</p>
      ) : (
        <ul>
          {list.map(({ name, settings }) => (
            <li key={name}>
              <VisibleText text={name} /> <code class="dim">{settings}</code>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** All lists at once: how much there is, and what it weighs. */
function Lists({ view, servers }: { view: ServerView; servers: ServerModel }) {
  const kinds = LIST_KINDS.filter((kind) => offersList(view.identity.value, kind));
  const isLive = servers.live.value?.connectionId === view.connectionId;
  return (
    <section class="server-overview-part" aria-label="Lists">
      <h3>Lists</h3>
      <ul class="server-lists">
        {LIST_KINDS.map((kind) => {
          const { pages, entries, sizeBytes, nextCursor } = view.lists[kind].listing.value;
          const count = formatCount(entries.length, 'entry', 'entries');
          const isPart = nextCursor === undefined ? '' : ', not all of them loaded';
          const words =
            pages.length === 0
              ? kinds.includes(kind)
                ? 'not loaded'
                : 'not offered'
              : `${count}${isPart}, ${formatBytes(sizeBytes)} of definitions`;
          return (
            <li key={kind}>
              <button type="button" class="link" onClick={() => (servers.tab.value = kind)}>
                {LISTS[kind].title}
              </button>
              <span class="dim">{words}</span>
            </li>
          );
        })}
      </ul>
      {isLive && kinds.length > 0 && (
        <p class="dim">
          The tools are asked for when this screen opens, each of the others with its tab.
        </p>
      )}
      {isLive && kinds.length > 0 && (
        <button
          type="button"
          class="primary"
          title="Ask for every page of every list that the server offers"
          onClick={() => {
            for (const kind of kinds) view.lists[kind].loadAll();
          }}
        >
          Load all lists
        </button>
      )}
    </section>
  );
}
