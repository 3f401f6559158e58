import { challenge, startAuthPeer, type AuthPeer } from '../server/auth-peer.ts';
import { json, result } from '../server/scripted-behaviour.ts';
import { startScripted } from '../server/scripted.ts';

const INTRODUCTION = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'files', version: '2.1' },
};
const CONTENT = { content: [{ type: 'text', text: 'done' }] };

/** A server that wants a login, with an authorization server that takes its time. */
export interface ProtectedServer {
  url: string;
  peer: AuthPeer;
  close(): Promise<void>;
}

/** Starts both. Calls need a scope that the first login does not ask for. */
export async function startProtected(): Promise<ProtectedServer> {
  const peer = await startAuthPeer();
  const script = peer.protect(
    {
      initialize: json(result(JSON.stringify(INTRODUCTION))),
      'tools/call': json(result(JSON.stringify(CONTENT))),
    },
    ({ message }, scopes) =>
      message.method === 'tools/call' && !scopes.includes('files:write')
        ? challenge(403, 'error="insufficient_scope", scope="files:write"')
        : undefined,
  );
  const server = await startScripted(script);
  return {
    url: server.url(),
    peer,
    async close() {
      await server[Symbol.asyncDispose]();
      await peer[Symbol.asyncDispose]();
    },
  };
}
