import type { ComposerDesk } from '../../lib/state/composer/composer-desk.ts';
import type { KeptDraft } from '../../lib/state/composer/composer-saved.ts';
import { formatClock } from '../../lib/text.ts';
import { Icon } from '../ui/Icon.tsx';

/** What was saved for this server, and what was sent to it lately. */
export function KeptRequests({ desk }: { desk: ComposerDesk }) {
  const { kept } = desk;
  const history = kept.history.value;
  const saved = kept.saved.value;
  if (history.length === 0 && saved.length === 0) return null;
  return (
    <div class="send-kept">
      {saved.length > 0 && <KeptList title="Saved requests" list={saved} desk={desk} />}
      {history.length > 0 && (
        <>
          <KeptList title="Sent before" list={history} desk={desk} hasTimes />
          <button type="button" class="link" onClick={() => kept.clearHistory(desk.server())}>
            Forget all that was sent
          </button>
        </>
      )}
    </div>
  );
}

interface KeptListProps {
  title: string;
  list: readonly KeptDraft[];
  desk: ComposerDesk;
  hasTimes?: boolean;
}

function KeptList({ title, list, desk, hasTimes = false }: KeptListProps) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {list.map(({ id, name, at, draft }) => (
          <li key={id}>
            <button type="button" class="link" onClick={() => desk.composer.fill(draft)}>
              {name}
            </button>
            {hasTimes && <span class="dim">{formatClock(at).slice(0, 8)}</span>}
            <button
              type="button"
              aria-label={`Remove ${name}`}
              onClick={() => desk.kept.remove(desk.server(), id)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
