import type { Pseudonyms } from './pseudonyms.ts';
import { replaceSpans, spanOf, type SecretSpan } from './spans.ts';

/** Behind a word or an escape such as the `\n` of JSON or the `%3D` of a URL, whose last letter is no part of it. */
const BEGIN = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[bfnrt])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-Fa-f]{2}))`;

// Every repetition is of one class that its successor does not begin with, and begins at `BEGIN` or at a
// literal: the time to search stays in proportion to the text, whatever is in it.
const JWT = new RegExp(String.raw`${BEGIN}eyJ[\w-]+\.eyJ[\w-]+\.[\w-]*`, 'g');

const PREFIXED = new RegExp(
  `${BEGIN}(?:${[
    'sk-[A-Za-z0-9_-]{16,}',
    '[sr]k_(?:live|test)_[A-Za-z0-9]{16,}',
    'gh[pousr]_[A-Za-z0-9]{16,}',
    'github_pat_[A-Za-z0-9_]{16,}',
    'glpat-[A-Za-z0-9_-]{16,}',
    'xox[a-z]-[A-Za-z0-9-]{10,}',
    'xapp-[A-Za-z0-9-]{10,}',
    'AKIA[A-Z0-9]{16}',
    'AIza[A-Za-z0-9_-]{30,}',
    'ya29\\.[A-Za-z0-9_-]{20,}',
    'hf_[A-Za-z0-9]{16,}',
    'npm_[A-Za-z0-9]{16,}',
    'pypi-[A-Za-z0-9_-]{32,}',
  ].join('|')})`,
  'g',
);

// What has none of these has none of the others, and is looked through many times faster.
const PREFIX =
  /sk-|k_live_|k_test_|gh[pousr]_|github_pat_|glpat-|xox|xapp-|AKIA|AIza|ya29|hf_|npm_|pypi-/;
const SCHEME_NAME = /bearer|basic|dpop/i;

const SCHEME = new RegExp(
  String.raw`(${BEGIN}(?:Bearer|Basic|DPoP)(?: +|(?:%20|\+)+))([A-Za-z0-9._~+/-]{8,}=*)`,
  'gi',
);

/** To its end, or as far as it looks like one where the end was cut off. `\n` is how JSON writes a line end. */
const PEM =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:\\+[nr]|[\sA-Za-z0-9+/=:,]|-(?!----END))*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g;

/** What follows a scheme and is no token: a word of prose, a parameter of a challenge, what stands in for a token. */
const NO_TOKEN =
  /^(?:[A-Z]?[a-z]{1,20}[.]?$|(?:realm|scope|algs|nonce|max_age|acr_values|resource|\w+_(?:metadata|description|uri))=|redacted~[a-z0-9-]+~[0-9a-f]{10}|~[0-9a-f]{2,16}$)/;

/** A password in the address of a database or a queue; those of the web are read as URLs. */
const LOGIN = /:\/\/([^\s:/@"'\\<>]{0,100}):([^\s:/@"'\\<>]{3,200})@/g;

/** A variable of an environment, as shells and files of settings write it. */
const VARIABLE =
  /((?<![A-Z0-9_])[A-Z][A-Z0-9_]{0,60}_(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|SECRET_KEY|PRIVATE_KEY)=(?:\\*["'])?)([^\s"'\\;&,]{6,400})/g;

const STANDS_IN = /^(?:redacted~|\*+$|\$|<)/;

/** Where something stands that looks like a secret: JWTs, keys with known prefixes, schemes with a token. */
export function patternSpans(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  if (text.includes('PRIVATE KEY-----')) {
    for (const { 0: pem, index } of text.matchAll(PEM)) {
      found.push(spanOf(text, index, pem.length, 'pem', 'private key'));
    }
  }
  if (text.includes('eyJ')) {
    for (const { 0: token, index } of text.matchAll(JWT)) {
      found.push(spanOf(text, index, token.length, 'jwt', 'JWT'));
    }
  }
  if (PREFIX.test(text)) {
    for (const { 0: token, index } of text.matchAll(PREFIXED)) {
      found.push(spanOf(text, index, token.length, 'tok', 'key of a known kind'));
    }
  }
  if (text.includes('://') && text.includes('@')) {
    find(LOGIN, 'password', 'password of an address');
  }
  if (text.includes('_') && text.includes('=')) find(VARIABLE, 'key', 'variable of an environment');
  if (!SCHEME_NAME.test(text)) return found;
  for (const { 0: whole, 1: scheme = '', 2: value = '', index } of text.matchAll(SCHEME)) {
    if (NO_TOKEN.test(value)) continue;
    const where = `token behind ${scheme.trim().replaceAll(/[+%].*/g, '')}`;
    found.push(spanOf(text, index + whole.length - value.length, value.length, 'tok', where));
  }
  return found;

  /** The last group of a pattern is the secret; an `@` may stand behind it. */
  function find(pattern: RegExp, secretClass: string, where: string): void {
    for (const { 0: whole, 2: value = '', index } of text.matchAll(pattern)) {
      if (STANDS_IN.test(value)) continue;
      const offset = index + whole.lastIndexOf(value);
      found.push(spanOf(text, offset, value.length, secretClass, where));
    }
  }
}

/** Replaces what looks like a secret wherever it stands. */
export function redactPatterns(text: string, pseudonyms: Pseudonyms): string {
  return replaceSpans(text, patternSpans(text), ({ secretClass, value }) =>
    pseudonyms.of(secretClass, value),
  );
}
