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
};

const TELLING = /token|secret|apikey|api-key|password|session/;

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
