import type { Header } from '../../capture/store/stored-text.ts';
import type { HarHeader, HarTimings } from '../har-format.ts';

/** Milliseconds since the epoch as HAR writes a moment. */
export function toIsoTime(wallTime: number): string {
  const date = new Date(Math.floor(wallTime));
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}

/** Seconds since the epoch, to the microsecond, as Chrome writes the times of messages. */
export function toSeconds(wallTime: number): number {
  return Math.round(wallTime * 1000) / 1e6;
}

/** Headers without what our log notes beside them. */
export function toHarHeaders(headers: readonly Header[]): HarHeader[] {
  return headers.map(({ name, value }) => ({ name, value }));
}

/** Names and values of `Cookie` and `Set-Cookie` headers; the attributes of a cookie stay in its header. */
export function toCookies(headers: readonly Header[], name: 'cookie' | 'set-cookie'): HarHeader[] {
  return headers
    .filter((header) => header.name.toLowerCase() === name)
    .flatMap(({ value }) => (name === 'cookie' ? value.split(';') : value.split(';', 1)))
    .flatMap((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [] : [{ name: pair.slice(0, at).trim(), value: pair.slice(at + 1).trim() }];
    });
}

/** An absolute URL without its fragment, and its query in parts. */
export function toUrlParts(text: string): { url: string; queryString: HarHeader[] } {
  const url = absolute(text.split('#', 1)[0] ?? '');
  const query = URL.parse(url)?.searchParams ?? new URLSearchParams();
  return { url, queryString: [...query].map(([name, value]) => ({ name, value })) };
}

/** RFC 3986 has no other characters, and HAR no relative URLs; as it was recorded, it stands in the event. */
const URI = /^[a-z][a-z0-9+.-]*:[!#-;=?-[\]_a-z~]*$/i;

function absolute(url: string): string {
  if (URI.test(url)) return url;
  return URL.parse(url, 'http://unknown.invalid/')?.href ?? 'about:invalid';
}

/** How long it took in all: the sum of what is known (HAR 1.2, "timings"). */
export function totalMs({ blocked, dns, connect, send, wait, receive }: HarTimings): number {
  // `ssl` is part of `connect`.
  const known = [blocked, dns, connect, send, wait, receive].filter((ms) => ms > 0);
  return roundMs(known.reduce((sum, ms) => sum + ms, 0));
}

/** Milliseconds to the microsecond: no clock of a browser is finer. */
export function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
