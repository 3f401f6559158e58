import { createServer } from 'node:http';
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createPeerServer, type Shared } from './peers-modern-tools.ts';

/** The official SDK over Streamable HTTP; `--guard` adds its checks of `Host` and `Origin`. */
const isGuarded = process.argv.includes('--guard');
const checks = isGuarded ? [localhostHostValidation(), localhostOriginValidation()] : [];

const shared: Shared = {
  hasFarewell: false,
  cancelled: 0,
  changed: () => handler.notify.toolsChanged(),
  end: () => void handler.close(),
};
const handler = createMcpHandler(() => createPeerServer('modern-peer', shared));
const answer = toNodeHandler(handler);

const server = createServer((request, response) => {
  if (!checks.every((check) => check(request, response))) return;
  const { method = 'GET', url = '/' } = request;
  void answer(Object.assign(request, { method, url }), response);
});
// Taken from the system in fact: see peers-loopback.ts.
server.listen(8080, '127.0.0.1');
