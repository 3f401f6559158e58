import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { MediaContent } from '../../lib/state/detail/media-content.ts';
import './MediaFigure.css';

interface MediaFigureProps {
  /** Absent until it is asked for. */
  content: MediaContent | undefined;
  /** What stands for a picture where it cannot be seen. */
  alt: string;
  onMeasured?: (width: number, height: number) => void;
  /** What is known of it, before what is wrong with it. */
  children: ComponentChildren;
}

/** A picture or a sound of a message, and why it is not shown where it is not. */
export function MediaFigure({ content, alt, onMeasured, children }: MediaFigureProps) {
  const isUnreadable = useSignal(false);
  const fail = () => (isUnreadable.value = true);
  return (
    <figure class="media-item">
      {content?.kind === 'image' && !isUnreadable.value && (
        <img
          src={content.url}
          alt={alt}
          onError={fail}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            onMeasured?.(naturalWidth, naturalHeight)
          }
        />
      )}
      {content?.kind === 'audio' && !isUnreadable.value && (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- a server sends none
        <audio controls preload="metadata" src={content.url} onError={fail} />
      )}
      <figcaption>
        {children}
        {content?.kind === 'other' && <span class="dim"> not shown</span>}
        {content?.kind === 'broken' && <p class="error">{content.reason}.</p>}
        {isUnreadable.value && (
          <p class="error">Broken, or of another type: the browser cannot show it.</p>
        )}
        {content !== undefined && 'note' in content && <p class="warning">{content.note}.</p>}
      </figcaption>
    </figure>
  );
}
