import { headerClass } from './names.ts';
import { patternSpans } from './patterns.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import { NO_RULES, type SecretRules } from './rules.ts';
import { replaceSpans, shiftSpans, spanOf, type SecretSpan } from './spans.ts';
import { redactUrl, urlSpans, urlSpansIn } from './url.ts';

const WHOLE_URL = new Set(['location', 'content-location', 'referer']);

/** Words that name a protocol of a WebSocket; anything else may be a token that is smuggled there. */
const SUBPROTOCOL = /^(?:[a-z]{1,12}|(?:graphql|mqtt|ocpp|soap|stomp|wamp|json)[a-z0-9.-]{0,20})$/i;

/** Where secrets stand in the value of a header. */
export function headerSpans(
  name: string,
  value: string,
  rules: SecretRules = NO_RULES,
): SecretSpan[] {
  if (value === '') return [];
  const lower = name.toLowerCase();
  const where = `header ${name}`;
  if (lower === 'authorization' || lower === 'proxy-authorization') {
    return authorizationSpans(value, where);
  }
  if (lower === 'cookie') return cookieSpans(value, where);
  if (lower === 'set-cookie') return setCookieSpans(value, where);
  if (lower === 'sec-websocket-protocol') return subprotocolSpans(value, where);
  const secretClass = headerClass(lower) ?? (rules.isSecretName(lower) ? 'own' : undefined);
  if (secretClass !== undefined) return [spanOf(value, 0, value.length, secretClass, where)];
  if (WHOLE_URL.has(lower)) return urlSpans(value, rules);
  return [...urlSpansIn(value, rules), ...patternSpans(value)];
}

/** The scheme is no secret, and worth seeing. A value without one is all secret. */
export function authorizationSpans(value: string, where: string): SecretSpan[] {
  const scheme = /^[A-Za-z][A-Za-z0-9-]* +(?=\S)/.exec(value)?.[0] ?? '';
  const secret = spanOf(value, scheme.length, value.length - scheme.length, 'tok', where);
  return /^basic /i.test(scheme) ? [secret, ...passwordSpans(secret)] : [secret];
}

/** What a name and a password in base64 say may also be said plainly elsewhere. */
function passwordSpans(secret: SecretSpan): SecretSpan[] {
  try {
    const [name = '', ...password] = atob(secret.value).split(':');
    const value = password.join(':');
    if (value === '') return [];
    return [`${name}:${value}`, value].map((each) => ({ ...secret, value: each }));
  } catch {
    return [];
  }
}

function cookieSpans(value: string, where: string): SecretSpan[] {
  let start = 0;
  return value.split(';').flatMap((pair) => {
    const spans = shiftSpans(pairSpans(pair, where), start);
    start += pair.length + 1;
    return spans;
  });
}

function pairSpans(pair: string, where: string): SecretSpan[] {
  const at = pair.indexOf('=');
  const from = at < 0 ? pair.length - pair.trimStart().length : at + 1;
  if (from === pair.length) return [];
  return [spanOf(pair, from, pair.length - from, 'cookie', where)];
}

/** Only the first pair is a cookie; what follows are its attributes. Several lines may have been joined. */
function setCookieSpans(value: string, where: string): SecretSpan[] {
  let start = 0;
  return value.split('\n').flatMap((line) => {
    const [pair = ''] = line.split(';', 1);
    const spans = shiftSpans(pairSpans(pair, where), start);
    start += line.length + 1;
    return spans;
  });
}

/** Where tokens stand among the subprotocols of a WebSocket, which are parted by commas. */
export function subprotocolSpans(value: string, where: string): SecretSpan[] {
  let start = 0;
  return value.split(',').flatMap((item) => {
    const word = item.trim();
    const offset = start + item.indexOf(word);
    start += item.length + 1;
    if (word === '' || SUBPROTOCOL.test(word)) return [];
    return [spanOf(value, offset, word.length, 'tok', where)];
  });
}

/** The value of a header without its secrets. What is no secret keeps its spelling. */
export function redactHeader(
  name: string,
  value: string,
  pseudonyms: Pseudonyms,
  rules?: SecretRules,
): string {
  // What it says of a local file is shortened, not replaced.
  if (WHOLE_URL.has(name.toLowerCase())) return redactUrl(value, pseudonyms, rules);
  return replaceSpans(value, headerSpans(name, value, rules), ({ secretClass, value: secret }) =>
    pseudonyms.of(secretClass, secret),
  );
}

/** Class of what was masked in a header before it was stored. */
export function maskedHeaderClass(name: string): string {
  const lower = name.toLowerCase();
  return lower.endsWith('cookie') ? 'cookie' : (headerClass(lower) ?? 'tok');
}
