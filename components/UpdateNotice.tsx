import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { UpdateDesk } from '../lib/state/connect/update-desk.ts';
import { updateWords } from '../lib/state/connect/update-words.ts';
import './UpdateNotice.css';

/** Says that an update waits, and what it ends where it is put in place now. */
export function UpdateNotice({ desk }: { desk: UpdateDesk }) {
  const version = useSignal('');
  useEffect(() => desk.watchUpdate((found) => (version.value = found)), [desk]);
  return (
    // A live region tells of nothing but changes, so it is there before there is anything to say.
    <div role="status" aria-label="Update" class="update" hidden={version.value === ''}>
      {version.value !== '' && (
        <>
          <span>
            <strong>Wirescope {version.value} is ready</strong> and waits until nothing of it is
            open.
          </span>
          <button type="button" class="bordered" onClick={desk.update}>
            Update now
          </button>
          <span class="dim">{updateWords(desk.connections.value)}</span>
        </>
      )}
    </div>
  );
}
