import type { ReadonlySignal } from '@preact/signals';
import type { RecentServer } from '../../lib/port/contract.ts';

interface RecentServersProps {
  servers: ReadonlySignal<readonly RecentServer[]>;
  onUse: (server: RecentServer) => void;
}

/** Servers that were connected before; choosing one fills the form. */
export function RecentServers({ servers, onUse }: RecentServersProps) {
  if (servers.value.length === 0) return null;
  return (
    <div class="recent">
      <h2>Recent servers</h2>
      <ul aria-label="Recent servers">
        {servers.value.map((server) => (
          <li key={server.url}>
            <button type="button" onClick={() => onUse(server)}>
              <span class="recent-url">{server.url}</span>
              {server.name !== undefined && <span class="dim"> {server.name}</span>}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
