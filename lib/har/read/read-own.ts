import { payloadBytes } from '../../capture/correlate/http-record.ts';
import type { WireEvent } from '../../capture/wire-event.ts';
import { reasonOf } from '../../capture/store/unreadable.ts';
import { fromEventJson, type EventJson } from '../event-json.ts';
import type { HarEntry } from '../har-format.ts';
import { fromHarText, joinBytes } from '../text-bytes.ts';

/** What could not be read as it stands, and what was done about it. */
export interface Repair {
  /** Where: `entry 12`, `event 3`. */
  where: string;
  what: string;
}

/** Events of one entry of our own files; throws where they do not fit its bytes. */
export function readOwnEntry(entry: HarEntry, captureId: string): WireEvent[] {
  const { id, kind, connection, boot, events } = entry._mcp;
  const shared = {
    bootId: boot,
    ...(connection === undefined ? {} : { connectionId: connection }),
    ...(kind === 'http' ? { httpId: id } : { socketId: id }),
  };
  const takeBody = kind === 'http' ? takerOf(fromHarText(entry.response.content)) : takeNothing;
  const frames = (entry._webSocketMessages ?? [])[Symbol.iterator]();
  return events.map((json) => {
    // It has a place in Chrome's list also where its bytes stand in the event itself.
    const frame = json.kind === 'socket-frame' ? frames.next().value : undefined;
    return fromEventJson(json, captureId, shared, (size) => {
      const bytes = bytesFor(json, size);
      if (bytes.length !== size) throw new RangeError(`${size} bytes are not there.`);
      return bytes;
    });

    function bytesFor({ kind: what }: EventJson, size: number): Uint8Array {
      if (what === 'http-request') return requestBody(entry);
      if (what === 'http-chunk') return takeBody(size);
      if (frame === undefined) return new Uint8Array();
      const { data: text, opcode } = frame;
      return fromHarText(opcode === 2 ? { text, encoding: 'base64' } : { text });
    }
  });
}

function requestBody({ request, _mcp }: HarEntry): Uint8Array {
  return fromHarText(_mcp.requestBody ?? { text: request.postData?.text ?? '' });
}

function takerOf(bytes: Uint8Array): (size: number) => Uint8Array {
  let offset = 0;
  return (size) => {
    offset += size;
    return bytes.subarray(offset - size, offset);
  };
}

const takeNothing = (): Uint8Array => joinBytes([]);

/** Events that no entry of our own files carries; those that cannot be read are left out and named. */
export function readOwnEvents(
  texts: readonly string[],
  bootId: string,
  captureId: string,
  repairs: Repair[],
): WireEvent[] {
  return texts.flatMap((text, index) => {
    try {
      return [fromEventJson(JSON.parse(text) as EventJson, captureId, { bootId })];
    } catch (error) {
      repairs.push({ where: `event ${index + 1}`, what: `left out: ${reasonOf(error)}` });
      return [];
    }
  });
}

/** Whether what was read is what was written: no sequence twice, no byte too many. */
export function inOrder(events: WireEvent[], repairs: Repair[]): WireEvent[] {
  const sorted = events.toSorted((a, b) => a.sequence - b.sequence);
  return sorted.filter((event, index) => {
    if (index === 0 || sorted[index - 1]?.sequence !== event.sequence) return true;
    const what = `left out: it is there twice (${event.kind}, ${payloadBytes(event)} bytes)`;
    repairs.push({ where: `event ${event.sequence}`, what });
    return false;
  });
}
