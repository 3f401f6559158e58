import { expect, test } from 'vitest';
import type { RequestItem } from '../../lib/capture/correlate/items.ts';
import { startPeer } from '../server/peers.ts';
import { startTinyModern } from '../server/tiny-modern.ts';
import { newHome, startTestWorker, type TestWorker } from '../support/connected.ts';

function requests(worker: TestWorker, method: string): RequestItem[] {
  return worker.correlation.items.filter(
    (item): item is RequestItem => item.kind === 'request' && item.method === method,
  );
}

function restartRow(worker: TestWorker): string | undefined {
  const row = worker.correlation.items.find(
    (item) => item.kind === 'lifecycle' && item.title === 'Worker restarted',
  );
  return row?.kind === 'lifecycle' ? row.detail : undefined;
}

const SLOW = { name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 4 } };

test('a call over Streamable HTTP goes on where it was cut off, in the same session', async () => {
  // Of the peers that give their events ids, the one that goes on with a stream that is taken up.
  await using server = await startPeer('mcp-proxy');
  const home = newHome();
  const before = await startTestWorker({}, home);
  const id = await before.connect(server.url('/mcp'));
  await before.state(id, 'connected');
  await before.until(() => before.correlation.items.some((item) => item.kind === 'stream'));
  const params = { ...SLOW, _meta: { progressToken: 'p' } };
  await before.manager.functions.send(id, 'tools/call', JSON.stringify(params));
  await before.until(() => (requests(before, 'tools/call')[0]?.related ?? 0) > 0);
  await before.recorder.flushed();
  before.kill();

  await using worker = await startTestWorker({}, home);
  expect(worker.summary(id)).toMatchObject({ state: 'connected', revision: '2025-11-25' });
  const call = await worker.until(() => {
    const [item] = requests(worker, 'tools/call');
    return item?.outcome === 'result' && item;
  });
  expect(requests(worker, 'tools/call')).toHaveLength(1);
  expect(requests(worker, 'initialize')).toHaveLength(1);
  const steps = worker.correlation.items.filter(
    (item) => item.kind === 'notification' && item.parent === call.key,
  );
  // The peer drops reports that its result overtakes; of those that came, each came once and in order.
  const all = [1, 2, 3, 4].map((step) => `${step} of 4`);
  const came = steps.map((item) => item.kind === 'notification' && item.summary);
  expect(came).toEqual(all.filter((step) => came.includes(step)));
  expect(restartRow(worker)).toMatch(/^away for about 0(\.\d)? s; 2 resumed; /);
  const { rpcId } = await worker.manager.functions.send(id, 'tools/list', undefined);
  expect(Number(rpcId)).toBeGreaterThan(Number(call.rpcId));
});

test('a call of the modern era is cancelled, and a subscription made again', async () => {
  await using server = await startTinyModern();
  const home = newHome();
  const before = await startTestWorker({}, home);
  const id = await before.connect(server.url, { transport: 'auto' });
  await before.state(id, 'connected');
  const listen = JSON.stringify({ notifications: { toolsListChanged: true } });
  await before.manager.functions.send(id, 'subscriptions/listen', listen);
  await before.manager.functions.send(id, 'tools/call', '{"name":"slow","arguments":{"ms":60000}}');
  await before.until(() => (requests(before, 'subscriptions/listen')[0]?.related ?? 0) > 0);
  const isAtServer = () => server.requests.some(({ body }) => body.includes('"slow"'));
  await expect.poll(isAtServer).toBe(true);
  await before.recorder.flushed();
  before.kill();

  await using worker = await startTestWorker({}, home);
  const [call] = requests(worker, 'tools/call');
  const again = await worker.until(() => requests(worker, 'subscriptions/listen')[1]);
  await worker.until(() => again.related > 0, 'the acknowledgment');
  expect(call).toMatchObject({ outcome: 'cancelled' });
  expect(call?.problem?.message).toContain('closing is cancelling');
  expect(restartRow(worker)).toContain('1 resumed, 1 cut off');
  const posted = server.requests.map(({ body }) => (JSON.parse(body) as { method: string }).method);
  expect(posted.filter((method) => method === 'tools/call')).toHaveLength(1);
  expect(posted.filter((method) => method === 'subscriptions/listen')).toHaveLength(2);
});

test('HTTP+SSE is opened and initialised again, and its calls are lost', async () => {
  await using server = await startPeer('everything-sse');
  const home = newHome();
  const before = await startTestWorker({}, home);
  const id = await before.connect(server.url('/sse'), { transport: 'http-sse' });
  await before.state(id, 'connected');
  await before.manager.functions.send(id, 'tools/call', JSON.stringify(SLOW));
  await before.recorder.flushed();
  before.kill();

  await using worker = await startTestWorker({}, home);
  await worker.until(() => requests(worker, 'initialize')[1]?.outcome === 'result');
  await worker.state(id, 'connected');
  expect(requests(worker, 'tools/call')).toMatchObject([
    { outcome: 'interrupted', problem: { code: 'aborted' } },
  ]);
  await worker.manager.functions.send(id, 'tools/list', undefined);
  await worker.until(() => requests(worker, 'tools/list')[0]?.outcome === 'result');
});
