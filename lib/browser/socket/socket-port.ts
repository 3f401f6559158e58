import { CLOSE_TOO_FAST } from '../../protocol/diagnose-socket.ts';
import type {
  SocketCall,
  SocketLink,
  SocketObserver,
} from '../../transport/websocket/socket-door.ts';
import {
  createPartReader,
  TAKEN_LENGTH,
  toParts,
  type PipeOrder,
  type PipePort,
  type PipeReport,
} from './socket-pipe.ts';

/** A socket at the other end of a port, as a link. It ends with the port, whoever disconnects that. */
export function linkPort(port: PipePort, call: SocketCall, observer: SocketObserver): SocketLink {
  const encoder = new TextEncoder();
  const readPart = createPartReader();
  let givenBytes = 0;
  let sentBytes = 0;
  let takenLength = 0;
  let saidLength = 0;
  let isOver = false;

  function order(message: PipeOrder): void {
    if (!isOver) port.postMessage(message);
  }

  function end(): boolean {
    const wasOver = isOver;
    isOver = true;
    return !wasOver;
  }

  function sayTaken(length: number): void {
    takenLength += length;
    if (takenLength - saidLength < TAKEN_LENGTH) return;
    saidLength = takenLength;
    order({ taken: takenLength });
  }

  function take(report: PipeReport): void {
    if (isOver) return;
    if ('opened' in report) observer.open(report.opened);
    else if ('sentBytes' in report) sentBytes = report.sentBytes;
    else if ('overrun' in report) observer.overrun(report.overrun);
    else if ('frame' in report) {
      sayTaken(report.frame.part.length);
      const frame = readPart(report.frame);
      if (frame === undefined) return;
      if (typeof frame === 'string') observer.frame('text', encoder.encode(frame));
      else observer.frame('binary', frame);
    } else if (end()) {
      port.disconnect();
      observer.close(report.closed);
    }
  }

  port.onMessage.addListener((message) => take(message as PipeReport));
  port.onDisconnect.addListener(() => {
    // The document is gone, and its sockets with it.
    if (end()) observer.close({ code: 1006, reason: '', clean: false });
  });
  const { url, subprotocols } = call;
  order({ open: { url, subprotocols: [...subprotocols], overrunCode: CLOSE_TOO_FAST } });

  return {
    send(data) {
      givenBytes += typeof data === 'string' ? encoder.encode(data).length : data.length;
      for (const part of toParts(data)) order({ send: part });
    },
    close: (code, reason) => order({ close: { code, reason } }),
    get bufferedBytes() {
      return givenBytes - sentBytes;
    },
    drop() {
      if (end()) port.disconnect();
    },
  };
}
