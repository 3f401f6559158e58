import type { StoredBytes } from '../capture/store/stored-text.ts';
import type { WireEvent } from '../capture/wire-event.ts';
import { checkEvent } from './read/check-event.ts';
import type { HarText } from './har-format.ts';
import { fromHarText, toHarText } from './text-bytes.ts';

/**
 * An event as a file holds it: without the capture it was in, and without what its entry says for all of its
 * events. Bytes that stand elsewhere are counted (`size`), others are in it.
 */
export type EventJson = Record<string, unknown> & { sequence: number; kind: WireEvent['kind'] };

/** What the events of an entry have in common. */
export interface Shared {
  bootId: string;
  connectionId?: string | undefined;
  httpId?: string;
  socketId?: string;
}

/** The stored bytes of an event; undefined where it has none. */
function storedBytesOf(event: WireEvent): StoredBytes | undefined {
  switch (event.kind) {
    case 'http-request':
      return event.body;
    case 'http-chunk':
    case 'socket-frame':
      return event.data;
    default:
      return undefined;
  }
}

/** What stands in place of an event's bytes: how many there are, and the bytes where its entry has them not. */
interface StoredJson {
  size: number;
  cuts?: StoredBytes['cuts'];
  bytes?: HarText;
}

/** An event of an entry, whose bytes the entry holds. */
export function toEntryEvent(event: WireEvent, shared: Shared): EventJson {
  return toJson(event, shared, false);
}

/** An event that no entry carries, with its bytes. */
export function toLogEvent(event: WireEvent, shared: Shared): EventJson {
  return toJson(event, shared, true);
}

function toJson(event: WireEvent, shared: Shared, holdsBytes: boolean): EventJson {
  const json = withoutShared(event, shared);
  const data = storedBytesOf(event);
  if (data === undefined) return json;
  const stored: StoredJson = {
    size: data.bytes.length,
    ...(data.cuts === undefined ? {} : { cuts: data.cuts }),
    ...(holdsBytes ? { bytes: toHarText(data.bytes) } : {}),
  };
  return { ...json, stored };
}

/** Keys in one fixed order, whatever made the event: what is written again is the same text. */
const FIRST_KEYS = ['sequence', 'kind', 'wallTime', 'monotonicTime', 'bootId', 'connectionId'];

function withoutShared(event: WireEvent, shared: Shared): EventJson {
  const given: Record<string, unknown> = { ...event };
  const left = new Set(Object.keys(given).filter((name) => given[name] !== undefined));
  left.delete('captureId');
  if (event.kind === 'http-request') left.delete('body');
  else if (event.kind === 'http-chunk' || event.kind === 'socket-frame') left.delete('data');
  for (const [name, value] of Object.entries(shared)) if (given[name] === value) left.delete(name);
  const json: EventJson = { sequence: event.sequence, kind: event.kind };
  for (const name of FIRST_KEYS) if (left.delete(name)) json[name] = given[name];
  // What its entry has and the event has not must not be read as the same.
  if (shared.connectionId !== undefined && !('connectionId' in event)) json['connectionId'] = null;
  for (const name of [...left].toSorted()) json[name] = given[name];
  return json;
}

/**
 * The event again. `take` gives the next `size` bytes of its entry, where the event does not hold them itself.
 * Throws where something is missing: an importer leaves the event out and says so.
 */
export function fromEventJson(
  json: EventJson,
  captureId: string,
  shared: Shared,
  take: (size: number) => Uint8Array = noBytes,
): WireEvent {
  const { stored, ...rest } = json;
  const event = { captureId, ...shared, ...rest };
  if (event.connectionId === null || event.connectionId === undefined) delete event.connectionId;
  if (typeof event.kind !== 'string' || !Number.isSafeInteger(event.sequence)) {
    throw new TypeError('An event without kind or sequence.');
  }
  if (stored !== undefined) {
    const { size, cuts, bytes } = stored as StoredJson;
    const data = {
      bytes: bytes === undefined ? take(size) : fromHarText(bytes),
      ...(cuts === undefined ? {} : { cuts }),
    };
    Object.assign(event, json.kind === 'http-request' ? { body: data } : { data });
  }
  return checkEvent(event as WireEvent);
}

/** The same event in a log whose sequences are `by` higher; what it says of other events moves along. */
export function shiftEvent(event: WireEvent, by: number): WireEvent {
  const shifted = { ...event, sequence: event.sequence + by };
  if (shifted.kind === 'http-request' && shifted.links.replayOf !== undefined) {
    shifted.links = { ...shifted.links, replayOf: shifted.links.replayOf + by };
  } else if (shifted.kind === 'replay-started') {
    shifted.of += by;
  } else if (shifted.kind === 'gap') {
    if (shifted.fromSequence !== undefined) shifted.fromSequence += by;
    if (shifted.toSequence !== undefined) shifted.toSequence += by;
  }
  return shifted;
}

function noBytes(size: number): never {
  throw new RangeError(`${size} bytes are not there.`);
}
