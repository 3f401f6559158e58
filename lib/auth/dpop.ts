import type { Header } from '../capture/store/stored-text.ts';

/** A key of ours that tokens are bound to, for `ES256`. */
export interface DpopKey {
  privateJwk: JsonWebKey;
  /** The members that a proof shows, and no other ones. */
  publicJwk: { kty: string; crv: string; x: string; y: string };
}

const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** Makes the key that binds tokens to this profile; it can be stored, and so outlives the worker (RFC 9449, 4). */
export async function createDpopKey(): Promise<DpopKey> {
  const pair = await crypto.subtle.generateKey(CURVE, true, ['sign', 'verify']);
  const privateJwk = await crypto.subtle.exportKey('jwk', pair.privateKey);
  const { kty = '', crv = '', x = '', y = '' } = privateJwk;
  return { privateJwk, publicJwk: { kty, crv, x, y } };
}

/** The key as the platform uses it. */
export async function importDpopKey({ privateJwk, publicJwk }: DpopKey): Promise<CryptoKeyPair> {
  const publicKey = await crypto.subtle.importKey('jwk', publicJwk, CURVE, true, ['verify']);
  const privateKey = await crypto.subtle.importKey('jwk', privateJwk, CURVE, false, ['sign']);
  return { publicKey, privateKey };
}

/** What one request proves. */
export interface Proof {
  key: DpopKey;
  accessToken: string;
  method: string;
  url: string;
  /** What the server wants to see in it. */
  nonce: string | undefined;
}

/** Headers that present a token which is bound to a key, with a proof for this request only (RFC 9449, 7.1). */
export async function dpopHeaders(
  { key, accessToken, method, url, nonce }: Proof,
  now: number,
): Promise<Header[]> {
  const { origin, pathname } = new URL(url);
  const bytes = new TextEncoder().encode(accessToken);
  const header = { alg: 'ES256', typ: 'dpop+jwt', jwk: key.publicJwk };
  const claims = {
    jti: crypto.randomUUID(),
    htm: method,
    htu: `${origin}${pathname}`,
    iat: Math.floor(now / 1000),
    ath: base64url(await crypto.subtle.digest('SHA-256', bytes)),
    nonce,
  };
  const signed = `${base64urlJson(header)}.${base64urlJson(claims)}`;
  const { privateKey } = await importDpopKey(key);
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    privateKey,
    new TextEncoder().encode(signed),
  );
  return [
    { name: 'Authorization', value: `DPoP ${accessToken}` },
    { name: 'DPoP', value: `${signed}.${base64url(signature)}` },
  ];
}

function base64urlJson(value: object): string {
  return base64url(new TextEncoder().encode(JSON.stringify(value)));
}

function base64url(bytes: ArrayBuffer | Uint8Array): string {
  const binary = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
