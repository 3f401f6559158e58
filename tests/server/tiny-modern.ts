import { startMisbehaving, type RecordedRequest } from './misbehaving.ts';

export interface TinyModern extends AsyncDisposable {
  /** The MCP endpoint. */
  url: string;
  /** All requests, in the order they came: a test looks here for headers and bodies. */
  requests: RecordedRequest[];
  /** Cuts every connection. */
  dropConnections(): void;
}

/**
 * Starts a small, strict and correct server of revision 2026-07-28 on 127.0.0.1:
 * `await using server = await startTinyModern()`, then connect to `server.url`.
 *
 * Tools: `echo`, `slow`, `progress`, `fail`, `mirror` (headers from arguments), `ask` (`rounds` of elicitation),
 * `busy` (a round that asks for nothing), `research` (a task), and for subscriptions `change`, `touch`, `end`.
 * `tools/list` has two pages. There is one resource, `test:///note`, and one prompt, `greet`, which asks too.
 */
export async function startTinyModern(port = 0): Promise<TinyModern> {
  const server = await startMisbehaving(port);
  return {
    url: server.url('modern'),
    requests: server.requests,
    dropConnections: server.dropConnections,
    [Symbol.asyncDispose]: server.close,
  };
}

if (import.meta.main) console.log((await startTinyModern(Number(process.argv[2] ?? 0))).url);
