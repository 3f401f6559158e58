/** A run of text as it is, or one character that a reader would not see, with the label to show for it. */
export interface TextPiece {
  text: string;
  /** What to show instead: `U+2028`, `CR`. */
  mark?: string;
}

/** Controls, format characters, separators and lone surrogates; space, tab and line feed are plain. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Cs}]/gu;
const PLAIN = new Set([' ', '\t', '\n']);

const NAMES: Record<string, string> = {
  '\0': 'NUL',
  '\b': 'BS',
  '\n': 'LF',
  '\r': 'CR',
  '\u001B': 'ESC',
  '\u007F': 'DEL',
  '\u00A0': 'NBSP',
  '\u00AD': 'SHY',
  '\u200B': 'ZWSP',
  '\u200D': 'ZWJ',
  '\uFEFF': 'BOM',
};

function markFor(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return NAMES[character] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * Splits text so that characters which look like nothing, or like something else, can be shown as marks.
 * With `lineEnds`, CR and LF are marked too; a mark for LF keeps its place before the break.
 */
export function toVisiblePieces(text: string, lineEnds = false): TextPiece[] {
  const pieces: TextPiece[] = [];
  let plainFrom = 0;
  for (const match of text.matchAll(INVISIBLE)) {
    const character = match[0];
    if (PLAIN.has(character) && !(lineEnds && character === '\n')) continue;
    if (match.index > plainFrom) pieces.push({ text: text.slice(plainFrom, match.index) });
    pieces.push({ text: character, mark: markFor(character) });
    plainFrom = match.index + character.length;
  }
  if (plainFrom < text.length) pieces.push({ text: text.slice(plainFrom) });
  return pieces;
}
