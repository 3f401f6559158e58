import type { Cut } from '../../lib/capture/store/stored-text.ts';
import type { Secrets } from '../../lib/state/detail/secrets.ts';
import { SecretPieces } from '../json/SecretPieces.tsx';
import { RevealButton } from './RevealButton.tsx';

interface SecretTextProps {
  text: string;
  cuts: readonly Cut[] | undefined;
  secrets: Secrets;
}

/** A header or URL as it is stored, with a button that shows its secrets. */
export function SecretText({ text, cuts, secrets }: SecretTextProps) {
  return (
    <>
      <SecretPieces text={text} cuts={cuts} secrets={secrets} unit="text" />
      <RevealButton cuts={cuts} secrets={secrets} />
    </>
  );
}
