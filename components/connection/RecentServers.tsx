import type { RecentServer } from '../../lib/port/contract.ts';
import type { RecentServers as Servers } from '../../lib/state/connect/recent-servers.ts';
import { Icon } from '../ui/Icon.tsx';
import { focusUrl } from './focus-url.ts';

interface RecentServersProps {
  servers: Servers;
  onUse: (server: RecentServer) => void;
}

/** Servers that were connected before; choosing one fills the form, and Enter connects. */
export function RecentServers({ servers, onUse }: RecentServersProps) {
  if (servers.list.value.length === 0) return null;
  return (
    <div class="recent">
      <h2>Recent servers</h2>
      <ul aria-label="Recent servers">
        {servers.list.value.map((server) => (
          <li key={server.url}>
            <button
              type="button"
              class="recent-use"
              title={server.url}
              onClick={() => {
                onUse(server);
                focusUrl();
              }}
            >
              <span class="recent-url">{server.url}</span>
              {server.name !== undefined && <span class="dim"> {server.name}</span>}
            </button>
            <button
              type="button"
              class="recent-forget"
              aria-label={`Forget ${server.url}`}
              title="Forget this server"
              onClick={() => servers.forget(server.url)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
