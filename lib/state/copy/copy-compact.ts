const QUOTE = '"';

/**
 * JSON on one line: white space between its tokens goes, every token stays to the letter. Text that is no JSON
 * loses its line ends all the same.
 */
export function compactJson(text: string): string {
  let compact = '';
  let position = text.startsWith('\uFEFF') ? 1 : 0;
  while (position < text.length) {
    const quote = text.indexOf(QUOTE, position);
    const begin = quote < 0 ? text.length : quote;
    compact += text.slice(position, begin).replaceAll(/[ \t\r\n]+/g, '');
    const end = quote < 0 ? text.length : endOfString(text, quote);
    compact += text.slice(begin, end).replaceAll(/[\r\n]+/g, ' ');
    position = end;
  }
  return compact;
}

/** Behind the closing quote of the string that begins at an offset. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf(QUOTE, start + 1);
  while (quote >= 0 && isEscaped(text, quote)) quote = text.indexOf(QUOTE, quote + 1);
  return quote < 0 ? text.length : quote + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
