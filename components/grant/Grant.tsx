import { useComputed } from '@preact/signals';
import type { GrantModel } from '../../lib/state/connect/grant-model.ts';
import { ProblemNotice } from '../ProblemNotice.tsx';
import '../theme.css';
import './Grant.css';

/** Asks for access to one host and says why. Absent model: the page was opened without a question. */
export function Grant({ model }: { model: GrantModel | undefined }) {
  return (
    <main class="grant">
      <h1>Allow Wirescope to reach a server</h1>
      {model === undefined ? (
        <p>
          There is nothing to allow here. This page opens by itself when a connection needs access
          to a host.
        </p>
      ) : (
        <Question model={model} />
      )}
    </main>
  );
}

function Question({ model }: { model: GrantModel }) {
  const { pattern, url, isForLogin } = model.request;
  const state = model.state.value;
  const words = useComputed(() => (isForLogin ? LOGIN_WORDS : WORDS)[model.state.value]);
  return (
    <>
      <p>
        {isForLogin
          ? 'To log in for the MCP server that you connect to, Wirescope needs access to the host of its authorization server:'
          : 'To connect to this MCP endpoint, Wirescope needs access to its host:'}
      </p>
      <pre class="grant-url">{url}</pre>
      <p>
        The browser grants it as <code>{pattern}</code>, for this host only. You can take it back at
        any time in the browser’s settings for extensions.
      </p>
      {model.problem.value && <ProblemNotice problem={model.problem.value} isAlert />}
      <p role="status">{words}</p>
      {(state === 'asking' || state === 'waiting') && (
        <div class="grant-actions">
          <button
            type="button"
            class="primary"
            disabled={state === 'waiting'}
            onClick={() => model.allow()}
          >
            Allow
          </button>
          <button
            type="button"
            class="bordered"
            disabled={state === 'waiting'}
            onClick={() => model.deny()}
          >
            Deny
          </button>
        </div>
      )}
    </>
  );
}

const WORDS = {
  asking: '',
  waiting: 'Waiting for the answer to the browser’s question…',
  granted: 'Allowed. Wirescope connects now; you can close this page and go back to the panel.',
  denied: 'Denied. Nothing was sent. To try again, press Connect in the panel.',
} as const;

const LOGIN_WORDS = {
  ...WORDS,
  granted: 'Allowed. The login goes on; you can close this page and go back to the panel.',
  denied: 'Denied. The login ends here. To try again, press Reconnect in the panel.',
} as const;
