import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { toMedia } from '../../lib/state/detail/media-content.ts';
import { base64Size } from '../../lib/state/detail/media-items.ts';
import type { ContentBlock } from '../../lib/state/server/server-results.ts';
import { formatBytes } from '../../lib/text.ts';
import { MediaFigure } from '../json/MediaFigure.tsx';
import { VisibleText } from '../json/VisibleText.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { JsonView } from './JsonView.tsx';

interface ContentViewProps {
  block: ContentBlock;
  /** Reads a resource that the content links to. */
  onRead: (uri: string) => void;
}

/** What is longer is shown when asked for, in UTF-16 units. */
const AT_ONCE = 50_000;

/** A piece of content by its kind. Nothing is fetched, and nothing is rendered as HTML. */
export function ContentView({ block, onRead }: ContentViewProps) {
  const { about } = block;
  return (
    <div class="content">
      {about !== '' && (
        <p class="dim content-about">
          <VisibleText text={about} />
        </p>
      )}
      <ContentBody block={block} onRead={onRead} />
    </div>
  );
}

function ContentBody({ block, onRead }: ContentViewProps) {
  switch (block.kind) {
    case 'text':
      return <TextContent text={block.text} />;
    case 'media':
      return <MediaContent mimeType={block.mimeType} base64={block.base64} />;
    case 'link':
      return (
        <p class="content-link">
          <strong>
            <VisibleText text={block.name} />
          </strong>{' '}
          <code>
            <VisibleText text={block.uri} />
          </code>{' '}
          <span class="dim">
            <VisibleText text={[block.mimeType, block.description].filter(Boolean).join(' · ')} />
          </span>{' '}
          <button
            type="button"
            class="bordered"
            aria-label={`Read ${block.uri}`}
            onClick={() => onRead(block.uri)}
          >
            Read
          </button>
        </p>
      );
    case 'unknown':
      return (
        <>
          <p class="warning">Content of no known kind, or without what its kind needs.</p>
          <JsonView label="Content" text={block.source} />
        </>
      );
  }
}

function TextContent({ text }: { text: string }) {
  const isWhole = useSignal(text.length <= AT_ONCE);
  return (
    <>
      <div class="content-actions">
        <CopyButton text={() => text} title="Copy the text exactly as it is" />
        {!isWhole.value && (
          <button type="button" class="link" onClick={() => (isWhole.value = true)}>
            Show all {text.length.toLocaleString('en')} characters
          </button>
        )}
      </div>
      <pre class="server-text content-text">
        <VisibleText text={isWhole.value ? text : text.slice(0, AT_ONCE)} />
      </pre>
    </>
  );
}

function MediaContent({ mimeType, base64 }: { mimeType: string; base64: string }) {
  const media = useMemo(() => toMedia(base64, mimeType.toLowerCase()), [base64, mimeType]);
  const start = base64.startsWith('data:') ? base64.indexOf(',') + 1 : 0;
  const size = formatBytes(base64Size(base64, start, base64.length));
  return (
    <div class="content-media">
      <MediaFigure content={media} alt={`${mimeType}, ${size}`}>
        <VisibleText text={mimeType === '' ? 'no type given' : mimeType} />, {size}
      </MediaFigure>
    </div>
  );
}
