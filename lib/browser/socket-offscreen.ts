import { browser } from 'wxt/browser';
import type { SocketCall, SocketLink, SocketObserver } from '../transport/socket-door.ts';
import {
  createPartReader,
  PIPE_PORT,
  toParts,
  type PipeOrder,
  type PipeReport,
} from './socket-pipe.ts';

const PAGE = '/offscreen.html';

/**
 * The offscreen document that holds our sockets in Chrome: there, other than in the worker, session rules reach
 * their handshakes. It exists while a socket does.
 */
export function createOffscreenSockets() {
  let sockets = 0;
  /** One change after the other: a document that is being closed can be neither used nor made. */
  let last: Promise<void> = Promise.resolve();

  function change(work: () => Promise<void>): Promise<void> {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  }

  async function exists(): Promise<boolean> {
    const found = await browser.runtime.getContexts({ contextTypes: ['OFFSCREEN_DOCUMENT'] });
    return found.length > 0;
  }

  return {
    /** Makes the document where there is none. To be followed by one `release`, even where it rejects. */
    async acquire(): Promise<void> {
      sockets += 1;
      await change(async () => {
        // An earlier life of the worker may have left it.
        if (await exists()) return;
        await browser.offscreen.createDocument({
          url: PAGE,
          reasons: ['WORKERS'],
          justification: 'Opens the WebSockets of MCP connections with the headers that they need.',
        });
      });
    },
    release(): void {
      sockets -= 1;
      // Left behind at worst: an empty document, which the next socket uses.
      change(async () => {
        if (sockets === 0 && (await exists())) await browser.offscreen.closeDocument();
      }).catch(() => undefined);
    },
  };
}

/** A socket in the offscreen document, as a link: what is sent and what comes goes over a port. */
export function linkOffscreen(call: SocketCall, observer: SocketObserver): SocketLink {
  const port = browser.runtime.connect({ name: PIPE_PORT });
  const encoder = new TextEncoder();
  const readPart = createPartReader();
  let givenBytes = 0;
  let sentBytes = 0;
  let isOver = false;

  function order(message: PipeOrder): void {
    if (!isOver) port.postMessage(message);
  }

  function end(): boolean {
    const wasOver = isOver;
    isOver = true;
    return !wasOver;
  }

  function take(report: PipeReport): void {
    if (isOver) return;
    if ('opened' in report) observer.open(report.opened);
    else if ('sentBytes' in report) sentBytes = report.sentBytes;
    else if ('frame' in report) {
      const frame = readPart(report.frame);
      if (frame === undefined) return;
      if (typeof frame === 'string') observer.frame('text', encoder.encode(frame));
      else observer.frame('binary', frame);
    } else if (end()) {
      port.disconnect();
      observer.close(report.closed);
    }
  }

  port.onMessage.addListener((message: PipeReport) => take(message));
  port.onDisconnect.addListener(() => {
    // The document is gone, and its sockets with it.
    if (end()) observer.close({ code: 1006, reason: '', clean: false });
  });
  order({ open: { url: call.url, subprotocols: [...call.subprotocols] } });

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
