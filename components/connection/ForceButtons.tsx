import type { ConnectionSummary } from '../../lib/port/contract.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { forceTransport, toForceChoices } from '../../lib/state/connect/force-transport.ts';

interface ForceButtonsProps {
  connection: ConnectionSummary;
  model: AppModel;
}

/** Connecting again in one way only, and the end of connecting. */
export function ForceButtons({ connection, model }: ForceButtonsProps) {
  const { connectionId, state, url } = connection;
  return (
    <div class="connect-force" role="group" aria-label="Force a transport">
      <span aria-hidden="true">Force:</span>
      {toForceChoices(url).map(({ choice, label, url: target }) => (
        <button
          key={choice}
          type="button"
          class="bordered"
          title={`Connect again to ${target}`}
          onClick={() => forceTransport(model, connection, choice)}
        >
          {label}
        </button>
      ))}
      {state === 'connecting' && (
        <button
          type="button"
          class="bordered connect-stop"
          onClick={() => model.connector.disconnect(connectionId)}
        >
          Stop
        </button>
      )}
    </div>
  );
}
