/** What stands in a JWT, as JSON text; nobody has verified it. */
export interface JwtText {
  header: string;
  claims: string;
}

/**
 * Takes a JWT apart, which may stand behind the scheme of an `Authorization`; undefined where a token is none
 * (RFC 7519, 7.2). Verifies nothing.
 */
export function readJwt(token: string): JwtText | undefined {
  const parts = token.replace(/^[A-Za-z]+ +/, '').split('.');
  if (parts.length !== 3) return undefined;
  const [header, claims] = parts.slice(0, 2).map(readPart);
  return header === undefined || claims === undefined ? undefined : { header, claims };
}

function readPart(part: string): string | undefined {
  try {
    const base64 = part.replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? text : undefined;
  } catch {
    return undefined;
  }
}
