import { expect, test } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import type { WireFact } from '../../../lib/capture/wire-event.ts';
import { ENDPOINT, wireEvent } from '../../support/builders.ts';

const HEAD = { status: 200, statusText: 'OK' };
const HEADERS = [{ name: 'content-type', value: 'text/event-stream' }];

function call(httpId: string): WireFact[] {
  const bytes = new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"tools/call"}');
  const request = { purpose: 'message', method: 'POST', url: { text: ENDPOINT } } as const;
  return [
    { kind: 'http-request', httpId, ...request, headers: [], body: { bytes }, links: {} },
    { kind: 'http-response', httpId, ...HEAD, headers: HEADERS },
  ];
}

function resumed(httpId: string, causedBy: string): WireFact[] {
  const links = { causedBy, attempt: 1, reason: 'resume', lastEventId: 'e1' };
  const request = { purpose: 'stream', method: 'GET', url: { text: ENDPOINT } } as const;
  return [
    { kind: 'http-request', httpId, ...request, headers: [], links },
    { kind: 'http-response', httpId, ...HEAD, headers: HEADERS },
  ];
}

const STARTED: WireFact = { kind: 'worker-started', cause: 'wake' };

function revived(carrier: string): WireFact {
  return { kind: 'connection-revived', awayMs: 100, resumed: [carrier], lost: [] };
}

test('a call whose stream is taken up in one life after the other stays open, and counts once', () => {
  const lives: WireFact[][] = [
    call('a'),
    [STARTED, revived('a'), ...resumed('b', 'a')],
    [STARTED, revived('b'), ...resumed('c', 'b')],
    // Stopped before it had sent anything: the checkpoint still names the exchange of the life before.
    [STARTED, revived('c')],
    [STARTED, revived('c'), ...resumed('d', 'c')],
  ];
  const correlation = createCorrelation();
  let sequence = 0;
  for (const [life, facts] of lives.entries()) {
    const stamp = { bootId: `boot${life}`, connectionId: 'c1' };
    correlation.apply(facts.map((fact) => wireEvent((sequence += 1), fact, stamp)));
    const [request] = correlation.items;
    expect(request).toMatchObject({ kind: 'request', outcome: 'pending' });
    expect(request).not.toHaveProperty('problem');
  }
  const restarts = correlation.items.filter((item) => item.kind === 'lifecycle');
  expect(restarts.map((item) => item.kind === 'lifecycle' && item.detail)).toEqual(
    Array.from({ length: 4 }, () => expect.stringMatching(/; 1 resumed; all that was shown/)),
  );
});

test('a call that waits to be taken up is over with its connection', () => {
  const lives: WireFact[][] = [
    call('a'),
    [STARTED, revived('a'), { kind: 'connection-closed', cause: 'user' }],
  ];
  const correlation = createCorrelation();
  let sequence = 0;
  for (const [life, facts] of lives.entries()) {
    const stamp = { bootId: `boot ${life}`, connectionId: 'c1' };
    correlation.apply(facts.map((fact) => wireEvent((sequence += 1), fact, stamp)));
  }
  const item = correlation.items.find(({ kind }) => kind === 'request');
  expect(item).toMatchObject({ outcome: 'interrupted' });
  expect(item?.ended).toBeDefined();
});
