import { paramClass } from './names.ts';
import { patternSpans } from './patterns.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import { NO_RULES, type SecretRules } from './rules.ts';
import { replaceSpans, shiftSpans, spanOf, type SecretSpan } from './spans.ts';

/** Class of what lies before the last part of the path of a local file. */
const FOLDERS = 'folders';
const LOCAL = /^((?:file|[a-z-]+-extension):\/\/)([^?#]*[/\\])/i;

/**
 * Where secrets stand in a URL that was used: userinfo, parameters by their names, what looks like one, parts of the
 * path that nobody would choose, folders of the disk.
 */
export function urlSpans(url: string, rules: SecretRules = NO_RULES): SecretSpan[] {
  return [...quotedUrlSpans(url, rules), ...pathSpans(url)];
}

/** The same in a URL that a text quotes, whose path may well be that of a picture. */
function quotedUrlSpans(url: string, rules: SecretRules): SecretSpan[] {
  const [, scheme = '', folders = ''] = LOCAL.exec(url) ?? [];
  // Where it lies on the disk of the user is nobody's business.
  if (scheme !== '') return [spanOf(url, scheme.length, folders.length, FOLDERS, 'local file')];
  const fragmentAt = indexOrEnd(url, '#');
  const queryAt = Math.min(indexOrEnd(url, '?'), fragmentAt);
  const found = userinfoSpans(url.slice(0, queryAt));
  if (queryAt < fragmentAt) {
    const query = formSpans(url.slice(queryAt + 1, fragmentAt), rules);
    found.push(...shiftSpans(query, queryAt + 1));
  }
  if (fragmentAt < url.length) {
    found.push(...shiftSpans(formSpans(url.slice(fragmentAt + 1), rules), fragmentAt + 1));
  }
  return [...found, ...patternSpans(url)];
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** So often letters and digits take turns in what a machine has made up. */
const TURNS = 5;

/** Sessions, and keys to an endpoint, are often a part of its path. */
function pathSpans(url: string): SecretSpan[] {
  if (LOCAL.test(url)) return [];
  const path = url.slice(0, Math.min(indexOrEnd(url, '?'), indexOrEnd(url, '#')));
  return [...path.matchAll(/(?<=\/)(?:[\w=~-]|%3[Dd]){20,}(?=\/|$)/g)].flatMap(
    ({ 0: part, index }) => {
      const turns = part.match(/\d(?=[-_]?[A-Za-z])|[A-Za-z](?=[-_]?\d)/g)?.length ?? 0;
      const isMadeUp = UUID.test(part) || turns >= TURNS;
      return isMadeUp ? [spanOf(url, index, part.length, 'path', 'part of a path')] : [];
    },
  );
}

function indexOrEnd(text: string, sign: string): number {
  const at = text.indexOf(sign);
  return at < 0 ? text.length : at;
}

function userinfoSpans(base: string): SecretSpan[] {
  const [, scheme = '', userinfo = ''] = /^([a-z][a-z0-9+.-]*:\/\/)([^/]*)@/i.exec(base) ?? [];
  if (userinfo === '') return [];
  return [spanOf(base, scheme.length, userinfo.length, 'userinfo', 'name and password in a URL')];
}

/** Where secret values stand in a form or query; `value` is decoded. */
export function formSpans(form: string, rules: SecretRules = NO_RULES): SecretSpan[] {
  const found: SecretSpan[] = [];
  let start = 0;
  for (const pair of form.split('&')) {
    const at = pair.indexOf('=');
    const name = at < 0 ? '' : decoded(pair.slice(0, at));
    const secretClass = paramClass(name) ?? (rules.isSecretName(name.toLowerCase()) ? 'own' : '');
    if (at >= 0 && at < pair.length - 1 && secretClass !== '') {
      const value = decoded(pair.slice(at + 1));
      const where = `parameter ${name}`;
      found.push({
        offset: start + at + 1,
        length: pair.length - at - 1,
        secretClass,
        where,
        value,
      });
    }
    start += pair.length + 1;
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Where secrets stand in the absolute URLs that a text quotes. */
export function urlSpansIn(text: string, rules: SecretRules = NO_RULES): SecretSpan[] {
  if (!text.includes('://')) return [];
  const found: SecretSpan[] = [];
  for (const { 0: url, index } of text.matchAll(
    /\b(?:https?|wss?|file|[a-z]+-extension):\/\/[^\s"'<>`\\]+/gi,
  )) {
    found.push(...shiftSpans(quotedUrlSpans(url, rules), index));
  }
  return found;
}

/** Replaces userinfo, and the values of parameters that are secrets by their name, in one URL. */
export function redactUrl(url: string, pseudonyms: Pseudonyms, rules?: SecretRules): string {
  return replaceSpans(url, urlSpans(url, rules), replacement(pseudonyms));
}

/** Replaces the values of secret parameters in a form or query; all else keeps its spelling. */
export function redactForm(form: string, pseudonyms: Pseudonyms, rules?: SecretRules): string {
  return replaceSpans(form, formSpans(form, rules), replacement(pseudonyms));
}

/** Replaces the secrets of every absolute URL of the web that a text quotes. */
export function redactUrlsIn(text: string, pseudonyms: Pseudonyms): string {
  return replaceSpans(text, urlSpansIn(text), replacement(pseudonyms));
}

function replacement(pseudonyms: Pseudonyms): (span: SecretSpan) => string {
  return ({ secretClass, value }) =>
    secretClass === FOLDERS ? '/' : pseudonyms.of(secretClass, value);
}
