import type { Composer } from '../../lib/state/composer/composer-model.ts';
import { toServerTitle } from '../../lib/state/connect/server-title.ts';
import { tellApart } from '../../lib/state/connect/tell-apart.ts';

/** Where a request goes: which connection, or none for a whole HTTP request. */
export function SendTarget({ composer }: { composer: Composer }) {
  const { choices, connection, isAlone, mode } = composer;
  const mayBeAlone = mode.value === 'http';
  if (choices.value.length < 2 && !mayBeAlone) return null;
  const chosen = mayBeAlone && isAlone.value ? '' : connection.value?.connectionId;
  const labels = tellApart(
    choices.value.map((choice) => `${toServerTitle(choice)} (${choice.url})`),
  );
  return (
    <label class="send-target">
      Connection{' '}
      <select
        value={chosen ?? ''}
        onChange={(event) => {
          const { value } = event.currentTarget;
          isAlone.value = mayBeAlone && value === '';
          if (value !== '') composer.choose(value);
        }}
      >
        {mayBeAlone && <option value="">None</option>}
        {choices.value.map((choice, index) => (
          <option key={choice.connectionId} value={choice.connectionId}>
            {labels[index]}
          </option>
        ))}
      </select>
    </label>
  );
}
