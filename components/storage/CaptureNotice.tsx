import type { AppModel } from '../../lib/state/app-model.ts';
import './CaptureNotice.css';

/** Says that this page shows a stored capture, and leads back to what is live. */
export function CaptureNotice({ model }: { model: AppModel }) {
  const feed = model.feed.value;
  const name = feed.kind === 'stored' ? `“${feed.name}”` : 'A stored capture';
  const from =
    feed.kind === 'stored' && feed.file !== undefined ? `, imported from ${feed.file}` : '';
  return (
    <aside class="capture-notice" aria-label="Stored capture">
      <p>
        <strong>{name}</strong>
        {from} is shown as it was recorded. What connections do now goes into another capture.
      </p>
      <button type="button" class="bordered" onClick={() => model.storage.showCapture(undefined)}>
        Back to live
      </button>
    </aside>
  );
}
