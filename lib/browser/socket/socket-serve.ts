import {
  createPartReader,
  toParts,
  UNDER_WAY_LENGTH,
  type PipeOrder,
  type PipePort,
  type PipeReport,
} from './socket-pipe.ts';

type OpenOrder = Extract<PipeOrder, { open: unknown }>['open'];

/** How often a socket that has bytes to send is looked at: it has no event for that. */
const LOOK_MS = 20;

/** Serves one socket to a port, and knows nothing of what it carries. Neither outlives the other. */
export function servePipe(port: PipePort): void {
  const encoder = new TextEncoder();
  const readPart = createPartReader();
  let socket: WebSocket | undefined;
  let givenBytes = 0;
  let reportedLength = 0;
  let takenLength = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  const listening = new AbortController();

  function report(message: PipeReport): void {
    port.postMessage(message);
  }

  function reportSent(): void {
    const bufferedBytes = socket?.bufferedAmount ?? 0;
    report({ sentBytes: givenBytes - bufferedBytes });
    if (bufferedBytes > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function send(data: string | Uint8Array<ArrayBuffer>): void {
    givenBytes += typeof data === 'string' ? encoder.encode(data).length : data.length;
    socket?.send(data);
    timer ??= setInterval(reportSent, LOOK_MS);
    reportSent();
  }

  function open({ url, subprotocols, overrunCode }: OpenOrder): void {
    const { signal } = listening;
    const opened = new WebSocket(url, subprotocols);
    opened.binaryType = 'arraybuffer';
    opened.addEventListener('open', () => report({ opened: opened.protocol }), { signal });
    opened.addEventListener(
      'message',
      ({ data }: MessageEvent<string | ArrayBuffer>) => {
        // What this frame adds is not counted: one that the limit allows has to pass.
        const underWay = reportedLength - takenLength;
        for (const frame of toParts(typeof data === 'string' ? data : new Uint8Array(data))) {
          reportedLength += frame.part.length;
          report({ frame });
        }
        if (underWay <= UNDER_WAY_LENGTH || opened.readyState !== WebSocket.OPEN) return;
        // No frame is heard of after this, and all that came is on its way.
        opened.close(overrunCode);
        report({ overrun: underWay });
      },
      { signal },
    );
    opened.addEventListener(
      'close',
      ({ code, reason, wasClean }) => report({ closed: { code, reason, clean: wasClean } }),
      { signal },
    );
    socket = opened;
  }

  port.onMessage.addListener((message) => {
    const order = message as PipeOrder;
    if ('open' in order) open(order.open);
    else if ('taken' in order) takenLength = order.taken;
    else if ('close' in order) socket?.close(order.close.code, order.close.reason);
    else {
      const data = readPart(order.send);
      if (data !== undefined) send(data);
    }
  });
  port.onDisconnect.addListener(() => {
    listening.abort();
    clearInterval(timer);
    socket?.close(1000);
  });
}
