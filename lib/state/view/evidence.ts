import type { Correlation } from '../../capture/correlate/correlate.ts';
import { isJson } from '../../capture/correlate/http-record.ts';
import type { HttpRecord, Item } from '../../capture/correlate/items.ts';
import type { Evidence } from '../../lint/issue.ts';
import { indexFromSequence, indexOfSequence } from './by-sequence.ts';
import type { DetailTab } from './selection.ts';

/** Where a fact is to be seen. */
export interface EvidencePlace {
  /** What is there, for a button. */
  label: string;
  item: Item;
  tab: DetailTab;
  /** `sequence` of the event or frame to look at, on the stream tab. */
  eventSequence?: number;
}

type Source = Pick<Correlation, 'items' | 'https' | 'sockets'>;

/** Finds the row, and the part of its details, that shows a fact; undefined where no row does. */
export function findEvidence(evidence: Evidence, source: Source): EvidencePlace | undefined {
  const { sequence, httpId = '', socketId = '' } = evidence;
  const record = source.https.get(httpId);
  const socket = source.sockets.get(socketId);
  const own = itemAt(source.items, sequence);
  if (record !== undefined) {
    const carrier = itemAt(source.items, record.request.sequence);
    const place = inList('Event', record.stream, sequence, own, carrier);
    if (place !== undefined) return place;
    if (carrier === undefined) return own && { label: nameOf(own), item: own, tab: 'message' };
    const [what, tab] = partOf(record, sequence);
    return { label: `${what} of ${nameOf(carrier)}`, item: carrier, tab };
  }
  if (socket !== undefined) {
    const carrier = itemAt(source.items, socket.opening.sequence);
    const place = inList('Frame', socket.frames, sequence, own, carrier);
    if (place !== undefined) return place;
    return carrier && { label: nameOf(carrier), item: carrier, tab: 'message' };
  }
  return own && { label: nameOf(own), item: own, tab: 'message' };
}

/** A line of the stream tab: on the row of its own where it is a message, else on that of its carrier. */
function inList(
  what: string,
  list: readonly { sequence: number }[],
  sequence: number,
  own: Item | undefined,
  carrier: Item | undefined,
): EvidencePlace | undefined {
  const index = indexOfSequence(list, sequence);
  const item = own ?? carrier;
  if (index < 0 || item === undefined) return undefined;
  const of = carrier === undefined ? '' : ` of ${nameOf(carrier)}`;
  const label = `${what} ${(index + 1).toLocaleString('en')}${of}`;
  return { label, item, tab: 'stream', eventSequence: sequence };
}

function partOf(record: HttpRecord, sequence: number): [what: string, tab: DetailTab] {
  if (sequence === record.request.sequence) return ['Request headers', 'headers'];
  const heads = [record.response?.sequence, record.received?.sequence];
  if (heads.includes(sequence)) return ['Response headers', 'headers'];
  if (sequence !== record.end?.sequence) return ['Course', 'timing'];
  // What a body says is known when all of it is there.
  return isJson(record) ? ['Answer', 'message'] : ['End', 'timing'];
}

/** The first item at a sequence. */
function itemAt(items: readonly Item[], sequence: number): Item | undefined {
  const item = items[indexFromSequence(items, sequence)];
  return item?.sequence === sequence ? item : undefined;
}

function nameOf(item: Item): string {
  switch (item.kind) {
    case 'request':
    case 'notification':
      return item.method;
    case 'stray':
      return 'a message';
    case 'stream':
      return 'the GET stream';
    case 'socket':
      return 'the WebSocket';
    case 'http':
      return 'the HTTP exchange';
    case 'auth':
      return 'the authorization';
    case 'lifecycle':
      return item.title;
  }
}
