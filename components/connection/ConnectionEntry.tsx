import type { ConnectionState, ConnectionSummary } from '../../lib/port/contract.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import {
  canSend,
  isOver,
  isUnderWay,
  needsHost,
} from '../../lib/state/connect/connection-state.ts';
import { toLinkWords, toStateWords } from '../../lib/state/connect/connection-words.ts';
import { toServerTitle } from '../../lib/state/connect/server-title.ts';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { RunningTime } from '../RunningTime.tsx';
import { deferred } from '../ui/Deferred.tsx';
import { StateSign } from './StateSign.tsx';

const Lab = deferred(async () => (await import('../lab/Lab.tsx')).Lab);
const AnswerSettings = deferred(
  async () => (await import('../questions/AnswerSettings.tsx')).AnswerSettings,
);
const ChannelSigns = deferred(async () => (await import('./ChannelSigns.tsx')).ChannelSigns);
const AuthAskNotice = deferred(
  async () => (await import('../auth/AuthAskNotice.tsx')).AuthAskNotice,
);
const ConnectCard = deferred(async () => (await import('./ConnectCard.tsx')).ConnectCard);

interface ConnectionEntryProps {
  connection: ConnectionSummary;
  model: AppModel;
}

const STATE_CLASSES: Partial<Record<ConnectionState, string>> = {
  failed: 'error',
  lost: 'warning',
};

/** One connection: who is at the other end, over what, and how it stands. */
export function ConnectionEntry({ connection, model }: ConnectionEntryProps) {
  const title = toServerTitle(connection);
  return (
    <li class="connection">
      <div class="connection-line">
        <StateSign state={connection.state} />
        <span class="connection-title" title={`${title} ${connection.url}`}>
          {title}
        </span>
        {toLinkWords(connection).map((words) => (
          <span key={words} class="dim">
            {words}
          </span>
        ))}
        <span class={STATE_CLASSES[connection.state]}>
          {toStateWords(connection)}
          {isUnderWay(connection) && (
            // Not for a live region to read out ten times a second.
            <span aria-hidden="true" class="dim">
              {' '}
              <RunningTime clock={model.clock} since={connection.since} />
            </span>
          )}
        </span>
        <ChannelSigns connection={connection} model={model} />
        {connection.authorization?.ask && (
          <AuthAskNotice connection={connection} connector={model.connector} />
        )}
        {/* What went wrong stands before all that explains it. */}
        {connection.problem && <ProblemNotice problem={connection.problem} />}
        {connection.state !== 'asking' && <ConnectCard connection={connection} model={model} />}
        {(canSend(connection) || isOver(connection)) && connection.transport !== undefined && (
          <Lab connection={connection} model={model} />
        )}
        {canSend(connection) && <AnswerSettings connection={connection} model={model} />}
        <span class="connection-actions">
          {hasAuthorization(connection, model) && (
            <button
              type="button"
              class="bordered"
              title="The tokens that are held, and what can be done with them"
              aria-expanded={model.credentials.isOpen.value}
              onClick={() => (model.credentials.isOpen.value = !model.credentials.isOpen.value)}
            >
              Credentials
            </button>
          )}
          <EntryActions connection={connection} model={model} />
        </span>
      </div>
    </li>
  );
}

/** Whether its server has asked for authorization, as far as the log tells. */
function hasAuthorization({ url, authorization }: ConnectionSummary, { recorded }: AppModel) {
  if (authorization !== undefined) return true;
  for (const { facts } of recorded.auths.values()) {
    if (facts.some((fact) => fact.kind === 'auth-started' && fact.url.text === url)) return true;
  }
  return false;
}

function EntryActions({ connection, model }: ConnectionEntryProps) {
  const { connector } = model;
  const { connectionId } = connection;
  const allow = needsHost(connection) && (
    <button type="button" class="primary" onClick={() => connector.allow(connection)}>
      {model.canRequestPermission ? 'Allow' : 'Open the permission page'}
    </button>
  );
  if (isOver(connection)) {
    return (
      <>
        {allow || <ReconnectButton connection={connection} model={model} />}
        <button type="button" class="bordered" onClick={() => connector.dismiss(connectionId)}>
          Dismiss
        </button>
      </>
    );
  }
  return (
    <>
      {allow}
      {canSend(connection) && (
        <button
          type="button"
          class="bordered"
          title="Show what this server offers: tools, resources, prompts"
          onClick={() => {
            model.server.wanted.value = connectionId;
            model.server.isOpen.value = true;
          }}
        >
          Explore
        </button>
      )}
      {connection.state === 'lost' && <ReconnectButton connection={connection} model={model} />}
      {/* While it connects, the card has this button. */}
      {connection.state !== 'connecting' && (
        <button
          type="button"
          class="bordered"
          disabled={connection.state === 'closing'}
          onClick={() => connector.disconnect(connectionId)}
        >
          {isUnderWay(connection) ? 'Stop' : 'Disconnect'}
        </button>
      )}
    </>
  );
}

function ReconnectButton({ connection, model }: ConnectionEntryProps) {
  return (
    <button
      type="button"
      class="bordered"
      title="Connect again with the same options"
      onClick={() => model.reconnect(connection)}
    >
      Reconnect
    </button>
  );
}
