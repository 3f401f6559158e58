import type { HttpRecord } from '../../capture/correlate/items.ts';

/** The exchanges that were redirected before this one was sent, first hop first. */
export function redirectsBefore(
  https: ReadonlyMap<string, HttpRecord>,
  record: HttpRecord,
): HttpRecord[] {
  const hops: HttpRecord[] = [];
  let { links } = record.request;
  while (links.reason === 'redirect' && links.causedBy !== undefined) {
    const hop = https.get(links.causedBy);
    // An imported log may point in a circle.
    if (hop === undefined || hops.includes(hop)) break;
    hops.unshift(hop);
    links = hop.request.links;
  }
  return hops;
}
