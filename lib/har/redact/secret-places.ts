import type { WireEvent } from '../../capture/wire-event.ts';
import type { SecretRules } from '../../redact/rules.ts';
import { shiftSpans, spanOf, type SecretSpan } from '../../redact/spans.ts';
import { textSpans as spansIn } from '../../redact/text.ts';
import { formSpans, urlSpans } from '../../redact/url.ts';

/** What a text is a part of, as far as that tells what is secret in it. */
export interface TextContext {
  isOfOauth: boolean;
  rules: SecretRules;
}

/** Whether an exchange speaks with an authorization server: by its purpose, or by where it goes. */
export function isOfOauth([first]: readonly WireEvent[]): boolean {
  if (first?.kind !== 'http-request') return false;
  const { purpose, url } = first;
  return (
    purpose === 'token' ||
    purpose === 'registration' ||
    purpose === 'revocation' ||
    /\/(?:introspect|revoke|device_authorization|token)(?:[/?#]|$)/i.test(url.text)
  );
}

/** Where secrets stand in a text, by names and by looks. */
export function textSpans(text: string, { isOfOauth: isOf, rules }: TextContext): SecretSpan[] {
  return spansIn(text, isOf, rules);
}

/** The same in a body, which may be a form, a part of one, or a stream that announces where messages go. */
export function bodySpans(text: string, context: TextContext): SecretSpan[] {
  const found = textSpans(text, context);
  if (FORM.test(text)) return [...formSpans(text, context.rules), ...found];
  if (text.includes('?')) found.push(...announcedSpans(text, context));
  if (text.includes('form-data')) found.push(...partSpans(text, context));
  return found;
}

const FORM = /^[\w.~%+*-]+=[^{<\n]*$/;

function announcedSpans(text: string, { rules }: TextContext): SecretSpan[] {
  const found: SecretSpan[] = [];
  for (const { 0: line, 1: url = '', index } of text.matchAll(/^data: ?([^\s{["]*\?\S*)$/gm)) {
    found.push(...shiftSpans(urlSpans(url, rules), index + line.length - url.length));
  }
  return found;
}

/** A field of a multipart form: its name, and its value up to the next boundary. */
const PART = /form-data;[^\r\n]*name="([^"\r\n]{1,64})"[^\r\n]*\r?\n\r?\n([^\r\n]{1,4096})\r?\n--/g;

function partSpans(text: string, { rules }: TextContext): SecretSpan[] {
  const found: SecretSpan[] = [];
  for (const { 0: part, 1: name = '', 2: value = '', index } of text.matchAll(PART)) {
    const [span] = formSpans(`${encodeURIComponent(name)}=x`, rules);
    if (span === undefined) continue;
    const offset = index + part.lastIndexOf(value);
    found.push(spanOf(text, offset, value.length, span.secretClass, span.where));
  }
  return found;
}
