import type { ConnectionSummary } from '../../lib/port/contract.ts';
import { toAskWords } from '../../lib/state/auth/auth-ask-words.ts';
import type { Connector } from '../../lib/state/connect/connector.ts';
import './AuthAskNotice.css';

interface AuthAskNoticeProps {
  connection: ConnectionSummary;
  connector: Connector;
}

/** What an authorization waits for its user to do, with the buttons that do it. */
export function AuthAskNotice({ connection, connector }: AuthAskNoticeProps) {
  const ask = connection.authorization?.ask;
  if (ask === undefined) return null;
  const { title, detail, yes, no } = toAskWords(ask);
  return (
    <div class="auth-ask" role="group" aria-label="Authorization">
      <p>
        <strong>{title}.</strong> {detail}
      </p>
      <p class="auth-ask-actions">
        {yes !== undefined && (
          <button
            type="button"
            class="primary"
            onClick={() => connector.answerAuth(connection, true)}
          >
            {ask.kind === 'permission' && !connector.canPrompt ? 'Open the permission page' : yes}
          </button>
        )}
        <button
          type="button"
          class="bordered"
          onClick={() => connector.answerAuth(connection, false)}
        >
          {no}
        </button>
      </p>
    </div>
  );
}
