import { createPublicKey, verify, type JsonWebKey, type KeyObject } from 'node:crypto';

/** What a token is good for. */
export interface TokenClaims {
  aud: string;
  scope: string;
  exp: number;
}

/** Checks signed tokens against the keys that an authorization server publishes, as a resource server does. */
export async function createTokenCheck(issuer: string, audience: () => string) {
  const response = await fetch(`${issuer}/jwks`);
  const { keys } = (await response.json()) as { keys: JsonWebKey[] };
  const known = keys.map((key) => createPublicKey({ key, format: 'jwk' }));

  /** The claims of a token that is good here and now. */
  return function check(token: string): TokenClaims | undefined {
    const [header = '', claims = '', signature = ''] = token.split('.');
    const signed = Buffer.from(`${header}.${claims}`);
    const isOf = (key: KeyObject) =>
      key.asymmetricKeyType === 'rsa' &&
      verify('RSA-SHA256', signed, key, Buffer.from(signature, 'base64url'));
    if (!known.some(isOf)) return undefined;
    const read: TokenClaims = JSON.parse(Buffer.from(claims, 'base64url').toString());
    return read.aud === audience() && read.exp * 1000 > Date.now() ? read : undefined;
  };
}
