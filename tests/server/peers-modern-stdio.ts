import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createPeerServer, type Shared } from './peers-modern-tools.ts';

/** The official SDK over standard input and output: a child for bridges. */
const shared: Shared = {
  hasFarewell: false,
  cancelled: 0,
  changed: (tool) => tool.update({ enabled: shared.hasFarewell }),
  end: () => void served.close(),
};
// A bridge may start a process for each request: then only what changes by itself is told to a subscriber.
const isRestless = process.argv.includes('--restless');
const served = serveStdio(() => {
  const server = createPeerServer('modern-stdio', shared);
  if (isRestless) setInterval(() => server.sendToolListChanged(), 20).unref();
  return server;
});
console.error('modern-stdio is ready');
