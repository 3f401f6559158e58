import { FastMCP } from 'fastmcp';

const server = new FastMCP({ name: 'fastmcp-peer', version: '1.0.0' });

server.addTool({
  name: 'count',
  description: 'Counts to three, with progress and a log message for each step',
  annotations: { readOnlyHint: true },
  async execute(_args, { log, reportProgress }) {
    for (let step = 1; step <= 3; step += 1) {
      log.info(`step ${step}`);
      await reportProgress({ progress: step, total: 3 });
    }
    return 'counted to 3';
  },
});

await server.start({
  transportType: 'httpStream',
  httpStream: {
    host: '127.0.0.1',
    // Taken from the system in fact: see peers-loopback.ts.
    port: 8080,
    stateless: process.argv.includes('--stateless'),
  },
});
