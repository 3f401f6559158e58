/** What the user looks for, and how it is meant. */
export interface SearchQuery {
  text: string;
  isCaseSensitive: boolean;
  isWholeWord: boolean;
  isRegex: boolean;
}

/** Where a match lies in a text, in UTF-16 units. */
export interface TextMatch {
  start: number;
  end: number;
}

/** A query that can be searched for. */
export interface SearchPattern {
  source: string;
  flags: string;
  /** Text takes time in proportion to its length. An expression may take for ever, so it runs elsewhere. */
  isRegex: boolean;
  /** UTF-16 units in which a match that lies across two pieces of a text is found. */
  overlap: number;
}

/** More than this of one piece of text tells a reader nothing. */
const MATCHES_PER_TEXT = 1000;

/** Matches of an expression that are longer may be missed where a text is cut into pieces. */
const REGEX_OVERLAP = 1000;

const WORD = '[\\p{L}\\p{M}\\p{N}_]';

/** Reads a query; a broken expression comes back as a sentence for the user. */
export function compileSearch(query: SearchQuery): SearchPattern | { problem: string } {
  const { text, isCaseSensitive, isWholeWord, isRegex } = query;
  const flags = isCaseSensitive ? 'gm' : 'gim';
  if (!isRegex) {
    const escaped = text.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&');
    const source = isWholeWord ? `(?<!${WORD})${escaped}(?!${WORD})` : escaped;
    return { source, flags: `${flags}u`, isRegex, overlap: text.length + 1 };
  }
  // Most expressions mean the same in both modes; some, as `\-` or `{`, are allowed in the older one only.
  const unicode = faultOf(text, `${flags}u`);
  const isUnicode = unicode === undefined;
  const fault = isUnicode ? undefined : faultOf(text, flags);
  if (fault !== undefined) {
    return { problem: `Not a regular expression: ${fault}. To find it as text, switch “.*” off.` };
  }
  const bounds = isUnicode ? [`(?<!${WORD})`, `(?!${WORD})`] : ['\\b', '\\b'];
  return {
    source: isWholeWord ? `${bounds[0]}(?:${text})${bounds[1]}` : text,
    flags: isUnicode ? `${flags}u` : flags,
    isRegex,
    overlap: REGEX_OVERLAP,
  };
}

function faultOf(source: string, flags: string): string | undefined {
  try {
    void new RegExp(source, flags);
    return undefined;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    // Engines repeat the whole expression before what is wrong with it.
    return words.slice(words.lastIndexOf(': ') + 1).trim() || words;
  }
}

/** All matches in a text, in order, to a bound. Empty matches tell nothing, and are left out. */
export function matchText(text: string, { source, flags }: SearchPattern): TextMatch[] {
  const pattern = new RegExp(source, flags);
  const found: TextMatch[] = [];
  for (const match of text.matchAll(pattern)) {
    const [{ length }] = match;
    if (length > 0) found.push({ start: match.index, end: match.index + length });
    if (found.length >= MATCHES_PER_TEXT) break;
  }
  return found;
}
