import type { ConnectOptions } from '../../lib/state/connect/connect-options.ts';
import { OptionField } from './OptionField.tsx';

/** How a stream that ended is opened again. */
export function ReconnectionGroup({ options }: { options: ConnectOptions }) {
  const { reconnection } = options;
  const faults = options.faults.value;
  return (
    <fieldset>
      <legend>Reconnection</legend>
      <OptionField
        label="First delay, seconds"
        value={reconnection.initialSeconds}
        fault={faults.initialDelay}
        isNumber
      />
      <OptionField
        label="Longest delay, seconds"
        value={reconnection.maxSeconds}
        fault={faults.maxDelay}
        isNumber
      />
      <OptionField label="Factor" value={reconnection.factor} fault={faults.factor} isNumber />
      <OptionField
        label="Retries, 0 for none"
        value={reconnection.retries}
        fault={faults.retries}
        isNumber
      />
      <p class="dim">
        For streams and sockets that break off. Each delay is the one before times the factor; what
        a server asks for with retry goes before.
      </p>
    </fieldset>
  );
}
