import type { ConnectOptions } from '../../lib/state/connect/connect-options.ts';
import { AnswerGroup } from '../connection/AnswerGroup.tsx';
import { LinkGroup } from '../connection/LinkGroup.tsx';
import { OptionCheck } from '../connection/OptionCheck.tsx';
import { OriginGroup } from '../connection/OriginGroup.tsx';
import { ReconnectionGroup } from '../connection/ReconnectionGroup.tsx';
import '../connection/ConnectOptions.css';

interface NewConnectionsProps {
  options: ConnectOptions;
  onSave: () => void;
}

/** What the options of a connection begin with, where nothing else is known of its server. */
export function NewConnections({ options, onSave }: NewConnectionsProps) {
  const hasFaults = Object.keys(options.faults.value).length > 0;
  return (
    <section aria-labelledby="settings-connections">
      <h3 id="settings-connections">New connections</h3>
      <p class="dim">
        A server that was connected before begins with what it had then. All of this can be changed
        for each connection, under Options.
      </p>
      <div class="options-columns settings-groups">
        <LinkGroup options={options} url="" />
        <ReconnectionGroup options={options} />
        <fieldset>
          <legend>Sessions</legend>
          <OptionCheck
            label="Start a new session when the server forgets it"
            value={options.renewSession}
          />
        </fieldset>
        <OriginGroup options={options} />
        <AnswerGroup answers={options.answers} />
      </div>
      <button type="button" class="primary" disabled={hasFaults} onClick={onSave}>
        Use for new connections
      </button>
    </section>
  );
}
