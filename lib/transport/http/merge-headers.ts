import type { Header } from '../../capture/store/stored-text.ts';
import { essence } from '../../protocol/diagnose.ts';

/** In the place of a value: a header that is not sent at all. */
export const LEFT_OUT = '\0';

/** What every POST of a message says of itself ("Sending Messages" 2). */
export const POST_HEADERS: readonly Header[] = [
  { name: 'Content-Type', value: 'application/json' },
  { name: 'Accept', value: 'application/json, text/event-stream' },
];

/** The user's headers win, but `Accept` keeps both types that the transport needs ("Sending Messages" 2). */
export function mergeHeaders(own: Header[], profile: Header[]): Header[] {
  if (profile.length === 0) return own;
  const merged = [...own];
  const added: Header[] = [];
  for (const header of profile) {
    const name = header.name.toLowerCase();
    // Only ours give way: a name that the profile has twice is sent twice.
    const index = own.findIndex((other) => other.name.toLowerCase() === name);
    if (index < 0) added.push(header);
    else if (name === 'accept' && header.value !== LEFT_OUT)
      merged[index] = { ...header, value: joinAccept(header.value, own[index]?.value) };
    else merged[index] = header;
  }
  return [...merged, ...added].filter(({ value }) => value !== LEFT_OUT);
}

/** Headers in which those that were given for one message take the place of all others with their name. */
export function overrideHeaders(headers: Header[], given: Header[] | undefined): Header[] {
  if (given === undefined || given.length === 0) return headers;
  const names = new Set(given.map(({ name }) => name.toLowerCase()));
  return [...headers.filter(({ name }) => !names.has(name.toLowerCase())), ...given];
}

function joinAccept(given: string, needed = ''): string {
  const listed = given.split(',').map((entry) => essence(entry));
  const missing = needed.split(', ').filter((type) => !listed.includes(type));
  return [given, ...missing].filter((part) => part !== '').join(', ');
}
