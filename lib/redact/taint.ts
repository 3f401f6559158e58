import { createFinder, type Finder } from './finder.ts';
import { isPlainWord } from './plain-words.ts';
import { spellingsOf } from './spellings.ts';

/** Shorter values are hidden where their name stands, and not sought elsewhere. */
const SOUGHT_LENGTH = 8;

/** A value that is sought, and the pseudonym that stands for it. */
export interface Mark {
  pseudonym: string;
  /** What is written where it stands: by default the pseudonym, in base64 something that is base64 too. */
  fill?: 'base64' | 'blank' | 'number';
}

/** Prepares a search for known secrets wherever they stand, in any of their spellings. */
export function createTaint(values: Iterable<[value: string, pseudonym: string]>): Finder<Mark> {
  const sought = new Map<string, Mark>();
  for (const [value, pseudonym] of values) {
    if (value.length < SOUGHT_LENGTH || isPlainWord(value)) continue;
    for (const { text, isBase64 } of spellingsOf(value)) {
      if (text.length < SOUGHT_LENGTH || sought.has(text) || isPlainWord(text)) continue;
      sought.set(text, { pseudonym, ...(isBase64 && { fill: 'base64' as const }) });
    }
  }
  return createFinder([...sought].map(([text, of]) => ({ text, of })));
}
