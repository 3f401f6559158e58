import type { EventOf } from '../capture/wire-event.ts';
import { isRecord } from '../record.ts';
import { revisionOfMessage } from './claims.ts';
import { parsePayload } from './payload.ts';
import { readPayload } from './read-messages.ts';
import { runDetectors, type Bench } from './run.ts';
import { newCarrier, type ConnectionState } from './state.ts';

// A byte order mark is part of what came.
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Judges one event of a WebSocket. */
export function readSocketEvent(
  bench: Bench,
  connection: ConnectionState,
  event: EventOf<'socket-opening' | 'socket-frame' | 'socket-close'>,
): void {
  const { report, collector, detectors } = bench;
  if (event.kind === 'socket-opening') {
    const itemKey = collector.keyAt(event.sequence) ?? `socket ${event.socketId}`;
    connection.transport = 'websocket';
    connection.sockets.set(event.socketId, newCarrier(event.socketId, itemKey));
    return;
  }
  const exchange = connection.sockets.get(event.socketId);
  if (exchange === undefined) return;
  if (event.kind === 'socket-close') {
    const fact = { connection, exchange, event };
    runDetectors(report, detectors.socket, fact, { ...fact, itemKey: exchange.itemKey });
    return;
  }
  const { bytes } = event.data;
  // An empty frame holds nothing to be about.
  if (bytes.length === 0) return;
  const text = utf8.decode(bytes);
  const parsed = parsePayload(text);
  const [first] = parsed.parts;
  const { direction } = event;
  readPayload(bench, {
    connection,
    exchange,
    event,
    direction,
    revision: revisionOfMessage(
      connection,
      exchange,
      direction,
      isRecord(first) ? first : undefined,
    ),
    text,
    bytes: () => bytes,
    ...parsed,
  });
}
