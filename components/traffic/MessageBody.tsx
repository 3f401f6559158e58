import type { Cut } from '../../lib/capture/stored-text.ts';
import type { ParseResult } from '../../lib/json/parse.ts';
import type { Secrets } from '../../lib/state/secrets.ts';
import { JsonTree } from '../json/JsonTree.tsx';
import { RawText } from '../json/RawText.tsx';

interface MessageBodyProps {
  title: string;
  text: string;
  /** Absent for the raw view. */
  parsed: ParseResult | undefined;
  cuts: readonly Cut[];
  secrets: Secrets;
}

/** The text of a message: a tree where it is JSON, else where it stops being JSON and the raw text. */
export function MessageBody({ title, text, parsed, cuts, secrets }: MessageBodyProps) {
  if (parsed?.ok) return <JsonTree label={`${title} as a tree`} text={text} root={parsed.root} />;
  return (
    <>
      {parsed !== undefined && (
        <p class="message-note error">
          Not JSON, line {parsed.line}, column {parsed.column}: {parsed.message}
        </p>
      )}
      <RawText label={`${title}, raw`} text={text} cuts={cuts} secrets={secrets} />
    </>
  );
}
