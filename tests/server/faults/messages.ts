import { event, json, result, stream } from '../scripted-behaviour.ts';
import type { Script } from '../scripted.ts';
import { fault, type FeatureFault } from './features.ts';

const CALL: FeatureFault['calls'] = [
  ['tools/call', { name: 'x', _meta: { progressToken: 'token-1' } }],
];
const CALLED = result('{"content":[]}');

/** A call in whose stream these messages come before its result. */
function before(...messages: string[]): Script {
  return { 'tools/call': stream([...messages.map((text) => event(text)), event(CALLED)]) };
}

function notification(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

function progress(value: number): string {
  return notification('notifications/progress', { progressToken: 'token-1', progress: value });
}

/** The handshake with a session id of this kind. */
function session(id: string): Script {
  const value = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'faulty', version: '1' },
  };
  return { initialize: json(result(JSON.stringify(value)), 200, { 'Mcp-Session-Id': id }) };
}

/** Servers by what is wrong with the messages that they send. */
export const MESSAGE_FAULTS: Record<string, FeatureFault> = {
  'null-id': fault(
    'a request with the id null',
    CALL,
    before('{"jsonrpc":"2.0","id":null,"method":"ping"}'),
  ),
  'same-id': fault(
    'two requests with one id',
    CALL,
    before(
      '{"jsonrpc":"2.0","id":"a","method":"ping"}',
      '{"jsonrpc":"2.0","id":"a","method":"roots/list"}',
    ),
  ),
  'reserved-meta': fault('a key of _meta that belongs to MCP', CALL, {
    'tools/call': json(result('{"content":[],"_meta":{"dev.mcp/x":1}}')),
  }),
  'unpromised-change': fault(
    'a change of the tools that was not promised',
    CALL,
    before(notification('notifications/tools/list_changed', {})),
  ),
  'cancels-ours': fault(
    'a cancellation of what nobody has asked',
    CALL,
    before(notification('notifications/cancelled', { requestId: 77 })),
  ),
  'still-progress': fault('progress that stands still', CALL, before(progress(1), progress(1))),
  'late-log': fault('a log message after the result', CALL, {
    'tools/call': stream([
      event(CALLED),
      event(notification('notifications/message', { level: 'info', data: 'x' })),
    ]),
  }),
  'short-session': fault('a session id that can be guessed', CALL, {
    ...session('1'),
    'tools/call': json(CALLED),
  }),
};
