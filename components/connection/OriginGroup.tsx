import type { ConnectOptions } from '../../lib/state/connect/connect-options.ts';
import { OptionField } from './OptionField.tsx';

const POLICIES = [
  ['none', 'None'],
  ['extension', 'The extension’s own'],
  ['value', 'This value'],
] as const;

/** What `Origin` header the MCP endpoint sees. */
export function OriginGroup({ options }: { options: ConnectOptions }) {
  const { kind, value } = options.origin;
  return (
    <fieldset>
      <legend>Origin</legend>
      {POLICIES.map(([policy, title]) => (
        <label key={policy} class="option-check">
          <input
            type="radio"
            name="origin-policy"
            checked={kind.value === policy}
            onChange={() => (kind.value = policy)}
          />
          {title}
        </label>
      ))}
      {kind.value === 'value' && (
        <OptionField
          label="Origin header"
          value={value}
          fault={options.faults.value.origin}
          placeholder="https://example.com"
        />
      )}
      <p class="dim">
        Many servers refuse an Origin that they do not know. None is what clients outside of
        browsers send.
      </p>
    </fieldset>
  );
}
