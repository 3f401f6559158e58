import { openFeed } from '../../../lib/port/feed.ts';
import type { PortLike } from '../../../lib/port/channel.ts';
import { BENCH_PORT } from './shared.ts';

// The page of the extension for benchmarks: it takes what comes, and says how far it is.
declare const chrome: { runtime: { connect(options: { name: string }): PortLike } };

const report = chrome.runtime.connect({ name: BENCH_PORT });

openFeed({
  connect: () => chrome.runtime.connect({ name: 'wirescope' }),
  // oxlint-disable-next-line require-yield -- nothing may come this way, or the port is not what is measured
  async *readBlocks() {
    throw new Error('A page that keeps up reads no block.');
  },
  wantsEvents: true,
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port, not a window
  events: (events) => report.postMessage(events.at(-1)?.sequence),
  connections: () => undefined,
  status({ kind }) {
    document.title = kind;
  },
});
