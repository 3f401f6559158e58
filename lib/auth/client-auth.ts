import * as oauth from 'oauth4webapi';
import { AppError } from '../errors.ts';
import type { AuthSettings } from '../capture/auth-settings.ts';
import type { ClientMethod, ClientRecord } from './credentials.ts';
import type { ServerMetadata } from './server-metadata.ts';

/** How this client proves who it is at the token endpoint. */
export async function clientAuthentication(
  client: ClientRecord,
  { client: byHand }: AuthSettings,
): Promise<oauth.ClientAuth> {
  const { method, secret } = client;
  switch (method) {
    case 'none':
      return oauth.None();
    case 'client_secret_post':
      return oauth.ClientSecretPost(secret ?? '');
    case 'client_secret_basic':
      return basic(secret ?? '');
    case 'private_key_jwt':
      return oauth.PrivateKeyJwt(
        await importPem(byHand?.privateKeyPem ?? '', byHand?.algorithm ?? 'ES256'),
      );
  }
}

/**
 * Form-encoded as RFC 6749 (2.3.1) has it, and no more: what need not be escaped is not, since there are
 * servers that do not decode it.
 */
function basic(secret: string): oauth.ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    const encoded = [client_id, secret].map((value) => formEncoded(value)).join(':');
    headers.set('authorization', `Basic ${btoa(encoded)}`);
  };
}

function formEncoded(value: string): string {
  return new URLSearchParams({ value }).toString().slice('value='.length);
}

/** The way that a client with these means goes, of those that a server has. */
export function chooseMethod(
  {
    token_endpoint_auth_methods_supported: methods,
  }: Pick<ServerMetadata, 'token_endpoint_auth_methods_supported'>,
  means: { hasSecret: boolean; hasKey: boolean },
): ClientMethod {
  // Where a server lists nothing, it has this one (RFC 8414, 2).
  const supported = methods ?? ['client_secret_basic'];
  if (means.hasKey) return 'private_key_jwt';
  if (!means.hasSecret) return 'none';
  if (supported.includes('client_secret_basic')) return 'client_secret_basic';
  return supported.includes('client_secret_post') ? 'client_secret_post' : 'client_secret_basic';
}

async function importPem(pem: string, algorithm: string): Promise<CryptoKey> {
  const base64 = pem.replaceAll(/-----[^-]+-----|\s/g, '');
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return await crypto.subtle.importKey('pkcs8', bytes, keyAlgorithm(algorithm), false, ['sign']);
  } catch (error) {
    throw new AppError(
      {
        code: 'auth-refused',
        message: `The private key of the client cannot be read for ${algorithm}.`,
        advice: 'It has to be PKCS #8 in PEM: “-----BEGIN PRIVATE KEY-----”.',
        detail: String(error),
      },
      { cause: error },
    );
  }
}

function keyAlgorithm(algorithm: string): RsaHashedImportParams | EcKeyImportParams | Algorithm {
  const hash = `SHA-${algorithm.slice(2)}`;
  if (algorithm.startsWith('RS')) return { name: 'RSASSA-PKCS1-v1_5', hash };
  if (algorithm.startsWith('PS')) return { name: 'RSA-PSS', hash };
  if (algorithm.startsWith('Ed')) return { name: 'Ed25519' };
  const bits = algorithm.slice(2);
  return { name: 'ECDSA', namedCurve: bits === '512' ? 'P-521' : `P-${bits}` };
}
