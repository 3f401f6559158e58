import type { Header } from '../capture/wire-event.ts';

/** The user's headers win, but `Accept` keeps both types that the transport needs ("Sending Messages" 2). */
export function mergeHeaders(own: Header[], profile: Header[]): Header[] {
  const merged = [...own];
  for (const header of profile) {
    const name = header.name.toLowerCase();
    const index = merged.findIndex((other) => other.name.toLowerCase() === name);
    if (index < 0) merged.push(header);
    else if (name === 'accept')
      merged[index] = { ...header, value: joinAccept(header.value, merged[index]?.value) };
    else merged[index] = header;
  }
  return merged;
}

function joinAccept(given: string, needed = ''): string {
  const missing = needed.split(', ').filter((type) => !given.includes(type));
  return [given, ...missing].join(', ');
}
