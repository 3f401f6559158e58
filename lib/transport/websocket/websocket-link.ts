import type { SocketLink, SocketObserver } from './socket-door.ts';

/** A WebSocket of the platform as a link. It has to be a new one, which nothing has happened to yet. */
export function linkWebSocket(socket: WebSocket, observer: SocketObserver): SocketLink {
  const encoder = new TextEncoder();
  const listening = new AbortController();
  const { signal } = listening;
  // With blobs, whose bytes come later, text and binary frames would change places.
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('open', () => observer.open(socket.protocol), { signal });
  socket.addEventListener(
    'message',
    ({ data }: MessageEvent<string | ArrayBuffer>) =>
      typeof data === 'string'
        ? observer.frame('text', encoder.encode(data))
        : observer.frame('binary', new Uint8Array(data)),
    { signal },
  );
  socket.addEventListener(
    'close',
    ({ code, reason, wasClean }) => observer.close({ code, reason, clean: wasClean }),
    { signal },
  );
  return {
    send: (data) => socket.send(data),
    close: (code, reason) => socket.close(code, reason),
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
    drop: () => listening.abort(),
  };
}
