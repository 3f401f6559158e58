import { CLIENT_CHOICES } from '../../lib/state/connect/connect-client.ts';
import type { ConnectOptions } from '../../lib/state/connect/connect-options.ts';
import { OptionCheck } from './OptionCheck.tsx';
import { OptionField } from './OptionField.tsx';
import { OptionSelect } from './OptionSelect.tsx';

/** Another client that is played, to see what a server makes of it. */
export function ClientGroup({ options }: { options: ConnectOptions }) {
  const { client } = options;
  const faults = options.faults.value;
  return (
    <fieldset>
      <legend>Connect as</legend>
      <OptionSelect
        label="Client to play"
        value={client.chosen.value}
        choices={CLIENT_CHOICES}
        note={client.note.value === '' ? undefined : client.note.value}
        onChange={(next) => client.choose(next)}
      />
      <OptionField
        label="Name of the client"
        value={client.name}
        fault={faults.client}
        placeholder="wirescope"
      />
      <OptionField
        label="Version of the client"
        value={client.version}
        fault={undefined}
        placeholder="its own"
      />
      <OptionField
        label="Capabilities (JSON)"
        value={client.capabilities}
        fault={faults.capabilities}
        placeholder="what can be answered"
      />
      <OptionField
        label="Headers left out"
        value={client.omit}
        fault={faults.omit}
        placeholder="none"
      />
      <OptionField
        label="Accept, of every request"
        value={client.accept}
        fault={faults.accept}
        placeholder="what each needs"
      />
      <OptionCheck label="Leave the session behind, without DELETE" value={client.leavesSession} />
      <OptionCheck label="GET stream only in a session" value={client.streamNeedsSession} />
    </fieldset>
  );
}
