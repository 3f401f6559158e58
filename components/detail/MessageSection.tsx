import { useEffect, useMemo } from 'preact/hooks';
import type { MessageRef } from '../../lib/capture/correlate/items.ts';
import { isMessageHeld } from '../../lib/capture/correlate/socket-record.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { recordedCuts } from '../../lib/state/detail/body-cuts.ts';
import { messageSize, readText } from '../../lib/state/detail/read-text.ts';
import { formatBytes } from '../../lib/text.ts';
import { useLongWork } from '../json/use-long-work.ts';
import { foldedSections, toggleSection } from './folded-sections.ts';
import { MessageHead } from './MessageHead.tsx';
import { MessageText } from './MessageText.tsx';

interface MessageSectionProps {
  title: string;
  message: MessageRef;
  model: Pick<AppModel, 'correlation' | 'secrets' | 'selection' | 'messageView'>;
}

/** A body that is still growing is read again with each chunk: no more than this, in bytes. */
const GROWING_LIMIT = 500_000;

/** One message, as a tree or raw. */
export function MessageSection({ title, message, model }: MessageSectionProps) {
  const { correlation } = model;
  const sizeBytes = messageSize(correlation, message);
  const found = model.selection.place.value;
  const place = found?.section === title ? found.start : undefined;
  useEffect(() => {
    // What is looked for lies in it.
    if (place !== undefined && foldedSections.peek().has(title)) toggleSection(title);
  }, [place, title]);
  const record = message.in === 'body' ? correlation.https.get(message.httpId) : undefined;
  const isGrowing = record !== undefined && record.end === undefined;
  if (isGrowing && sizeBytes > GROWING_LIMIT) {
    return (
      <section class="message" aria-label={title}>
        <MessageHead title={title} note={`${formatBytes(sizeBytes)} so far, still arriving`} />
      </section>
    );
  }
  return (
    <section
      class={`message${foldedSections.value.has(title) ? ' is-folded' : ''}`}
      aria-label={title}
    >
      <WholeMessage
        title={title}
        message={message}
        sizeBytes={sizeBytes}
        place={place}
        model={model}
      />
    </section>
  );
}

interface WholeMessageProps extends MessageSectionProps {
  sizeBytes: number;
  place: number | undefined;
}

function WholeMessage({ title, message, sizeBytes, place, model }: WholeMessageProps) {
  const { correlation } = model;
  const id = 'sequence' in message ? message.sequence : `${message.in} ${message.httpId}`;
  // What is on disk only has no text yet; asking for it is what brings it.
  const isHeld = isMessageHeld(correlation, message);
  // A request or an event never changes once it is there; a body grows.
  const inputs = [correlation, id, sizeBytes, isHeld];
  const reading = useLongWork(() => readText(correlation, message), inputs);
  const cuts = useMemo(() => recordedCuts(correlation, message), inputs);
  if (!isHeld) return <MessageHead title={title} note="reading it from disk…" />;
  if (!reading.isDone) {
    const note = `decoding… ${formatBytes(reading.readBytes)} of ${formatBytes(sizeBytes)}`;
    return <MessageHead title={title} note={note} />;
  }
  return (
    <MessageText
      key={`${id} ${reading.text.length}`}
      title={title}
      note={formatBytes(sizeBytes)}
      text={reading.text}
      cuts={cuts}
      secrets={model.secrets}
      view={model.messageView}
      place={place}
    />
  );
}
