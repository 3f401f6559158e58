import { paramClass } from './names.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import { redactPatterns } from './patterns.ts';

/** Replaces userinfo, and the values of parameters that are secrets by their name, in one URL. */
export function redactUrl(url: string, pseudonyms: Pseudonyms): string {
  const local = /^(?:file|[a-z-]+-extension):.*[/\\]([^/\\?#]*)/i.exec(url);
  // Where it lies on the disk of the user is nobody's business.
  if (local !== null) return `${url.slice(0, url.indexOf(':'))}:///${local[1] ?? ''}`;
  const fragmentAt = indexOrEnd(url, '#');
  const queryAt = Math.min(indexOrEnd(url, '?'), fragmentAt);
  const base = redactUserinfo(url.slice(0, queryAt), pseudonyms);
  const query = url.slice(queryAt + 1, fragmentAt);
  const fragment = url.slice(fragmentAt + 1);
  return redactPatterns(
    base +
      (queryAt < fragmentAt ? `?${redactForm(query, pseudonyms)}` : '') +
      (fragmentAt < url.length ? `#${redactForm(fragment, pseudonyms)}` : ''),
    pseudonyms,
  );
}

function indexOrEnd(text: string, sign: string): number {
  const at = text.indexOf(sign);
  return at < 0 ? text.length : at;
}

function redactUserinfo(base: string, pseudonyms: Pseudonyms): string {
  return base.replace(/^([a-z][a-z0-9+.-]*:\/\/)([^/]*)@/i, (_, scheme: string, userinfo: string) =>
    userinfo === '' ? `${scheme}@` : `${scheme}${pseudonyms.of('userinfo', userinfo)}@`,
  );
}

/** Replaces the values of secret parameters in a form or query; all else keeps its spelling. */
export function redactForm(form: string, pseudonyms: Pseudonyms): string {
  return form
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=');
      if (at < 0 || at === pair.length - 1) return pair;
      const secretClass = paramClass(decoded(pair.slice(0, at)));
      if (secretClass === undefined) return pair;
      return `${pair.slice(0, at)}=${pseudonyms.of(secretClass, decoded(pair.slice(at + 1)))}`;
    })
    .join('&');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Replaces the secrets of every absolute URL of the web that a text quotes. */
export function redactUrlsIn(text: string, pseudonyms: Pseudonyms): string {
  return text.replaceAll(/\b(?:https?|wss?):\/\/[^\s"'<>`\\]+/gi, (url) =>
    redactUrl(url, pseudonyms),
  );
}
