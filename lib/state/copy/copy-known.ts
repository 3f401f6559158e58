import type { Correlation } from '../../capture/correlate/correlate.ts';
import { bodyBytes } from '../../capture/correlate/http-record.ts';
import type { HttpRecord } from '../../capture/correlate/items.ts';
import { headerSpans } from '../../redact/headers.ts';
import type { Replacing } from '../../redact/text.ts';
import { textSpans } from '../../redact/text.ts';
import type { SecretSpan } from '../../redact/spans.ts';
import { formSpans, urlSpans } from '../../redact/url.ts';

/** Secrets that heads and authorizations of a capture give away, each with its pseudonym. */
export type KnownSecrets = () => ReadonlyMap<string, string>;

const utf8 = new TextDecoder();

/**
 * Collects what the headers and addresses of all exchanges hold, and what was said to authorization servers: a token
 * that one of them gives away may be quoted by any other. Every exchange is looked at until it is over.
 */
export function createKnownSecrets(
  log: () => Pick<Correlation, 'https'>,
  { pseudonyms, rules }: Replacing,
): KnownSecrets {
  const found = new Map<string, string>();
  const done = new WeakSet<HttpRecord>();

  function take(spans: readonly SecretSpan[]): void {
    for (const { value, secretClass } of spans) {
      // What was masked when it was recorded has no value.
      if (!value.includes('**')) found.set(value, pseudonyms.of(secretClass, value));
    }
  }

  function lookAt(http: HttpRecord): void {
    const { request, sent, received, response, end } = http;
    take(urlSpans(request.url.text, rules));
    const heads = [request, sent, received, response].flatMap((event) => event?.headers ?? []);
    for (const { name, value } of heads) take(headerSpans(name, value, rules));
    if (/^(?:token|registration|revocation)$/.test(request.purpose)) {
      const body = request.body === undefined ? '' : utf8.decode(request.body.bytes);
      take([...formSpans(body, rules), ...textSpans(body, true, rules)]);
      take(textSpans(utf8.decode(bodyBytes(http)), true, rules));
    }
    if (end !== undefined) done.add(http);
  }

  return () => {
    for (const http of log().https.values()) if (!done.has(http)) lookAt(http);
    return found;
  };
}
