import { expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { Item } from '../../../../lib/capture/correlate/items.ts';
import { createRelations } from '../../../../lib/state/view/relations.ts';
import { LogBuilder } from '../../../support/builders.ts';

function relationsOf(log: LogBuilder) {
  const correlation = createCorrelation();
  correlation.apply(log.events);
  const { items } = correlation;
  const relations = createRelations(correlation, (item) => {
    const key = 'parent' in item ? item.parent : undefined;
    return key === undefined ? undefined : items.find((candidate) => candidate.key === key);
  });
  relations.refresh();
  const find = (test: (item: Item) => boolean): Item => {
    const found = items.find(test);
    if (found === undefined) throw new Error('no such item');
    return found;
  };
  const words = (item: Item) =>
    relations.causesOf(item).map((cause) => [cause.word, cause.item.key]);
  return { ...relations, items, find, words };
}

const method = (name: string) => (item: Item) => 'method' in item && item.method === name;

test('a replay is caused by what it repeats, however far away it is', () => {
  const log = new LogBuilder();
  log.answer(log.call('1', 'tools/list'), '{"jsonrpc":"2.0","id":1,"result":{}}');
  for (let id = 2; id < 9; id += 1) log.call(`${id}`, 'ping');
  log.call('9', 'tools/list', undefined, { links: { replayOf: 1 } });
  const { items, between, words, replaysOf } = relationsOf(log);
  const [original, replay] = [items[0]!, items.at(-1)!];
  expect(words(replay)).toEqual([['Replay of', original.key]]);
  expect(between(replay, original)).toBe('cause');
  expect(between(original, replay)).toBe('effect');
  expect(between(original, items[3]!)).toBeUndefined();
  expect(replaysOf(original)).toEqual([replay]);
});

test('a retry, and what an exchange caused, are found by their exchanges', () => {
  const log = new LogBuilder();
  const first = log.call('1', 'tools/list');
  log.head(first, 401, null);
  log.end(first);
  const discovery = log.request(undefined, {
    purpose: 'discovery',
    method: 'GET',
    links: { causedBy: first },
  });
  log.end(discovery);
  log.call('1', 'tools/list', undefined, { links: { retryOf: first, attempt: 2 } });
  const { items, find, words, between } = relationsOf(log);
  const call = items[0]!;
  expect(words(find(({ kind }) => kind === 'http'))).toEqual([['Caused by', call.key]]);
  expect(words(items.at(-1)!)).toEqual([['Retry of', call.key]]);
  expect(between(call, items.at(-1)!)).toBe('effect');
});

test('what comes on a stream is on it, and a request of the server within a call is within it', () => {
  const log = new LogBuilder();
  const stream = log.stream();
  const call = log.call('1', 'tools/call', { name: 'ask' });
  log.head(call, 200, 'text/event-stream');
  log.message(stream, { jsonrpc: '2.0', method: 'notifications/message', params: {} });
  log.message(call, { jsonrpc: '2.0', id: 5, method: 'elicitation/create', params: {} });
  log.message(call, { jsonrpc: '2.0', id: 6, method: 'ping' });
  const { find, words, askedWithin, between } = relationsOf(log);
  const caller = find(method('tools/call'));
  const question = find(method('elicitation/create'));
  expect(words(find(method('notifications/message')))).toEqual([
    ['On', find(({ kind }) => kind === 'stream').key],
  ]);
  expect(words(question)).toEqual([['Within', caller.key]]);
  expect(between(question, caller)).toBe('cause');
  expect(askedWithin(caller)).toEqual([question]);
});

test('what a policy answered did not wait for the user', () => {
  const log = new LogBuilder();
  const call = log.call('1', 'tools/call', { name: 'ask' });
  log.head(call, 200, 'text/event-stream');
  log.message(call, { jsonrpc: '2.0', id: 5, method: 'roots/list' });
  log.add({ kind: 'server-request-answered', carrierId: 'answer', rpcId: '5', by: 'policy' });
  const { find, askedWithin } = relationsOf(log);
  expect(askedWithin(find(method('tools/call')))).toEqual([]);
});

test('what followed a redirect belongs to the request that was redirected', () => {
  const log = new LogBuilder();
  const first = log.call('1', 'tools/call', { name: 'ask' });
  log.head(first, 307, null);
  log.end(first);
  const hop = log.request(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}}',
    {
      links: { causedBy: first, reason: 'redirect' },
    },
  );
  log.head(hop, 200, 'text/event-stream');
  log.message(hop, { jsonrpc: '2.0', id: 5, method: 'roots/list' });
  const { find, words } = relationsOf(log);
  const caller = find(method('tools/call'));
  expect(words(find(method('roots/list')))).toEqual([['Within', caller.key]]);
  expect(words(caller)).toEqual([]);
});

test('causes over several rows count, and a circle ends', () => {
  const log = new LogBuilder();
  log.call('1', 'tools/list');
  log.call('2', 'tools/list', undefined, { links: { replayOf: 1 } });
  log.call('3', 'tools/list', undefined, { links: { replayOf: 2 } });
  const { items, between } = relationsOf(log);
  expect(between(items[2]!, items[0]!)).toBe('cause');
  const circle = createRelations(
    { items, https: new Map(), sockets: new Map() },
    (item) => items[(items.indexOf(item) + 1) % items.length],
  );
  expect(circle.between(items[2]!, items[1]!)).toBe('cause');
  expect(circle.between(items[0]!, items[0]!)).toBeUndefined();
});
