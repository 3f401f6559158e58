import type { EventOf, WireEvent } from '../../capture/wire-event.ts';
import { decodeUtf8 } from '../../text.ts';
import { toEntryEvent, toLogEvent } from '../event-json.ts';
import { roundMs, toIsoTime, toSeconds, toUrlParts, totalMs } from './entry-parts.ts';
import type { ChromeSocketMessage, EntryMcp, HarEntry, HarTimings } from '../har-format.ts';
import { toBase64 } from '../text-bytes.ts';

/** The entry of one WebSocket. `events` are all of its events in order; the first says that it opens. */
export function toSocketEntry(events: readonly WireEvent[]): HarEntry {
  const [opening] = events;
  if (opening?.kind !== 'socket-opening') throw new TypeError('A socket begins with its opening.');
  const open = events.find((event) => event.kind === 'socket-open');
  const close = events.find((event) => event.kind === 'socket-close');
  const { socketId, bootId, connectionId } = opening;
  const shared = { bootId, connectionId, socketId };
  const mcp: EntryMcp = {
    id: socketId,
    kind: 'websocket',
    ...(connectionId === undefined ? {} : { connection: connectionId }),
    boot: bootId,
    t0: opening.wallTime,
    isComplete: close !== undefined,
    unknownTimings: ['send', 'receive'],
    events: events.map((event) =>
      // A frame that is not what its opcode says cannot stand in Chrome's list.
      isOdd(event) ? toLogEvent(event, shared) : toEntryEvent(event, shared),
    ),
  };
  const protocols = opening.subprotocols.join(', ');
  const timings = timingsOf(opening, open ?? close);
  const frames = events.filter((event) => event.kind === 'socket-frame');
  return {
    startedDateTime: toIsoTime(opening.wallTime),
    time: totalMs(timings),
    request: {
      method: 'GET',
      ...toUrlParts(opening.url.text),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: protocols === '' ? [] : [{ name: 'Sec-WebSocket-Protocol', value: protocols }],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: open === undefined ? 0 : 101,
      statusText: open === undefined ? '' : 'Switching Protocols',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers:
        open === undefined || open.subprotocol === ''
          ? []
          : [{ name: 'Sec-WebSocket-Protocol', value: open.subprotocol }],
      content: { size: 0, mimeType: 'x-unknown' },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings,
    _resourceType: 'websocket',
    ...(close === undefined || close.clean ? {} : { _error: `Closed with ${close.code}` }),
    _webSocketMessages: frames.map(toMessage),
    _mcp: mcp,
  };
}

function isOdd(event: WireEvent): boolean {
  return (
    event.kind === 'socket-frame' &&
    event.opcode === 'text' &&
    decodeUtf8(event.data.bytes) === undefined
  );
}

function toMessage({ direction, opcode, data, wallTime }: EventOf<'socket-frame'>) {
  const message: ChromeSocketMessage = {
    type: direction === 'outgoing' ? 'send' : 'receive',
    time: toSeconds(wallTime),
    opcode: opcode === 'text' ? 1 : 2,
    data: opcode === 'text' ? new TextDecoder().decode(data.bytes) : toBase64(data.bytes),
  };
  // The text decoder takes a byte order mark for one.
  if (opcode === 'text') message.data = decodeUtf8(data.bytes) ?? message.data;
  return message;
}

function timingsOf(opening: WireEvent, answer: WireEvent | undefined): HarTimings {
  const wait = answer === undefined ? 0 : answer.wallTime - opening.wallTime;
  const none = { blocked: -1, dns: -1, connect: -1, ssl: -1 };
  return { ...none, send: 0, wait: roundMs(Math.max(wait, 0)), receive: 0 };
}
