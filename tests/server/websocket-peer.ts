import type { WebSocket } from 'ws';

/** A message of the client, as far as the server looks into it. */
export interface SocketMessage {
  id?: unknown;
  method?: string;
  params?: Record<string, unknown>;
}

/** One client of the misbehaving WebSocket server. */
export interface SocketPeer {
  socket: WebSocket;
  query: URLSearchParams;
  /** How many sockets have been opened to this behaviour, this one included. */
  visit: number;
  /** Messages that this socket has received. */
  received: SocketMessage[];
  /** What a behaviour keeps from one socket to the next. */
  memory: Map<string, unknown>;
  sendResult(id: unknown, result: unknown): void;
  sendError(id: unknown, code: number, message: string, data?: unknown): void;
}

/** A small legacy server over a WebSocket that behaves well. */
export function answerWell(peer: SocketPeer, { id, method, params }: SocketMessage): void {
  if (id === undefined || method === undefined) return;
  switch (method) {
    case 'initialize':
      peer.sendResult(id, {
        protocolVersion: params?.['protocolVersion'],
        capabilities: { tools: {}, logging: {} },
        serverInfo: { name: 'misbehaving-socket', version: '1.0.0' },
      });
      return;
    case 'tools/list':
      peer.sendResult(id, { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] });
      return;
    case 'tools/call':
      peer.sendResult(id, { content: [{ type: 'text', text: 'done' }] });
      return;
    case 'ping':
      peer.sendResult(id, {});
      return;
    default:
      peer.sendError(id, -32601, `Method not found: ${method}`);
  }
}

/** The text of a log notification. */
export function logText(data: unknown): string {
  const params = { level: 'info', data };
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params });
}
