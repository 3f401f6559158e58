import type { AppModel } from '../../lib/state/app-model.ts';
import type { SentEntry, SentList } from '../../lib/state/composer/composer-sent.ts';
import { isPending } from '../../lib/state/view/item-status.ts';
import { toRow } from '../../lib/state/view/rows.ts';

/** What was sent from here lately: how it stands, and how to stop it. */
export function SentRequests({ sent, model }: { sent: SentList; model: AppModel }) {
  const entries = sent.entries.value;
  if (entries.length === 0) return null;
  return (
    <ul class="sent-list" aria-label="Sent from here">
      {entries.map((entry) => (
        <li key={entry.key}>
          <SentLine entry={entry} sent={sent} model={model} />
        </li>
      ))}
    </ul>
  );
}

function SentLine({ entry, sent, model }: { entry: SentEntry; sent: SentList; model: AppModel }) {
  const { item } = entry;
  const isOpen = item === undefined || isPending(item, model.correlation);
  const row = item && toRow(item, model.correlation);
  const unseen =
    model.storage.shownId === undefined ? 'on its way' : 'in the capture that is being recorded';
  return (
    <>
      <span class="wire sent-words">{entry.words}</span>
      <span class={isOpen ? 'dim' : row?.level === 'error' ? 'error' : ''}>
        {[row?.status ?? unseen, isOpen ? entry.progress : row?.duration]
          .filter(Boolean)
          .join(' · ')}
      </span>
      {item !== undefined && (
        <button
          type="button"
          class="link"
          aria-label={`Show ${entry.words}`}
          onClick={() => model.selection.open(item)}
        >
          Show
        </button>
      )}
      {isOpen && (
        <button
          type="button"
          class="link"
          aria-label={`Cancel ${entry.words}`}
          onClick={() => sent.cancel(entry)}
        >
          Cancel
        </button>
      )}
    </>
  );
}
