import { browser } from 'wxt/browser';

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
