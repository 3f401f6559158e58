import { useSignal, type Signal } from '@preact/signals';
import type { FoundSecret } from '../../lib/state/captures/file-model.ts';
import { classWords } from '../../lib/state/detail/secret-words.ts';
import { formatCount } from '../../lib/text.ts';

interface SecretsProps {
  found: readonly FoundSecret[];
  /** Values that are not to be hidden. */
  kept: Signal<ReadonlySet<string>>;
}

/** More at once would make the page slow; the rest is hidden like these. */
const LISTED = 300;

/** What will be hidden, one by one: each can be looked at, and left as it is. */
export function ExportSecrets({ found, kept }: SecretsProps) {
  const rest = found.length - LISTED;
  return (
    <details class="export-secrets">
      <summary>Look at what was found</summary>
      <table aria-label="Secrets found">
        <thead>
          <tr>
            <th scope="col">Hide</th>
            <th scope="col">Kind</th>
            <th scope="col">Value</th>
            <th scope="col">Where</th>
          </tr>
        </thead>
        <tbody>
          {found.slice(0, LISTED).map((secret) => (
            <SecretRow key={secret.value} secret={secret} kept={kept} />
          ))}
        </tbody>
      </table>
      {rest > 0 && <p class="dim">And {formatCount(rest, 'other')}, which will be hidden.</p>}
    </details>
  );
}

function SecretRow({ secret, kept }: { secret: FoundSecret; kept: SecretsProps['kept'] }) {
  const { value, secretClass, places, count } = secret;
  const isRevealed = useSignal(false);
  const name = `${classWords(secretClass, 1)} in ${places[0] ?? 'a text'}`;
  const more = count - places.length;
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          aria-label={`Hide the ${name}`}
          checked={!kept.value.has(value)}
          onChange={({ currentTarget }) => {
            const next = new Set(kept.value);
            if (currentTarget.checked) next.delete(value);
            else next.add(value);
            kept.value = next;
          }}
        />
      </td>
      <th scope="row">{classWords(secretClass, 1)}</th>
      <td>
        <button
          type="button"
          class="link"
          aria-expanded={isRevealed.value}
          aria-label={`${isRevealed.value ? 'Cover' : 'Show'} the ${name}`}
          onClick={() => (isRevealed.value = !isRevealed.value)}
        >
          {isRevealed.value ? 'Cover' : 'Show'}
        </button>{' '}
        <code>
          {isRevealed.value ? value.slice(0, 2000) : formatCount(value.length, 'character')}
        </code>
      </td>
      <td>
        {places.join(', ')}
        {more > 0 && ` and ${formatCount(more, 'more place')}`}
      </td>
    </tr>
  );
}
