import { expect, test } from 'vitest';
import type { NotificationItem } from '../../../lib/capture/correlate/items.ts';
import type { Rung } from '../../../lib/capture/wire-event.ts';
import { startPeer, type PeerName } from '../../server/peers.ts';
import type { ConnectRequest } from '../../../lib/port/contract.ts';
import { visit } from './visit.ts';

interface Expected {
  peer: PeerName;
  path: string;
  options?: Partial<ConnectRequest>;
  serverName: string;
  hasSession: boolean;
  /** Status of the DELETE; absent where there is no way to end a session. */
  ended?: number;
  tool: string;
  params: (token: string) => object;
  /** Steps that the tool reports. */
  steps: number;
  /** A bridge between two processes drops reports that the result overtakes: then any number may come. */
  mayDropSteps?: boolean;
}

const HTTP_SSE: Partial<ConnectRequest> = { transport: 'http-sse' };

/** How the automatic choice finds each transport: rungs and their verdicts. */
const FOUND = {
  modern: [['modern', 'chosen']],
  'streamable-http': [
    ['modern', 'not-this'],
    ['streamable-http', 'chosen'],
  ],
  'http-sse': [
    ['modern', 'not-this'],
    ['streamable-http', 'not-this'],
    ['http-sse', 'chosen'],
  ],
  websocket: [
    ['modern', 'not-this'],
    ['websocket', 'chosen'],
  ],
} satisfies Record<Rung, [rung: Rung, verdict: string][]>;

const everything = {
  serverName: 'mcp-servers/everything',
  tool: 'trigger-long-running-operation',
  params: (token: string) => ({
    arguments: { duration: 0.2, steps: 4 },
    _meta: { progressToken: token },
  }),
  steps: 4,
};

const fastmcp = {
  serverName: 'fastmcp-peer',
  tool: 'count',
  params: (token: string) => ({ arguments: {}, _meta: { progressToken: token } }),
  steps: 3,
};

const PEERS: Expected[] = [
  { peer: 'everything-streamable', path: '/mcp', ...everything, hasSession: true, ended: 200 },
  { peer: 'everything-sse', path: '/sse', options: HTTP_SSE, ...everything, hasSession: true },
  { peer: 'supergateway-sse', path: '/sse', options: HTTP_SSE, ...everything, hasSession: true },
  {
    peer: 'supergateway-ws',
    path: '/message',
    options: { transport: 'websocket' },
    ...everything,
    hasSession: false,
  },
  { peer: 'supergateway-stateless', path: '/mcp', ...everything, hasSession: false },
  { peer: 'supergateway-stateful', path: '/mcp', ...everything, hasSession: true, ended: 200 },
  {
    peer: 'mcp-proxy',
    path: '/mcp',
    ...everything,
    mayDropSteps: true,
    hasSession: true,
    ended: 200,
  },
  {
    peer: 'mcp-proxy',
    path: '/sse',
    options: HTTP_SSE,
    ...everything,
    mayDropSteps: true,
    hasSession: true,
  },
  {
    peer: 'mcp-proxy-stateless',
    path: '/mcp',
    ...everything,
    mayDropSteps: true,
    hasSession: false,
  },
  { peer: 'fastmcp', path: '/mcp', ...fastmcp, hasSession: true, ended: 200 },
  { peer: 'fastmcp', path: '/sse', options: HTTP_SSE, ...fastmcp, hasSession: true },
  { peer: 'fastmcp-stateless', path: '/mcp', ...fastmcp, hasSession: false },
];

test.concurrent.each(PEERS)(
  '$peer at $path: handshake, tools, a call with progress, the end',
  async ({
    peer,
    path,
    options,
    serverName,
    hasSession,
    ended,
    tool,
    params,
    steps,
    mayDropSteps = false,
  }) => {
    await using server = await startPeer(peer);
    await using guest = await visit(server.url(path), options);
    const { worker, id } = guest;
    const summary = worker.summary(id);
    expect(summary).toMatchObject({ serverName, revision: '2025-11-25', era: 'legacy' });
    expect(summary.session !== undefined).toBe(hasSession);

    const list = await guest.call('tools/list');
    const { tools } = guest.result(list) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toContain(tool);

    const call = await guest.call('tools/call', { name: tool, ...params('token-1') });
    expect(call).toMatchObject({ outcome: 'result' });
    expect(guest.result(call)).toMatchObject({ content: [{ type: 'text' }] });

    await worker.manager.functions.disconnect(id, true);
    expect(worker.summary(id).state).toBe('closed');
    const statuses = worker.events.flatMap((event) =>
      event.kind === 'connection-terminated' ? [event.status] : [],
    );
    expect(statuses).toEqual(ended === undefined ? [] : [ended]);
    const progress = worker.correlation.items.filter(
      (item): item is NotificationItem =>
        item.kind === 'notification' && item.method === 'notifications/progress',
    );
    const all = Array.from({ length: steps }, (_, index) => `${index + 1} of ${steps}`);
    const came = progress.map(({ summary: step }) => step);
    expect(came).toEqual(mayDropSteps ? all.filter((step) => came.includes(step)) : all);
    expect(progress.map(({ parent }) => parent)).toEqual(came.map(() => call.key));
    expect(await guest.issues()).toEqual([]);
  },
);

test.concurrent.each(PEERS)(
  '$peer at $path: found by the automatic choice, and every exchange of it is in the log',
  async ({ peer, path, options, serverName, tool }) => {
    await using server = await startPeer(peer);
    const asked = options?.transport ?? 'streamable-http';
    const url = server.url(path);
    const typed = asked === 'websocket' ? url.replace(/^http/, 'ws') : url;
    await using guest = await visit(typed, { transport: 'auto' });
    const { worker, id } = guest;
    const isModern = asked === 'streamable-http' && peer.startsWith('mcp-proxy');
    const rung: Rung = isModern ? 'modern' : (asked as Rung);
    expect(guest.rungs()).toEqual(FOUND[rung]);
    const chosen = {
      transport: isModern ? 'streamable-http' : rung,
      era: isModern ? 'modern' : 'legacy',
      revision: isModern ? '2026-07-28' : '2025-11-25',
    };
    expect(worker.summary(id)).toMatchObject({ ...chosen, serverName });
    const judged = guest.facts('rung-judged');
    expect(guest.facts('connection-chosen')).toMatchObject([
      { ...chosen, evidence: judged.at(-1)!.evidence },
    ]);
    const carriers = [...worker.correlation.https.keys(), ...worker.correlation.sockets.keys()];
    for (const { evidence, reason } of judged) {
      expect(reason).not.toBe('');
      expect(evidence).not.toEqual([]);
      expect(carriers).toEqual(expect.arrayContaining(evidence));
    }
    const list = await guest.call('tools/list');
    const { tools } = guest.result(list) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toContain(tool);
    await worker.manager.functions.disconnect(id, true);
    expect(await guest.issues()).toEqual([]);
  },
);

test('a session that was ended is refused by its server, and one new one begins', async () => {
  await using server = await startPeer('supergateway-stateful');
  await using guest = await visit(server.url('/mcp'), { openStream: false });
  const { worker } = guest;
  const request = worker.events.filter((event) => event.kind === 'http-request').at(-1)!;
  const { cuts = [] } = request.headers.find(({ name }) => name === 'Mcp-Session-Id')!;
  const [{ secret } = { secret: '' }] = cuts;
  const { [secret]: session = '' } = await worker.manager.functions.reveal([secret]);
  const ended = await fetch(server.url('/mcp'), {
    method: 'DELETE',
    headers: { 'Mcp-Session-Id': session, 'MCP-Protocol-Version': '2025-11-25' },
  });
  expect(ended.status).toBe(200);
  const refused = await guest.call('tools/list');
  expect(refused.problem).toMatchObject({ code: 'http-session-ended' });
  const again = await worker.until(() =>
    worker.correlation.items.find(
      (item) =>
        item.kind === 'request' && item.method === 'tools/list' && item.outcome === 'result',
    ),
  );
  expect(again.sequence).toBeGreaterThan(refused.sequence);
  expect(worker.events.filter(({ kind }) => kind === 'session-replaced')).toHaveLength(1);
});
