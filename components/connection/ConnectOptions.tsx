import type { ReadonlySignal, Signal } from '@preact/signals';
import type { RecentServer } from '../../lib/port/contract.ts';
import type { ConnectForm } from '../../lib/state/connect-form.ts';
import { HeaderEditor } from './HeaderEditor.tsx';
import { RecentServers } from './RecentServers.tsx';

interface ConnectOptionsProps {
  form: ConnectForm;
  servers: ReadonlySignal<readonly RecentServer[]>;
}

/** Everything about a connection that has a good default. */
export function ConnectOptions({ form, servers }: ConnectOptionsProps) {
  return (
    <section class="connect-options" aria-label="Options for the next connection">
      <HeaderEditor form={form} />
      <div class="connect-numbers">
        <NumberField label="Size limit of one message, MiB" value={form.limitMib} />
        <NumberField label="Idle timeout, seconds" value={form.idleSeconds} />
        <label>
          <input
            type="checkbox"
            checked={form.openStream.value}
            onChange={(event) => (form.openStream.value = event.currentTarget.checked)}
          />
          Open the GET stream
        </label>
      </div>
      <RecentServers servers={servers} onUse={(server) => form.use(server)} />
    </section>
  );
}

function NumberField({ label, value }: { label: string; value: Signal<string> }) {
  return (
    <label>
      {label}
      <input
        type="text"
        inputMode="decimal"
        size={6}
        value={value.value}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
    </label>
  );
}
