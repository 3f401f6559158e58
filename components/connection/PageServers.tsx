import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { createPageHost, serversOf, suggestedServers } from '../../lib/state/connect/page-host.ts';
import { Icon } from '../ui/Icon.tsx';
import { focusUrl } from './focus-url.ts';
import './PageServers.css';

/** More would be a list, and this is a hint. */
const SHOWN = 3;

/** Servers that were connected before, on the host of the page that DevTools is open on. */
export function PageServers({ model }: { model: AppModel }) {
  const host = useMemo(() => createPageHost(model.watchInspected), [model]);
  useEffect(() => host.follow(), [host]);
  const dismissed = useSignal<string | undefined>(undefined);
  const name = host.name.value;
  const { connections, form, recentServers } = model;
  const near = suggestedServers(
    serversOf(name, recentServers.list.value),
    connections.value,
    form.url.value,
  );
  if (near.length === 0 || dismissed.value === name) return null;
  return (
    <aside class="page-servers" aria-label="Servers of this page">
      <span>This page is on {name}. Servers there:</span>
      {near.slice(0, SHOWN).map((server) => (
        <button
          key={server.url}
          type="button"
          class="link wire"
          title="Fill in this server, then press Enter to connect"
          onClick={() => {
            form.use(server);
            focusUrl();
          }}
        >
          {server.url}
        </button>
      ))}
      <button
        type="button"
        aria-label="Hide the servers of this page"
        title="Hide"
        onClick={() => (dismissed.value = name)}
      >
        <Icon name="close" />
      </button>
    </aside>
  );
}
