import type { AuthFields, AuthWay } from './auth-options.ts';

/** Fields that can be wrong. */
export type AuthOptionName = keyof AuthFields;

type Faults = Partial<Record<AuthOptionName, string>>;
type Typed = (name: AuthOptionName) => string;

/** What is wrong with what was typed, by field. `typed` gives the text of a field without spaces around it. */
export function authFaults(way: AuthWay, typed: Typed): Faults {
  if (way === 'off') return {};
  const faults: Faults = {
    ...clientFaults(way, typed),
    ...found('scope', /^[\x21\x23-\x5B\x5D-\x7E\s]*$/.test(typed('scope')), SCOPE),
  };
  switch (way) {
    case 'authorization-code':
      return { ...faults, ...found('metadataUrl', documentFault(typed('metadataUrl'))) };
    case 'client-credentials':
      return faults;
    case 'enterprise-managed':
      return { ...faults, ...providerFaults(typed) };
    case 'workload-identity':
      return {
        ...faults,
        ...found('workloadToken', isJwt(typed('workloadToken')), 'Paste the JWT of the workload.'),
      };
  }
}

const SCOPE = 'Scopes are separated by spaces, and hold neither quotes nor backslashes.';

function clientFaults(way: AuthWay, typed: Typed): Faults {
  const [id, secret, key] = [typed('clientId'), typed('clientSecret'), typed('privateKey')];
  const faults: Faults = {
    ...found('issuer', urlFault(typed('issuer'))),
    ...found(
      'privateKey',
      key === '' || /^-----BEGIN PRIVATE KEY-----[\s\S]+-----END PRIVATE KEY-----$/.test(key),
      'Paste the key as PEM of PKCS #8: it begins with -----BEGIN PRIVATE KEY-----.',
    ),
  };
  if (way !== 'authorization-code' && id === '') {
    return { ...faults, clientId: 'This way needs the client id that is registered there.' };
  }
  if (id === '' && (secret !== '' || key !== '' || typed('issuer') !== '')) {
    return {
      ...faults,
      clientId: 'A secret, key or issuer belongs to a client id: type that too.',
    };
  }
  if (way === 'client-credentials' && secret === '' && key === '') {
    return {
      ...faults,
      clientSecret: 'This way needs the secret of the client, or its private key.',
    };
  }
  return faults;
}

function providerFaults(typed: Typed): Faults {
  const needed = (name: AuthOptionName, words: string) => found(name, typed(name) !== '', words);
  return {
    ...needed('providerIssuer', 'Type the issuer of the identity provider.'),
    ...needed('providerEndpoint', 'Type the token endpoint of the identity provider.'),
    ...found('providerIssuer', urlFault(typed('providerIssuer'))),
    ...found('providerEndpoint', urlFault(typed('providerEndpoint'))),
    ...needed('providerClientId', 'Type the client id at the identity provider.'),
    ...found('idToken', isJwt(typed('idToken')), 'Paste the ID token: a JWT of the provider.'),
  };
}

/** Says why a client ID metadata document cannot have this URL; undefined where it can, or is none. */
function documentFault(url: string): string | undefined {
  if (url === '') return undefined;
  if (!URL.canParse(url)) return 'This is no URL.';
  const { protocol, pathname, hash, username, password } = new URL(url);
  if (protocol !== 'https:') return 'The document has to be served over HTTPS.';
  if (pathname === '/') return 'The URL needs a path, such as /client.json.';
  if (hash !== '') return 'The URL must not have a fragment.';
  return username + password === '' ? undefined : 'The URL must not hold a user name or password.';
}

/** Says why this cannot be the URL of an authorization server; undefined where it can, or is none. */
function urlFault(url: string): string | undefined {
  if (url === '') return undefined;
  if (!URL.canParse(url)) return 'This is no URL.';
  const { protocol, hostname } = new URL(url);
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback)) return undefined;
  return 'It has to be HTTPS; only this machine may do without.';
}

function isJwt(text: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text);
}

/** A fault where a condition is not met, or where there are words for one. */
function found(name: AuthOptionName, isMet: boolean | string | undefined, words = ''): Faults {
  if (typeof isMet === 'string') return { [name]: isMet };
  return isMet === false ? { [name]: words } : {};
}
