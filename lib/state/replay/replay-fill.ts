import type { BackgroundFunctions } from '../../port/contract.ts';
import { fillMarks, marksIn, redactedIn } from './replay-marks.ts';

/** What was sent: the exchange or socket that carries it, and its origin. */
export interface Replayed {
  carrierId: string;
  replayOf: number | undefined;
}

/** Params or another text with its secrets; words where it must not be sent. */
export async function filledText(
  background: Pick<BackgroundFunctions, 'reveal'>,
  text: string | undefined,
): Promise<{ text: string | undefined } | { refused: string }> {
  if (text === undefined) return { text };
  const marks = marksIn(text);
  const values = marks.length === 0 ? {} : await background.reveal(marks);
  const filled = fillMarks(text, values);
  if (filled === undefined) {
    return {
      refused: 'It holds a secret that is no longer held. Edit it, and type the secret anew.',
    };
  }
  const redacted = redactedIn(filled);
  if (redacted === undefined) return { text: filled };
  return { refused: `It holds ${redacted} in the place of a secret. Edit it before it is sent.` };
}
