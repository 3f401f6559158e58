import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { MessageRef } from '../../lib/capture/items.ts';
import { isMessageHeld, recordedText } from '../../lib/capture/socket-record.ts';
import { parseJson } from '../../lib/json/parse.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { recordedCuts } from '../../lib/state/body-cuts.ts';
import { formatBytes } from '../../lib/text.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { MessageBody } from './MessageBody.tsx';
import { RevealButton } from './RevealButton.tsx';

interface MessageSectionProps {
  title: string;
  message: MessageRef;
  model: AppModel;
}

/** Texts above this size open raw: a tree of them takes long enough to be asked for. */
const TREE_LIMIT = 2_000_000;

/** One message, as a tree or raw. */
export function MessageSection({ title, message, model }: MessageSectionProps) {
  const { correlation } = model;
  // A request or an event never changes once it is there; a body grows.
  const version = message.in === 'body' ? correlation.https.get(message.httpId)?.sizeBytes : 0;
  const place = 'sequence' in message ? message.sequence : `${message.in} ${message.httpId}`;
  // What is on disk only has no text yet; asking for it is what brings it.
  const isHeld = isMessageHeld(correlation, message);
  const inputs = [correlation, place, version, isHeld];
  const text = useMemo(() => recordedText(correlation, message) ?? '', inputs);
  const cuts = useMemo(() => recordedCuts(correlation, message), inputs);
  const sizeBytes = useMemo(() => new Blob([text]).size, [text]);
  const chosen = useSignal<'tree' | 'raw' | undefined>(undefined);
  const view = chosen.value ?? (text.length > TREE_LIMIT ? 'raw' : 'tree');
  const parsed = useMemo(() => (view === 'tree' ? parseJson(text) : undefined), [text, view]);
  return (
    <section class="message" aria-label={title}>
      <div class="message-head">
        <h2>{title}</h2>
        <span class="dim">{isHeld ? formatBytes(sizeBytes) : 'reading it from disk…'}</span>
        <span class="message-views" role="group" aria-label={`View of the ${title.toLowerCase()}`}>
          <button
            type="button"
            aria-pressed={view === 'tree'}
            onClick={() => (chosen.value = 'tree')}
          >
            Tree
          </button>
          <button
            type="button"
            aria-pressed={view === 'raw'}
            onClick={() => (chosen.value = 'raw')}
          >
            Raw
          </button>
        </span>
        {view === 'raw' && <RevealButton cuts={cuts} secrets={model.secrets} />}
        <CopyButton
          text={() => text}
          title={`Copy the ${title.toLowerCase()} exactly as it is${cuts.length === 0 ? '' : '; secrets stay masked'}`}
        />
      </div>
      {isHeld && (
        <MessageBody
          key={text.length}
          title={title}
          text={text}
          parsed={parsed}
          cuts={cuts}
          secrets={model.secrets}
        />
      )}
    </section>
  );
}
