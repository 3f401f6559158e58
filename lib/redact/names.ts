/** Parameters of URLs and forms whose values are secrets, in lower case. */
const PARAMS = new Set(
  `access_token actor_token api_key apikey assertion client_assertion client_secret code code_challenge
  code_verifier device_code id_token initial_access_token key login_hint nonce password refresh_token
  registration_access_token request request_uri samlrequest samlresponse secret session_id sessionid sid sig
  signature state subject_token token user_code x-amz-credential x-amz-security-token x-amz-signature`.split(
    /\s+/,
  ),
);

const SESSION_PARAMS = new Set(['session_id', 'sessionid', 'sid']);

const HEADERS: Record<string, string> = {
  'x-api-key': 'key',
  'api-key': 'key',
  'x-auth-token': 'key',
  'x-access-token': 'key',
  'x-csrf-token': 'csrf',
  'x-xsrf-token': 'csrf',
  'x-amz-security-token': 'key',
  'x-goog-api-key': 'key',
  dpop: 'tok',
  // By these one could tell whether a guess at what was hidden is right.
  'content-digest': 'digest',
  'repr-digest': 'digest',
  digest: 'digest',
  'content-md5': 'digest',
  etag: 'digest',
  'if-match': 'digest',
  'if-none-match': 'digest',
};

const TELLING = /token|secret|apikey|api-key|password|session/;

/**
 * Members of messages whose names leave no doubt, in lower case without `_` and `-`; `id`, `code`, `state`, `key` and
 * `cursor` are ordinary words there.
 */
const MEMBERS = new Set(
  `accesstoken refreshtoken idtoken clientsecret password passwd passphrase secret apikey authorization
  proxyauthorization token credential credentials privatekey secretkey secretaccesskey sessiontoken cookie
  setcookie mcpsessionid xapikey xauthtoken xaccesstoken xcsrftoken xxsrftoken xgoogapikey bearertoken
  registrationaccesstoken clientassertion codeverifier`.split(/\s+/),
);

/** Variables of an environment, which tools like to print. */
const VARIABLE =
  /^[A-Z][A-Z0-9_]*_(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_KEY|SECRET_KEY|PRIVATE_KEY|CREDENTIALS?)$/;

/** Class of the secret in a header by its name, in any case; undefined where the value is none as a whole. */
export function headerClass(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (Object.hasOwn(HEADERS, lower)) return HEADERS[lower];
  if (!TELLING.test(lower)) return undefined;
  return lower.includes('session') ? 'sid' : 'key';
}

/** Class of the secret in a parameter of a URL or a form by its decoded name; undefined where it is none. */
export function paramClass(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (!PARAMS.has(lower)) return undefined;
  return SESSION_PARAMS.has(lower) ? 'sid' : lower.replaceAll('_', '-');
}

/** Class of the secret in a member of a message by its name; undefined where it is none. */
export function memberClass(name: string): string | undefined {
  if (VARIABLE.test(name)) return 'key';
  const plain = name.toLowerCase().replaceAll(/[-_]/g, '');
  if (!MEMBERS.has(plain)) return undefined;
  if (plain === 'mcpsessionid') return 'sid';
  if (plain.endsWith('cookie')) return 'cookie';
  return plain.endsWith('authorization') ? 'tok' : memberWord(name);
}

/** The name in small letters and hyphens: `refresh-token` for `refreshToken`. */
function memberWord(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}
