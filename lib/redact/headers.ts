import { headerClass } from './names.ts';
import { redactPatterns } from './patterns.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import { redactUrl, redactUrlsIn } from './url.ts';

const WHOLE_URL = new Set(['location', 'content-location', 'referer']);

/** Words that name a protocol of a WebSocket; anything else may be a token that is smuggled there. */
const SUBPROTOCOL = /^(?:[a-z]{1,12}|(?:graphql|mqtt|ocpp|soap|stomp|wamp|json)[a-z0-9.-]{0,20})$/i;

/** The value of a header without its secrets. What is no secret keeps its spelling. */
export function redactHeader(name: string, value: string, pseudonyms: Pseudonyms): string {
  if (value === '') return value;
  const lower = name.toLowerCase();
  if (lower === 'authorization' || lower === 'proxy-authorization') {
    return redactAuthorization(value, pseudonyms);
  }
  if (lower === 'cookie') {
    return value
      .split(';')
      .map((pair) => redactCookie(pair, pseudonyms))
      .join(';');
  }
  if (lower === 'set-cookie') return redactSetCookie(value, pseudonyms);
  if (lower === 'sec-websocket-protocol') return redactSubprotocols(value, pseudonyms);
  const secretClass = headerClass(lower);
  if (secretClass !== undefined) return pseudonyms.of(secretClass, value);
  if (WHOLE_URL.has(lower)) return redactUrl(value, pseudonyms);
  return redactPatterns(redactUrlsIn(value, pseudonyms), pseudonyms);
}

/** Class of what was masked in a header before it was stored. */
export function maskedHeaderClass(name: string): string {
  const lower = name.toLowerCase();
  return lower.endsWith('cookie') ? 'cookie' : (headerClass(lower) ?? 'tok');
}

/** The scheme is no secret, and worth seeing. A value without one is all secret. */
function redactAuthorization(value: string, pseudonyms: Pseudonyms): string {
  const scheme = /^[A-Za-z][A-Za-z0-9-]* +(?=\S)/.exec(value)?.[0] ?? '';
  return scheme + pseudonyms.of('tok', value.slice(scheme.length));
}

function redactCookie(pair: string, pseudonyms: Pseudonyms): string {
  const at = pair.indexOf('=');
  const [name, value] = at < 0 ? [/^ */.exec(pair)?.[0] ?? '', pair.trimStart()] : cut(pair, at);
  return value === '' ? pair : name + pseudonyms.of('cookie', value);
}

function cut(pair: string, at: number): [name: string, value: string] {
  return [pair.slice(0, at + 1), pair.slice(at + 1)];
}

/** Only the first pair is a cookie; what follows are its attributes. Several lines may have been joined. */
function redactSetCookie(value: string, pseudonyms: Pseudonyms): string {
  return value
    .split('\n')
    .map((line) => {
      const [pair = '', ...attributes] = line.split(';');
      return [redactCookie(pair, pseudonyms), ...attributes].join(';');
    })
    .join('\n');
}

function redactSubprotocols(value: string, pseudonyms: Pseudonyms): string {
  return value
    .split(',')
    .map((item) => {
      const word = item.trim();
      if (word === '' || SUBPROTOCOL.test(word)) return item;
      return item.replace(word, () => pseudonyms.of('tok', word));
    })
    .join(',');
}
