import {
  WebSocketTransport,
  type WebSocketOptions,
} from '../../../../lib/transport/websocket/websocket.ts';
import type {
  SocketCall,
  SocketDoor,
  SocketObserver,
} from '../../../../lib/transport/websocket/socket-door.ts';
import type { Payload } from '../../../../lib/protocol/jsonrpc.ts';
import type { Problem } from '../../../../lib/errors.ts';
import type { WireEvent } from '../../../../lib/capture/wire-event.ts';
import type { RecorderOptions } from '../../../../lib/capture/recorder.ts';
import { startRecorder } from '../../../support/builders.ts';

const utf8 = new TextEncoder();

/** A socket in the hands of a test: it plays the browser and the server. */
export interface ScriptedSocket {
  call: SocketCall;
  observer: SocketObserver;
  sent: string[];
  closes: [code: number, reason: string][];
  isDropped: boolean;
  bufferedBytes: number;
  text(text: string): void;
}

/** A transport over sockets that the test plays, with everything that it records and tells. */
export async function startScripted(
  options: Partial<WebSocketOptions> = {},
  recording: Partial<RecorderOptions> = {},
) {
  const sockets: ScriptedSocket[] = [];
  const received: Payload[] = [];
  const lost: { problem: Problem; mayReconnect: boolean | undefined }[] = [];
  const { recorder, batches, secrets } = await startRecorder(recording);
  const events: WireEvent[] = [];
  const door: SocketDoor = {
    open(call, observer) {
      const socket: ScriptedSocket = {
        call,
        observer,
        sent: [],
        closes: [],
        isDropped: false,
        bufferedBytes: 0,
        text: (text) => observer.frame('text', utf8.encode(text)),
      };
      sockets.push(socket);
      return {
        send: (data) => void socket.sent.push(String(data)),
        close: (code, reason) => void socket.closes.push([code, reason]),
        get bufferedBytes() {
          return socket.bufferedBytes;
        },
        drop: () => void (socket.isDropped = true),
      };
    },
  };
  let count = 0;
  const transport = new WebSocketTransport({
    socketDoor: door,
    door: {
      canBrake: true,
      send: () => Promise.reject(new Error('no network here')),
      bodyError: () => Promise.resolve('none'),
    },
    recorder: {
      ...recorder,
      record(fact, connectionId) {
        const event = recorder.record(fact, connectionId);
        events.push(event);
        return event;
      },
      uncommittedBytes: (connectionId) => recorder.uncommittedBytes(connectionId),
      flushed: () => recorder.flushed(),
    },
    connectionId: 'c1',
    newHttpId: () => `s${(count += 1)}`,
    url: 'ws://h/mcp',
    headers: () => [],
    originPolicy: { kind: 'none' },
    limitBytes: 1000,
    events: {
      received: (payload) => void received.push(payload),
      lost: (problem, mayReconnect) => void lost.push({ problem, mayReconnect }),
    },
    ...options,
  });
  const signal = new AbortController().signal;

  /** Opens a socket and lets it succeed. */
  async function open(subprotocol = 'mcp'): Promise<ScriptedSocket> {
    const opening = transport.open(signal);
    const socket = sockets.at(-1);
    if (socket === undefined) throw new Error('no socket was asked for');
    socket.observer.open(subprotocol);
    await opening;
    return socket;
  }

  const send = (text: string, own = signal) =>
    transport.send({ text, kind: 'notification', method: 'm', signal: own });

  return { transport, sockets, received, lost, events, recorder, batches, secrets, open, send };
}

/** A notification that carries a value. */
export function note(value: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', method: 'n', params: { value } });
}
