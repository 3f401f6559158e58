import { browser } from 'wxt/browser';
import type {
  SocketCall,
  SocketDoor,
  SocketLink,
  SocketObserver,
} from '../../transport/websocket/socket-door.ts';
import { linkWebSocket } from '../../transport/websocket/websocket-link.ts';
import { createOffscreenSockets } from './socket-offscreen.ts';
import { PIPE_PORT } from './socket-pipe.ts';
import { linkPort } from './socket-port.ts';
import { createSocketRules } from './socket-rule.ts';

/**
 * WebSockets with the headers and the `Origin` that a connection wants. Firefox applies session rules to the
 * sockets of the background; Chrome only to those of a document, so there they are opened in one.
 */
export function openSocketDoor(): SocketDoor {
  const rules = createSocketRules();
  const offscreen = import.meta.env.CHROME ? createOffscreenSockets() : undefined;

  /** What a socket needs around it; `letGo` is to be called when it has ended, and before that when it is open. */
  async function prepare(call: SocketCall, observer: SocketObserver) {
    try {
      await offscreen?.acquire();
      return { isPlain: offscreen === undefined, letGo: await rules.hold(call) };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      observer.limited(
        `The handshake goes without our headers and with the browser's Origin and cookies: ${why}`,
      );
      return { isPlain: true, letGo: () => undefined };
    }
  }

  return {
    open(call, observer) {
      let link: SocketLink | undefined;
      let isClosing = false;
      let letGo = (): void => undefined;
      let isOver = false;

      function end(): boolean {
        if (isOver) return false;
        isOver = true;
        letGo();
        offscreen?.release();
        return true;
      }

      const own: SocketObserver = {
        ...observer,
        open(subprotocol) {
          letGo();
          observer.open(subprotocol);
        },
        close(close) {
          if (end()) observer.close(close);
        },
      };

      async function start(): Promise<void> {
        const prepared = await prepare(call, observer);
        if (isOver) return prepared.letGo();
        letGo = prepared.letGo;
        if (isClosing) return own.close({ code: 1006, reason: '', clean: false });
        link = prepared.isPlain
          ? linkWebSocket(new WebSocket(call.url, [...call.subprotocols]), own)
          : linkPort(browser.runtime.connect({ name: PIPE_PORT }), call, own);
      }

      // The constructor throws on what is no URL for it; such a socket is one that never opened.
      start().catch(() => own.close({ code: 1006, reason: '', clean: false }));
      return {
        send: (data) => link?.send(data),
        close(code, reason) {
          isClosing = true;
          link?.close(code, reason);
        },
        get bufferedBytes() {
          return link?.bufferedBytes ?? 0;
        },
        drop() {
          link?.drop();
          end();
        },
      };
    },
  };
}
