import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Outlined } from '../../lib/json/path.ts';
import { readMedia } from '../../lib/state/detail/media-content.ts';
import { findMedia, type MediaItem } from '../../lib/state/detail/media-items.ts';
import { formatBytes, formatCount } from '../../lib/text.ts';
import { MediaFigure } from './MediaFigure.tsx';
import { useLongWork } from './use-long-work.ts';
import { VisibleText } from './VisibleText.tsx';
import './MediaStrip.css';

/** What is larger than this is shown when asked for. */
const AT_ONCE_BYTES = 8_000_000;

/** Pictures and sounds in a message that has been read, from its own bytes. */
export function MediaStrip({ json }: { json: Outlined }) {
  const search = useLongWork(() => findMedia(json), [json]);
  const { items, found } = search;
  if (!search.isDone || items.length === 0) return null;
  return (
    <details class="media" open>
      <summary>{formatCount(found, 'binary item')}</summary>
      <div class="media-items">
        {items.map((item) => (
          <Media key={item.node} json={json} item={item} />
        ))}
      </div>
      {found > items.length && (
        <p class="dim">{formatCount(found - items.length, 'more', 'more')}: see the tree.</p>
      )}
    </details>
  );
}

function Media({ json, item }: { json: Outlined; item: MediaItem }) {
  const isAsked = useSignal(item.sizeBytes <= AT_ONCE_BYTES);
  const measured = useSignal('');
  const content = useMemo(
    () => (isAsked.value ? readMedia(json, item) : undefined),
    [json, item, isAsked.value],
  );
  const type = item.mimeType === '' ? 'no type given' : item.mimeType;
  return (
    <MediaFigure
      content={content}
      alt={item.path}
      onMeasured={(width, height) => (measured.value = `, ${width} × ${height}`)}
    >
      <span title={item.path}>
        <VisibleText text={type} />, {formatBytes(item.sizeBytes)}
        {measured.value}
      </span>
      {!isAsked.value && (
        <button type="button" class="link" onClick={() => (isAsked.value = true)}>
          Show
        </button>
      )}
    </MediaFigure>
  );
}
