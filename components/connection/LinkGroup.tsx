import { LEGACY_REVISIONS } from '../../lib/protocol/revisions.ts';
import { forcedTransport } from '../../lib/state/connect/connect-form.ts';
import type { ConnectOptions } from '../../lib/state/connect/connect-options.ts';
import { OptionCheck } from './OptionCheck.tsx';
import { OptionField } from './OptionField.tsx';
import { OptionSelect } from './OptionSelect.tsx';

const TRANSPORTS = [
  ['auto', 'Automatic'],
  ['modern', 'Streamable HTTP, 2026-07-28'],
  ['streamable-http', 'Streamable HTTP, legacy'],
  ['http-sse', 'HTTP+SSE'],
  ['websocket', 'WebSocket'],
] as const;
const REVISIONS = LEGACY_REVISIONS.map((revision) => [revision, revision] as const);

interface LinkGroupProps {
  options: ConnectOptions;
  /** Its scheme may leave no choice; empty where the options are not about one server. */
  url: string;
  /** For who leads the user to the size limit. */
  limitId?: string;
}

/** How messages travel, and how long they may be and take. */
export function LinkGroup({ options, url, limitId }: LinkGroupProps) {
  const faults = options.faults.value;
  const forced = forcedTransport(url);
  const transport = forced ?? options.transport.value;
  return (
    <fieldset>
      <legend>Link</legend>
      <OptionSelect
        label="Transport"
        value={transport}
        choices={TRANSPORTS}
        isDisabled={forced !== undefined}
        fault={faults.transport}
        note={forced === undefined ? undefined : 'The scheme of the URL decides.'}
        onChange={(chosen) => (options.transport.value = chosen)}
      />
      <OptionSelect
        label="Revision to offer"
        value={options.offerRevision.value}
        choices={REVISIONS}
        isDisabled={transport === 'modern'}
        note={transport === 'modern' ? 'Revision 2026-07-28 has no handshake.' : undefined}
        onChange={(revision) => (options.offerRevision.value = revision)}
      />
      <OptionField
        {...(limitId === undefined ? {} : { id: limitId })}
        label="Size limit of one message, MiB"
        value={options.limitMib}
        fault={faults.limit}
        isNumber
      />
      <OptionField
        label="Idle timeout, seconds"
        value={options.idleSeconds}
        fault={faults.idle}
        isNumber
      />
      <OptionCheck label="Open the GET stream" value={options.openStream} />
      <p class="dim">
        What is longer than the limit is cut, and said to be. The timeout begins anew with each
        progress. The GET stream is where a legacy server speaks by itself.
      </p>
    </fieldset>
  );
}
