import { describe, expect, test } from 'vitest';
import type { TransportChoice } from '../../../lib/capture/store/stored-profile.ts';
import { startPeer, type PeerName } from '../../server/peers.ts';
import { ASK, toolCall, visit, type Visit } from './visit.ts';

type Place = [peer: PeerName, transport: TransportChoice];

const PLACES: Place[] = [
  ['modern', 'auto'],
  ['modern', 'modern'],
  ['modern-guarded', 'auto'],
  ['supergateway-modern', 'auto'],
];

const YES = { action: 'accept', content: { confirm: true } };

/** The opaque state in a message, as it stands there. */
function stateIn(text: string): string | undefined {
  return /"requestState":("[^"]*")/.exec(text)?.[1];
}

describe.concurrent.each(PLACES)('%s, transport %s', (peer, transport) => {
  test('one probe proves the era; tools, progress, a mirrored argument', async () => {
    await using server = await startPeer(peer);
    await using guest = await visit(server.url('/mcp'), { transport, answers: ASK });
    const { worker, id } = guest;
    expect(worker.summary(id)).toMatchObject({ era: 'modern', revision: '2026-07-28' });
    expect(guest.rungs()).toEqual([['modern', 'chosen']]);
    const [probe] = guest.facts('http-request');
    expect(guest.facts('connection-chosen')).toMatchObject([
      { transport: 'streamable-http', era: 'modern', evidence: [probe!.httpId] },
    ]);

    const { tools } = guest.result(await guest.call('tools/list')) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toContain('deploy');

    const params = toolCall('slow', { steps: 3, ms: 5 }, { progressToken: 'p-1' });
    const slow = await guest.call('tools/call', params);
    expect(guest.texts(slow)).toBe('done');
    const steps = guest.notifications('notifications/progress');
    const all = ['1 of 3', '2 of 3', '3 of 3'];
    const came = steps.map(({ summary = '' }) => summary);
    // A bridge between two processes may drop reports that the result overtakes.
    const isBridge = peer === 'supergateway-modern';
    expect(came).toEqual(isBridge ? all.filter((step) => came.includes(step)) : all);
    expect(steps.map(({ parent }) => parent)).toEqual(came.map(() => slow.key));

    const mirror = await guest.call('tools/call', toolCall('mirror', { region: 'zürich' }));
    expect(guest.texts(mirror)).toBe('in zürich');
    const mirrored = guest.facts('http-request').find(({ httpId }) => httpId === mirror.httpId);
    expect(mirrored!.headers).toContainEqual({
      name: 'Mcp-Param-Region',
      value: '=?base64?esO8cmljaA==?=',
    });

    await worker.manager.functions.disconnect(id, true);
    // There is no session, no stream and no handshake any more.
    expect(new Set(guest.facts('http-request').map(({ method }) => method))).toEqual(
      new Set(['POST']),
    );
    expect(guest.posted('initialize')).toEqual([]);
    expect(await guest.issues()).toEqual([]);
  });

  test('two multi round-trip calls at once: each gets its own state back, byte for byte', async () => {
    await using server = await startPeer(peer);
    await using guest = await visit(server.url('/mcp'), { transport, answers: ASK });
    const { worker, id } = guest;
    const first = await guest.begin('tools/call', toolCall('deploy', { env: 'blue' }));
    const second = await guest.begin('tools/call', toolCall('deploy', { env: 'green' }));
    const questions = await worker.until(() => {
      const asked = worker.summary(id).questions;
      return asked.length === 2 && asked;
    });
    const messages = questions.map(({ params }) => (params as { message: string }).message);
    expect(messages.toSorted()).toEqual(['Deploy blue?', 'Deploy green?']);
    // The later one is answered first.
    for (const env of ['green', 'blue']) {
      const { rpcId } = questions[messages.indexOf(`Deploy ${env}?`)]!;
      await worker.manager.functions.answer(id, rpcId, { resultText: JSON.stringify(YES) });
    }
    const rounds = [await guest.lastRound(first), await guest.lastRound(second)];
    expect(rounds.map((round) => guest.texts(round))).toEqual([
      'deployed blue, as asked for blue',
      'deployed green, as asked for green',
    ]);
    const given = [first, second].map((item) => stateIn(guest.received(item)));
    expect(new Set(given).size).toBe(2);
    expect(rounds.map((round) => stateIn(guest.sent(round)))).toEqual(given);
    const ids = [first, second, ...rounds].map(({ rpcId }) => rpcId);
    expect(new Set(ids).size).toBe(4);
    expect(
      rounds.map(({ httpId }) => worker.correlation.https.get(httpId!)!.request.links),
    ).toEqual(
      [first, second].map(({ httpId }) => ({
        retryOf: httpId,
        attempt: 2,
        reason: 'input-required',
      })),
    );
    // What was asked belongs to these calls alone.
    const plain = await guest.call('tools/call', toolCall('echo', { text: 'hi' }));
    expect(guest.sent(plain)).not.toMatch(/requestState|inputResponses/);
    await worker.manager.functions.disconnect(id, true);
    expect(await guest.issues()).toEqual([]);
  });

  test('a subscription delivers until we close it, which no message tells', async () => {
    await using server = await startPeer(peer);
    await using guest = await visit(server.url('/mcp'), { transport });
    const listening = await guest.subscribe();
    await guest.call('tools/call', toolCall('flip'));
    const changed = await guest.worker.until(
      () => guest.notifications('notifications/tools/list_changed')[0],
      'the subscription delivers',
    );
    expect(changed.parent).toBe(listening.key);
    expect(listening.outcome).toBe('pending');
    await guest.worker.manager.functions.cancel(guest.id, listening.rpcId);
    await guest.worker.until(() => listening.outcome === 'cancelled');
    await guest.worker.manager.functions.disconnect(guest.id, true);
    expect(guest.posted('notifications/cancelled')).toEqual([]);
    expect(await guest.issues()).toEqual([]);
  });

  test('a subscription that its server drops is lost, and says so', async () => {
    await using server = await startPeer(peer);
    await using guest = await visit(server.url('/mcp'), { transport });
    const listening = await guest.subscribe();
    await server[Symbol.asyncDispose]();
    await guest.worker.until(() => listening.outcome === 'failed');
    expect(listening.problem!.message).toContain('The subscription was lost');
    expect(guest.facts('retry-scheduled')).toEqual([]);
  });

  test('a cancelled call is an exchange that was closed, and no notification', async () => {
    await using server = await startPeer(peer);
    await using guest = await visit(server.url('/mcp'), { transport });
    const params = toolCall('slow', { steps: 1, ms: 60_000 }, { progressToken: 7 });
    const slow = await guest.begin('tools/call', params);
    await guest.worker.until(() => guest.notifications('notifications/progress').length === 1);
    await guest.worker.manager.functions.cancel(guest.id, slow.rpcId);
    await guest.worker.until(() => slow.outcome === 'cancelled');
    expect(guest.facts('http-end').find(({ httpId }) => httpId === slow.httpId)).toMatchObject({
      end: { outcome: 'aborted', cause: 'user' },
    });
    expect(guest.posted('notifications/cancelled')).toEqual([]);
    expect(guest.worker.summary(guest.id).state).toBe('connected');
    // A bridge with a process for each request has nobody who could tell.
    if (peer !== 'supergateway-modern') await expectCancelled(guest);
    await guest.worker.manager.functions.disconnect(guest.id, true);
    expect(await guest.issues()).toEqual([]);
  });
});

/** The server has heard of it, at the latest soon. */
async function expectCancelled(guest: Visit): Promise<void> {
  await expect
    .poll(async () => guest.texts(await guest.call('tools/call', toolCall('cancelled'))), {
      timeout: 5000,
    })
    .toBe('1');
}

test('a server ends its subscriptions with their results', async () => {
  await using server = await startPeer('modern');
  await using guest = await visit(server.url('/mcp'), { transport: 'auto' });
  const listening = await guest.subscribe();
  await guest.call('tools/call', toolCall('end'));
  await guest.worker.until(() => listening.outcome === 'result');
  expect(guest.result(listening)).toMatchObject({
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/subscriptionId': JSON.parse(listening.rpcId) as unknown },
  });
  expect(guest.worker.summary(guest.id).state).toBe('connected');
  await guest.worker.manager.functions.disconnect(guest.id, true);
  expect(await guest.issues()).toEqual([]);
});

test('the guards of the official SDK refuse a foreign origin, and the refusal names it', async () => {
  await using server = await startPeer('modern-guarded');
  const headers = [{ name: 'Origin', value: 'chrome-extension://abcdefgh', secret: false }];
  const failing = visit(server.url('/mcp'), { transport: 'auto', headers });
  await expect(failing).rejects.toThrow(/http-forbidden.*Invalid Origin/);
});

test('a server of both eras is as good a legacy one where that is forced', async () => {
  await using server = await startPeer('modern');
  await using guest = await visit(server.url('/mcp'), { transport: 'streamable-http' });
  expect(guest.rungs()).toEqual([['streamable-http', 'chosen']]);
  expect(guest.worker.summary(guest.id)).toMatchObject({ era: 'legacy', revision: '2025-11-25' });
  const echo = await guest.call('tools/call', toolCall('echo', { text: 'old' }));
  expect(guest.texts(echo)).toBe('old');
  expect(guest.sent(echo)).not.toContain('io.modelcontextprotocol/');
  expect(guest.posted('server/discover')).toEqual([]);
  await guest.worker.manager.functions.disconnect(guest.id, true);
  expect(await guest.issues()).toEqual([]);
});

test('mcp-proxy speaks the modern era in front of a legacy server, and asks nothing', async () => {
  await using server = await startPeer('mcp-proxy');
  await using guest = await visit(server.url('/mcp'), { transport: 'auto' });
  expect(guest.rungs()).toEqual([['modern', 'chosen']]);
  const echo = await guest.call('tools/call', toolCall('echo', { message: 'over there' }));
  expect(guest.texts(echo)).toContain('over there');
  const listening = await guest.subscribe();
  await guest.worker.manager.functions.cancel(guest.id, listening.rpcId);
  await guest.worker.until(() => listening.outcome === 'cancelled');
  await guest.worker.manager.functions.disconnect(guest.id, true);
  expect(await guest.issues()).toEqual([]);
});
