import { useId } from 'preact/hooks';
import type { ConnectionSummary } from '../../lib/port/contract.ts';
import type { SubscriptionsModel } from '../../lib/state/server/subscriptions-model.ts';

interface SubscribeFormProps {
  subscriptions: SubscriptionsModel;
  connection: ConnectionSummary | undefined;
}

const KINDS = [
  ['tools', 'Tools'],
  ['prompts', 'Prompts'],
  ['resources', 'Resources'],
] as const;

/** Begins a subscription: a stream of its own in 2026-07-28, one resource each before. */
export function SubscribeForm({ subscriptions, connection }: SubscribeFormProps) {
  const id = useId();
  const { wish } = subscriptions;
  const fault = subscriptions.faultOf(connection);
  return (
    <form
      class="tasks-bar"
      aria-label="Subscribe"
      onSubmit={(event) => {
        event.preventDefault();
        if (connection !== undefined && fault === undefined) subscriptions.subscribe(connection);
      }}
    >
      {connection?.era === 'modern' &&
        KINDS.map(([kind, title]) => (
          <label key={kind}>
            <input
              type="checkbox"
              checked={wish[kind].value}
              onChange={(event) => (wish[kind].value = event.currentTarget.checked)}
            />
            {title}
          </label>
        ))}
      <label class="tasks-uris">
        Resources, one URI a line{' '}
        <textarea
          rows={1}
          spellcheck={false}
          value={wish.uris.value}
          onInput={(event) => (wish.uris.value = event.currentTarget.value)}
        />
      </label>
      <button
        type="submit"
        class="bordered"
        disabled={fault !== undefined}
        aria-describedby={`${id}-fault`}
      >
        Subscribe
      </button>
      <span id={`${id}-fault`} class="dim">
        {fault}
      </span>
    </form>
  );
}
