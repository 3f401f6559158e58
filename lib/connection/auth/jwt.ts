/**
 * What stands in a token, as JSON text, where the token is a signed JWT (RFC 7519); verified by nobody.
 */
export function jwtOf(token: string): { header: string; claims: string } | undefined {
  const parts = token.split('.');
  const [header = '', claims = ''] = parts;
  if (parts.length !== 3) return undefined;
  try {
    return { header: jsonIn(header), claims: jsonIn(claims) };
  } catch {
    return undefined;
  }
}

/** Throws where there is no JSON in it. */
function jsonIn(part: string): string {
  const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  JSON.parse(text);
  return text;
}
