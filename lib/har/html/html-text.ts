/** Text as HTML shows it: nothing in it is markup, and control characters have a picture. */
export function toHtml(text: string): string {
  return text.replaceAll(SIGNS, (sign) => NAMES[sign] ?? pictureOf(sign));
}

// oxlint-disable-next-line no-control-regex -- these are the characters that a page cannot hold
const SIGNS = /[&<>"'\0-\u0008\u000B\u000C\u000E-\u001F\u007F]/g;
const NAMES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The "control picture" of a control character. */
function pictureOf(sign: string): string {
  const code = sign.charCodeAt(0);
  return code === 0x7f ? '\u2421' : String.fromCharCode(0x2400 + code);
}

/** JSON over several lines, not one sign of it changed; other text as it is. */
export function indentJson(text: string): string {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed) || !isJson(trimmed)) return text;
  let lines = '';
  let depth = 0;
  const brk = () => `\n${'  '.repeat(depth)}`;
  // Strings, what opens and closes, what parts, and runs of all else.
  for (const [token] of trimmed.matchAll(
    /"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[[\]{},:]|[^\s"[\]{},:]+/g,
  )) {
    if (token === '{' || token === '[') {
      depth += 1;
      lines += token + brk();
    } else if (token === '}' || token === ']') {
      depth -= 1;
      lines += brk() + token;
    } else if (token === ',') lines += token + brk();
    else lines += token === ':' ? ': ' : token;
  }
  return lines;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
