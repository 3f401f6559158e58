/**
 * JSON with comments and commas behind the last value, as editors write their settings, as plain JSON: what is
 * taken out becomes spaces, so every offset stays.
 */
export function plainJson(text: string): string {
  // Texts first: what looks like a comment within one is none.
  const withoutComments = text.replaceAll(
    /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g,
    (part) => (part.startsWith('"') ? part : blank(part)),
  );
  return withoutComments.replaceAll(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[\]}])/g, (part) =>
    part.startsWith('"') ? part : ' ',
  );
}

function blank(part: string): string {
  return part.replaceAll(/[^\n\r]/g, ' ');
}
