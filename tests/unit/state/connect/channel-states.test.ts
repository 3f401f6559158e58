import { effect } from '@preact/signals-core';
import { expect, test } from 'vitest';
import { createChannelStates } from '../../../../lib/state/connect/channel-states.ts';
import { createLateChannels } from '../../../../lib/state/connect/late-channels.ts';
import { summarizeChannels, toChannelSigns } from '../../../../lib/state/connect/channel-words.ts';
import { LogBuilder } from '../log-builder.ts';

function shown(log: LogBuilder, state: 'connected' | 'closed' = 'connected') {
  const states = createChannelStates();
  states.apply(log.events);
  const channels = states.of('c1');
  if (channels === undefined) return undefined;
  return {
    signs: toChannelSigns(channels).map(({ words }) => words),
    summary: summarizeChannels({ state }, channels)?.words,
  };
}

const LISTEN = [{ name: 'Mcp-Method', value: 'subscriptions/listen' }];
const DISCOVER = [{ name: 'Mcp-Method', value: 'server/discover' }];

test('of a modern server a subscription is the way back, and an error of the protocol is an answer', () => {
  const log = new LogBuilder();
  log.answer(log.request('{}', DISCOVER), '{}');
  log.head(log.request('{}', LISTEN), 200, 'text/event-stream');
  log.answer(log.request('{}', [{ name: 'Mcp-Method', value: 'tools/call' }]), '{}', 400);
  expect(shown(log)).toEqual({
    signs: ['POST: works', 'listen: works', 'access: nothing was asked for'],
    summary: 'Requests and stream work.',
  });
});

test('a subscription that the user has ended is nothing to worry about, and one of two leaves the other', () => {
  const log = new LogBuilder();
  log.answer(log.request('{}', DISCOVER), '{}');
  const first = log.request('{}', LISTEN);
  const second = log.request('{}', LISTEN);
  for (const httpId of [first, second]) log.head(httpId, 200, 'text/event-stream');
  const end = { outcome: 'aborted', cause: 'user', sizeBytes: 0 } as const;
  log.add({ kind: 'http-end', httpId: second, end });
  expect(shown(log)!.signs[1]).toBe('listen: works');
  log.add({ kind: 'http-end', httpId: first, end });
  expect(shown(log)).toEqual({
    signs: ['POST: works', 'listen: unsubscribed', 'access: nothing was asked for'],
    summary: 'Requests work.',
  });
});

test('a legacy server that was asked in the modern way first is shown as what it is', () => {
  const log = new LogBuilder();
  log.answer(log.request('{}', DISCOVER), '{}', 400);
  log.answer(log.request('{}'), '{}');
  log.answer(log.stream(), '', 405);
  expect(shown(log)!.signs.slice(0, 2)).toEqual([
    'POST: works',
    'GET: not offered by the server, which is normal',
  ]);
});

test('credentials are said to be accepted only where some were sent', () => {
  const log = new LogBuilder();
  log.answer(log.request('{}', [{ name: 'Authorization', value: '***' }]), '{}');
  expect(shown(log)!.signs[2]).toBe('access: the credentials were accepted');
  log.answer(log.request('{}', [{ name: 'Authorization', value: '***' }]), '{}', 403);
  expect(shown(log)!.summary).toBe('The server wants authorization (403): requests are refused.');
});

test('a stream that waits for the network says so, and one that goes on with a call is no channel', () => {
  const log = new LogBuilder();
  const httpId = log.stream();
  log.head(httpId, 200, 'text/event-stream').end(httpId, 0);
  expect(shown(log)!.signs[1]).toBe('GET: closed (by the server)');
  log.add({ kind: 'retry-held', carrierId: httpId });
  expect(shown(log)!.signs[1]).toBe('GET: waits (tried again when the browser is online)');
  log.add({
    kind: 'http-request',
    httpId: 'resumes',
    purpose: 'stream',
    method: 'GET',
    url: { text: 'http://h/' },
    headers: [],
    links: { reason: 'resume' },
  });
  log.head('resumes', 404, 'text/plain');
  expect(shown(log)!.signs[1]).toBe('GET: waits (tried again when the browser is online)');
});

test('of a connection that is over, nothing is said', () => {
  const log = new LogBuilder();
  log.answer(log.request('{}'), '{}');
  expect(shown(log, 'closed')!.summary).toBeUndefined();
  log.add({ kind: 'connection-closed', cause: 'user' });
  expect(shown(log)).toBeUndefined();
});

test('who looks is told once per drawing, and only of changes', () => {
  const states = createChannelStates();
  const log = new LogBuilder();
  let looks = 0;
  const stop = effect(() => {
    states.of('c1');
    looks += 1;
  });
  log.answer(log.request('{}'), '{}');
  states.apply(log.take());
  expect(looks).toBe(1);
  states.refresh();
  states.refresh();
  expect(looks).toBe(2);
  stop();
});

test('what came before the code that reads it is not lost', async () => {
  const log = new LogBuilder();
  const late = createLateChannels();
  const seen: (string | undefined)[] = [];
  effect(() => void seen.push(late.of('c1')?.requests.state));
  log.answer(log.request('{}'), '{}');
  late.apply(log.take());
  expect(seen).toEqual([undefined]);
  await expect.poll(() => seen.at(-1)).toBe('works');
  log.answer(log.request('{}'), '{}', 500);
  late.apply(log.take());
  late.refresh();
  expect(seen.at(-1)).toBe('refused');
});
