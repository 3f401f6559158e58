import { Fragment } from 'preact';
import type { ConnectionSummary } from '../../lib/port/contract.ts';
import {
  canReconnect,
  isOver,
  isUnderWay,
  needsHost,
} from '../../lib/state/connect/connection-state.ts';
import { toLinkWords, toStateWords } from '../../lib/state/connect/connection-words.ts';
import { toServerTitle } from '../../lib/state/connect/server-title.ts';
import type { Connector } from '../../lib/state/connect/connector.ts';
import { formatCount } from '../../lib/text.ts';
import { deferred } from '../ui/Deferred.tsx';
import { StateSign } from '../connection/StateSign.tsx';
import { ProblemNotice } from '../ProblemNotice.tsx';

const AuthAskNotice = deferred(
  async () => (await import('../auth/AuthAskNotice.tsx')).AuthAskNotice,
);

/** Chrome's question closes the popup that asked. What has waited since before is not being asked about now. */
const shownAt = Date.now();

interface PopupConnectionProps {
  connection: ConnectionSummary;
  connector: Connector;
  onReconnect: (connection: ConnectionSummary) => void;
  onExplore: (connectionId: string) => void;
}

/** One connection in the popup. */
export function PopupConnection({
  connection,
  connector,
  onReconnect,
  onExplore,
}: PopupConnectionProps) {
  const { connectionId, messageCount, questions, state } = connection;
  const title = toServerTitle(connection);
  return (
    <li class="popup-connection">
      <div class="popup-line">
        <StateSign state={state} />
        <strong class="popup-title" title={connection.url}>
          {title}
        </strong>
        {isOver(connection) ? (
          <button
            type="button"
            class="bordered"
            aria-label={`Dismiss ${title}`}
            onClick={() => connector.dismiss(connectionId)}
          >
            Dismiss
          </button>
        ) : (
          <button
            type="button"
            class="bordered"
            aria-label={`${isUnderWay(connection) ? 'Stop' : 'Disconnect'} ${title}`}
            disabled={state === 'closing'}
            onClick={() => connector.disconnect(connectionId)}
          >
            {isUnderWay(connection) ? 'Stop' : 'Disconnect'}
          </button>
        )}
      </div>
      <p class="popup-words">
        <span class={state === 'failed' ? 'error' : ''}>{toStateWords(connection)} ·</span>{' '}
        {/* No line begins with a dot. */}
        {toLinkWords(connection).map((words) => (
          <Fragment key={words}>
            <span class="dim">{words} ·</span>{' '}
          </Fragment>
        ))}
        <span class="dim">{formatCount(messageCount, 'message')}</span>
      </p>
      {questions.length > 0 && (
        <p>
          <strong class="badge">{formatCount(questions.length, 'open question')}</strong>{' '}
          <span class="dim">Answer in the panel.</span>
        </p>
      )}
      {connection.problem && <ProblemNotice problem={connection.problem} />}
      {state === 'asking' && connection.since < shownAt && (
        <p>
          You have not allowed it yet, so nothing was sent. Choose Allow, and the browser asks
          again.
        </p>
      )}
      {needsHost(connection) && (
        <button type="button" class="primary" onClick={() => connector.allow(connection)}>
          Allow
        </button>
      )}
      {canReconnect(connection) && (
        <button
          type="button"
          class="primary"
          title="Connect again with the same options"
          onClick={() => onReconnect(connection)}
        >
          Reconnect
        </button>
      )}
      {state === 'connected' && (
        <button
          type="button"
          class="primary"
          title="Show what this server offers: tools, resources, prompts"
          onClick={() => onExplore(connectionId)}
        >
          Explore
        </button>
      )}
      {connection.authorization?.ask && (
        <AuthAskNotice connection={connection} connector={connector} />
      )}
    </li>
  );
}
