import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { encodeBlock } from '../../lib/capture/store/encode-block.ts';
import { createRecorder } from '../../lib/capture/recorder.ts';
import { openSecrets } from '../../lib/capture/secrets.ts';
import { initializeParams } from '../../lib/connection/connect/handshake.ts';
import { createRequests } from '../../lib/connection/requests/requests.ts';
import { NEWEST_LEGACY_REVISION } from '../../lib/protocol/revisions.ts';
import { StreamableHttp } from '../../lib/transport/http/streamable-http.ts';
import { createNodeHttpDoor } from '../support/node-http.ts';

/** One way to call a tool of the benchmark's server. */
export interface BenchClient {
  name: 'raw' | 'official' | 'ours';
  call(tool: 'json' | 'sse' | 'burst', count?: number): Promise<void>;
}

/** The floor: fetch, read to the end, parse what has to be parsed, and nothing else. */
export function rawClient(url: string): BenchClient {
  let id = 0;
  return {
    name: 'raw',
    async call(tool, count) {
      id += 1;
      const params = { name: tool, arguments: { count } };
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
      });
      const text = await response.text();
      if (tool === 'json') JSON.parse(text);
      else if (tool === 'sse') JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
    },
  };
}

export async function officialClient(url: string): Promise<BenchClient> {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return {
    name: 'official',
    async call(tool, count) {
      await client.callTool({ name: tool, arguments: count === undefined ? {} : { count } });
    },
  };
}

/** Ours with recording on: events stamped, secrets sought, blocks encoded as they are stored and cloned into a counting sink. */
export async function ownClient(
  url: string,
): Promise<BenchClient & { stored: { events: number } }> {
  const stored = { events: 0 };
  const secrets = await openSecrets({
    load: () => Promise.resolve(undefined),
    save: () => undefined,
  });
  secrets.register('a-session-id-of-thirty-two-chars');
  const recorder = createRecorder({
    store: {
      append(blocks) {
        for (const block of structuredClone(blocks.map(encodeBlock)))
          stored.events += block.eventCount;
        // A transaction ends in a later task; what arrives meanwhile goes into the next one.
        return new Promise((resolve) => setImmediate(resolve));
      },
    },
    secrets,
    captureId: 'bench',
    bootId: 'bench',
    lastSequence: 0,
    committed: () => undefined,
  });
  let count = 0;
  const requests = createRequests(
    'bench',
    recorder,
    () => ({ transport, era: 'legacy' }),
    (_era, _method, paramsText) => ({ paramsText }),
  );
  const transport = new StreamableHttp({
    door: createNodeHttpDoor(),
    recorder,
    connectionId: 'bench',
    newHttpId: () => `bench-${(count += 1)}`,
    url,
    headers: () => [],
    limitBytes: 16 * 1024 * 1024,
    reconnection: { initialDelayMs: 1000, maxDelayMs: 30_000, factor: 1.5, retries: 2 },
    events: {
      received(payload, from) {
        if (payload.kind !== 'message') return;
        const { message } = payload;
        const isResponse = message.kind === 'result' || message.kind === 'error';
        if (isResponse) requests.respond(message, from.replyTo);
      },
      lost: () => undefined,
    },
  });
  const idle = { kind: 'idle', durationMs: 60_000 } as const;
  await requests.send('initialize', initializeParams('0.0.0', {}, NEWEST_LEGACY_REVISION), {
    idle,
  });
  return {
    name: 'ours',
    stored,
    async call(tool, burst) {
      const params = { name: tool, arguments: burst === undefined ? {} : { count: burst } };
      await requests.send('tools/call', JSON.stringify(params), { idle });
    },
  };
}
