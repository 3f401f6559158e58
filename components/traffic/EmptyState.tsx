import type { AppModel } from '../../lib/state/app-model.ts';
import { RecentServers } from '../connection/RecentServers.tsx';

/** What to do when there is nothing to see yet. */
export function EmptyState({ model }: { model: AppModel }) {
  const isLinked = model.connections.value.some(({ state }) => state === 'connected');
  return (
    <section class="empty" aria-label="Getting started">
      {isLinked ? (
        <p>Connected. Messages appear here as they travel.</p>
      ) : (
        <>
          <p>
            <strong>Nothing recorded yet.</strong>
          </p>
          <ol>
            <li>
              1. Paste the URL of an MCP endpoint above, for example http://localhost:3001/mcp.
            </li>
            <li>2. Press Connect, and allow access to that one host.</li>
            <li>3. Every request, stream and header appears here. Send a request of your own.</li>
          </ol>
          <RecentServers servers={model.recentServers} onUse={(server) => model.form.use(server)} />
        </>
      )}
    </section>
  );
}
