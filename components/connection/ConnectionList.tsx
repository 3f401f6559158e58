import type { AppModel } from '../../lib/state/app-model.ts';
import { deferred } from '../ui/Deferred.tsx';

const ConnectionEntry = deferred(
  async () => (await import('./ConnectionEntry.tsx')).ConnectionEntry,
);

/** Live connections, and ended ones until they are dismissed. */
export function ConnectionList({ model }: { model: AppModel }) {
  return (
    <div role="status" aria-label="Connections" class="connections">
      {model.connections.value.length > 0 && (
        <ul>
          {model.connections.value.map((connection) => (
            <ConnectionEntry key={connection.connectionId} connection={connection} model={model} />
          ))}
        </ul>
      )}
    </div>
  );
}
