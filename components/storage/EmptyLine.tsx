import { isEmpty } from '../../lib/state/captures/capture-list.ts';
import type { StorageModel } from '../../lib/state/captures/storage-model.ts';
import { formatCount } from '../../lib/text.ts';

/** Fewer than these are no trouble. */
const MANY = 3;

/** Offers to delete captures without traffic, of which there is one for every start of the browser. */
export function EmptyLine({ desk }: { desk: StorageModel }) {
  const empty = desk.rows.value.filter(isEmpty);
  if (empty.length < MANY) return null;
  return (
    <p>
      <span class="dim">{formatCount(empty.length, 'capture')} hold no traffic.</span>{' '}
      <button
        type="button"
        class="link"
        onClick={() => desk.removal.remove(empty.map(({ capture }) => capture))}
      >
        Delete them
      </button>
    </p>
  );
}
