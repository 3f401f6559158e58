import { afterAll, beforeAll, expect, test } from 'vitest';
import { messageText } from '../../lib/capture/correlate/http-record.ts';
import type { Issue } from '../../lib/lint/issue.ts';
import type { ConnectRequest } from '../../lib/port/contract.ts';
import { startMisbehaving, type MisbehavingServer } from '../server/misbehaving.ts';
import { startPeer } from '../server/peers.ts';
import { startTestWorker, type TestWorker } from '../support/connected.ts';
import { issuesOf } from '../support/rules.ts';
import { MODERN_LIVE_CASES } from '../unit/lint/live-cases.ts';

let server: MisbehavingServer;

beforeAll(async () => {
  server = await startMisbehaving();
});

afterAll(async () => {
  await server.close();
});

function pending({ correlation }: TestWorker): number {
  return correlation.items.filter(
    (item) =>
      item.kind === 'request' && item.direction === 'outgoing' && item.outcome === 'pending',
  ).length;
}

/** The cursor that the last answer gave. */
function cursorIn({ correlation }: TestWorker): string | undefined {
  const last = correlation.items.findLast(({ kind }) => kind === 'request');
  const ref = last?.kind === 'request' ? last.response : undefined;
  const text = ref === undefined ? undefined : messageText(correlation.https, ref);
  return /"nextCursor":"(?<cursor>[^"]+)"/.exec(text ?? '')?.groups?.['cursor'];
}

/** Whether the second round of a tool has its result. */
function isDone({ correlation }: TestWorker, tool: string): boolean {
  return correlation.items.some(
    (item) =>
      item.kind === 'request' &&
      item.target === tool &&
      item.round?.number === 2 &&
      item.outcome === 'result',
  );
}

const PROGRESS = { name: 'progress', arguments: { steps: 2 }, _meta: { progressToken: 'a' } };

const MODERN: Partial<ConnectRequest> = {
  reconnection: { initialDelayMs: 20, maxDelayMs: 50, factor: 1.5, retries: 1 },
  transport: 'auto',
  answers: { elicitation: 'defaults', sampling: 'undeclared', roots: [] },
};

function findings(worker: TestWorker): readonly Issue[] {
  return issuesOf(worker.correlation);
}

/**
 * Does what a client of 2026-07-28 can do, each thing once; then judges all of it. `isWhole` goes on to what
 * only a server can do whose calls are in order: rounds without a question, and a subscription.
 */
async function visitModern(
  url: string,
  isWhole: boolean,
  options: Partial<ConnectRequest> = {},
): Promise<readonly Issue[]> {
  await using worker = await startTestWorker();
  const { functions } = worker.manager;
  const id = await worker.connect(url, { ...MODERN, ...options });
  const { state } = await worker.state(id, 'connected', 'failed');
  const send = async (method: string, params: unknown = {}): Promise<void> => {
    // A refusal is on the row of the request.
    await functions.send(id, method, JSON.stringify(params)).catch(() => undefined);
    await worker.until(() => pending(worker) === 0, `${method} is over`);
  };
  if (state === 'connected') {
    await send('tools/list');
    const cursor = cursorIn(worker);
    if (cursor !== undefined) await send('tools/list', { cursor });
    await send('tools/call', { name: 'mirror', arguments: { region: ' é ', count: 3 } });
    await send('tools/call', PROGRESS);
    await send('tools/call', { name: 'ask', arguments: { rounds: 2 } });
    await send('resources/read', { uri: 'test:///note' });
    await send('prompts/list');
    await send('prompts/get', { name: 'greet' });
    await send('no/such');
    if (isWhole) {
      await send('tools/call', { name: 'busy' });
      await worker.until(() => isDone(worker, 'busy'), 'the second round');
      await listenOnce(worker, id);
    }
  }
  await functions.disconnect(id, true);
  await worker.recorder.flushed();
  return findings(worker);
}

/** Subscribes, lets the tools change, and closes the subscription if the server has not. */
async function listenOnce(worker: TestWorker, id: string): Promise<void> {
  const { functions } = worker.manager;
  const { items } = worker.correlation;
  const params = JSON.stringify({ notifications: { toolsListChanged: true } });
  const { rpcId } = await functions.send(id, 'subscriptions/listen', params);
  const told = () => items.filter(({ kind }) => kind === 'notification').length;
  const before = told();
  const hasCome = (count: number) => () => told() >= before + count || pending(worker) === 0;
  await worker.until(hasCome(1), 'the subscription begins');
  await functions.send(id, 'tools/call', '{"name":"change"}');
  await worker.until(hasCome(2), 'the change is told');
  await functions.cancel(id, rpcId).catch(() => undefined);
  await worker.until(() => pending(worker) === 0, 'the subscription is over');
}

const isOfSubscriptions = /^modern-(unack|nameless|unasked|listen)/;

test.each(['auto', 'modern'] as const)(
  'nothing is found at a good modern server: %s',
  async (transport) => {
    expect(await visitModern(server.url('modern'), true, { transport })).toEqual([]);
  },
);

test('nothing is found at the official SDK in the modern era', async () => {
  await using peer = await startPeer('modern');
  expect(await visitModern(peer.url('/mcp'), false)).toEqual([]);
});

test.concurrent.each(MODERN_LIVE_CASES)('at %s it is found: %j', async (path, found, says) => {
  const issues = await visitModern(server.url(path), isOfSubscriptions.test(path));
  expect(issues.filter(({ side }) => side === 'client')).toEqual([]);
  const kinds = new Set(issues.map(({ ruleId, severity }) => `${ruleId} ${severity}`));
  expect([...kinds].sort()).toEqual(found);
  expect(issues.map(({ message }) => message).join('\n')).toMatch(says);
});

test('a modern server that refuses initialize without a word about versions', async () => {
  await using worker = await startTestWorker();
  const id = await worker.connect(server.url('modern-mute-initialize'));
  await worker.state(id, 'failed');
  expect(findings(worker)).toMatchObject([{ ruleId: 'MOD-07', side: 'server' }]);
});

test('a server that does not compare headers, shown by a client that sends a wrong one', async () => {
  await using worker = await startTestWorker();
  const headers = [{ name: 'Mcp-Name', value: 'other', secret: false }];
  const id = await worker.connect(server.url('modern-lax'), { ...MODERN, headers });
  await worker.state(id, 'connected');
  await worker.manager.functions.send(id, 'tools/call', '{"name":"echo"}');
  await worker.until(() => pending(worker) === 0, 'the answer');
  expect(findings(worker).map(({ ruleId, side }) => `${ruleId} ${side}`)).toEqual([
    'HDR-04 client',
    'HDR-09 server',
  ]);
});
