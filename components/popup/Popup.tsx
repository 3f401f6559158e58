import { useEffect } from 'preact/hooks';
import type { PopupModel } from '../../lib/state/connect/popup-model.ts';
import { ConnectForm } from '../connection/ConnectForm.tsx';
import { focusUrl } from '../connection/focus-url.ts';
import { RecentServers } from '../connection/RecentServers.tsx';
import { FeedEnded } from '../FeedEnded.tsx';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { deferred } from '../ui/Deferred.tsx';
import '../connection/ConnectionBar.css';
import '../theme.css';
import './Popup.css';

const MissingSecrets = deferred(async () => (await import('./MissingSecrets.tsx')).MissingSecrets);

const UpdateNotice = deferred(async () => (await import('../UpdateNotice.tsx')).UpdateNotice);

const PopupConnection = deferred(
  async () => (await import('./PopupConnection.tsx')).PopupConnection,
);

interface PopupProps {
  model: PopupModel;
  /** On what the server of a connection offers, if one is named. */
  onOpenTab: (connectionId?: string) => void;
}

/** The toolbar popup: connect, see what is connected, go on to the panel. */
export function Popup({ model, onOpenTab }: PopupProps) {
  const { connections, connector, form } = model;
  // What comes first is to paste an address.
  useEffect(focusUrl, []);
  return (
    <main class="popup">
      <h1>Wirescope</h1>
      <FeedEnded feed={model.feed} />
      <ConnectForm form={form} connector={connector} />
      {form.asked.value.length > 0 && <MissingSecrets form={form} />}
      {connector.problem.value && <ProblemNotice problem={connector.problem.value} isAlert />}
      {connections.value.length > 0 && (
        <ul aria-label="Connections" class="popup-connections">
          {connections.value.map((connection) => (
            <PopupConnection
              key={connection.connectionId}
              connection={connection}
              connector={connector}
              onReconnect={model.reconnect}
              onExplore={onOpenTab}
            />
          ))}
        </ul>
      )}
      <RecentServers servers={model.recentServers} onUse={(server) => form.use(server)} />
      <UpdateNotice desk={model.update} />
      <footer class="popup-foot">
        <button type="button" class="bordered" onClick={() => onOpenTab()}>
          Open in a tab
        </button>
        <span class="dim">
          or <kbd>F12</kbd> → MCP
        </span>
      </footer>
    </main>
  );
}
