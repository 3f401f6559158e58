import { useSignal } from '@preact/signals';
import type { Cut } from '../../lib/capture/store/stored-text.ts';
import type { Secrets } from '../../lib/state/detail/secrets.ts';
import { hexDump } from '../../lib/state/detail/hex-dump.ts';
import { decodeUtf8, formatBytes } from '../../lib/text.ts';
import { RawText } from '../json/RawText.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { RevealButton } from './RevealButton.tsx';

interface RawBytesProps {
  title: string;
  bytes: Uint8Array;
  /** Place of the first byte in the body. */
  offset: number;
  /** What was cut out of the bytes; places are those of their text. */
  cuts: readonly Cut[];
  secrets: Secrets;
}

/** A dump of more than this helps nobody; the text view has it all. */
const HEX_LIMIT = 64 * 1024;

/** Bytes exactly as they came: as text with every line end visible, or as a hex dump. */
export function RawBytes({ title, bytes, offset, cuts, secrets }: RawBytesProps) {
  const text = decodeUtf8(bytes);
  const isHex = useSignal(text === undefined);
  const dump = isHex.value ? hexDump(bytes.subarray(0, HEX_LIMIT), offset) : '';
  return (
    <section class="message raw-bytes" aria-label={title}>
      <div class="message-head">
        <h2>{title}</h2>
        <span class="dim">
          {formatBytes(bytes.length)} from offset {offset.toLocaleString('en')}
        </span>
        <span class="message-views" role="group" aria-label="View of the bytes">
          <button
            type="button"
            aria-pressed={!isHex.value}
            disabled={text === undefined}
            title={text === undefined ? 'These bytes are not UTF-8' : undefined}
            onClick={() => (isHex.value = false)}
          >
            Text
          </button>
          <button type="button" aria-pressed={isHex.value} onClick={() => (isHex.value = true)}>
            Hex
          </button>
        </span>
        {!isHex.value && <RevealButton cuts={cuts} secrets={secrets} />}
        <CopyButton text={() => (isHex.value ? dump : (text ?? ''))} title="Copy what is shown" />
      </div>
      <RawText
        label={`${title}, ${isHex.value ? 'hex' : 'text'}`}
        text={isHex.value ? dump : (text ?? '')}
        hasLineEnds={!isHex.value}
        cuts={isHex.value ? [] : cuts}
        secrets={secrets}
      />
      {isHex.value && bytes.length > HEX_LIMIT && (
        <p class="message-note dim">Only the first {formatBytes(HEX_LIMIT)} are shown.</p>
      )}
    </section>
  );
}
