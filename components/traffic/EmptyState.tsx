import { useMemo } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { createFirstSteps, EXAMPLES } from '../../lib/state/captures/first-steps.ts';
import { RecentServers } from '../connection/RecentServers.tsx';
import { ProblemNotice } from '../ProblemNotice.tsx';

/** What to do when there is nothing to see yet. */
export function EmptyState({ model }: { model: AppModel }) {
  const steps = useMemo(
    () => createFirstSteps({ ...model.firstSteps, storage: model.storage }),
    [model],
  );
  const { opening, problem } = steps;
  return (
    <section class="empty" aria-label="Getting started">
      <p>
        <strong>No connection has been recorded yet.</strong>
      </p>
      <ol>
        <li>1. Paste the URL of an MCP endpoint above, for example http://localhost:3001/mcp.</li>
        <li>2. Press Connect, and allow access to that one host.</li>
        <li>3. Every request, stream and header appears here. Send a request of your own.</li>
      </ol>
      <div>
        <h2>Or look at an example, without a server</h2>
        <ul class="empty-examples" aria-label="Examples">
          {EXAMPLES.map(({ file, title }) => (
            <li key={file}>
              <button
                type="button"
                class="link"
                disabled={opening.value !== undefined}
                onClick={() => void steps.openExample(file)}
              >
                {title}
              </button>
            </li>
          ))}
        </ul>
      </div>
      {problem.value && <ProblemNotice problem={problem.value} isAlert />}
      <p>
        Or drop a HAR file here: of Wirescope, of a browser’s Network panel, of a proxy. Or{' '}
        <button type="button" class="link" onClick={() => (model.settings.isOpen.value = true)}>
          import the servers of another client
        </button>
        .
      </p>
      <RecentServers servers={model.recentServers} onUse={(server) => model.form.use(server)} />
    </section>
  );
}
