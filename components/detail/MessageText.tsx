import { useSignal, type Signal } from '@preact/signals';
import type { Cut } from '../../lib/capture/store/stored-text.ts';
import { scanOutline } from '../../lib/json/outline-scan.ts';
import { expansionBelow } from '../../lib/json/tree-expansion.ts';
import type { MessageView } from '../../lib/state/detail/message-view.ts';
import type { Secrets } from '../../lib/state/detail/secrets.ts';
import { JsonTree } from '../json/JsonTree.tsx';
import { MediaStrip } from '../json/MediaStrip.tsx';
import { RawText } from '../json/RawText.tsx';
import { TextValue } from '../json/TextValue.tsx';
import { useLongWork } from '../json/use-long-work.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Icon } from '../ui/Icon.tsx';
import { foldedSections } from './folded-sections.ts';
import { MessageHead } from './MessageHead.tsx';
import { RevealButton } from './RevealButton.tsx';

interface MessageTextProps {
  title: string;
  note: string;
  text: string;
  cuts: readonly Cut[];
  secrets: Secrets;
  view: Signal<MessageView>;
  /** A place in the text, in UTF-16 units, to bring into view. */
  place: number | undefined;
}

/** As many lines as a tree ever shows. */
const EVERYTHING = 50_000;
/** Stands for a text that nobody wants as a tree. */
const NOTHING = '0';

/** The text of a message: a tree where it is JSON, else where it stops being JSON and the raw text. */
export function MessageText(props: MessageTextProps) {
  const { title, note, text, cuts, secrets, view: chosen, place } = props;
  const isFolded = foldedSections.value.has(title);
  const wantsTree = chosen.value === 'tree' && !isFolded;
  const scan = useLongWork(() => scanOutline(wantsTree ? text : NOTHING), [text, wantsTree]);
  const expanded = useSignal<ReadonlySet<number> | undefined>(undefined);
  const shownText = useSignal<number | undefined>(undefined);
  const isTree = wantsTree && scan.failure === undefined;
  const lower = title.toLowerCase();

  return (
    <>
      <MessageHead title={title} note={note}>
        {isTree && (
          <span class="message-views">
            <button
              type="button"
              aria-label={`Expand all of the ${lower}`}
              title="Expand all"
              onClick={() => (expanded.value = new Set(expansionBelow(scan, 0, EVERYTHING)))}
            >
              <Icon name="expand" />
            </button>
            <button
              type="button"
              aria-label={`Collapse all of the ${lower}`}
              title="Collapse all"
              onClick={() => (expanded.value = new Set([0]))}
            >
              <Icon name="collapse" />
            </button>
          </span>
        )}
        <span class="message-views" role="group" aria-label={`View of the ${lower}`}>
          {(['tree', 'raw'] as const).map((view) => (
            <button
              key={view}
              type="button"
              aria-pressed={chosen.value === view}
              onClick={() => (chosen.value = view)}
            >
              {view === 'tree' ? 'Tree' : 'Raw'}
            </button>
          ))}
        </span>
        {!isTree && <RevealButton cuts={cuts} secrets={secrets} />}
        <CopyButton
          text={() => text}
          title={`Copy the ${lower} exactly as it is${cuts.length === 0 ? '' : '; secrets stay masked'}`}
        />
      </MessageHead>
      {!isFolded && isTree && (
        <>
          {scan.isDone && <MediaStrip json={scan} />}
          <JsonTree
            key={text.length}
            label={`${title} as a tree`}
            scan={scan}
            expanded={expanded}
            place={place}
            onShowText={(node) => (shownText.value = node)}
          />
          {shownText.value !== undefined && (
            <TextValue
              json={scan}
              node={shownText.value}
              secrets={secrets}
              onClose={() => (shownText.value = undefined)}
            />
          )}
        </>
      )}
      {!isFolded && !isTree && (
        <>
          {wantsTree && scan.failure !== undefined && (
            <p class="message-note error">
              Not JSON, line {scan.failure.line}, column {scan.failure.column}:{' '}
              {scan.failure.message}
            </p>
          )}
          <RawText
            label={`${title}, raw`}
            text={text}
            cuts={cuts}
            secrets={secrets}
            place={place}
          />
        </>
      )}
    </>
  );
}
