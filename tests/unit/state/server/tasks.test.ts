import { signal } from '@preact/signals-core';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { Item } from '../../../../lib/capture/correlate/items.ts';
import type { ConnectionSummary } from '../../../../lib/port/contract.ts';
import { extrasFor, withExtras } from '../../../../lib/state/composer/composer-extras.ts';
import { createSubscriptionsModel } from '../../../../lib/state/server/subscriptions-model.ts';
import { createTasksModel } from '../../../../lib/state/server/tasks-model.ts';
import { traceOf } from '../../../../lib/state/detail/trace-context.ts';
import { fakeBackground, settled, summary } from '../fakes.ts';
import { LogBuilder } from '../log-builder.ts';

afterEach(() => void vi.useRealTimers());

/** A log that grows, with what follows it. */
function growing(connection: Partial<ConnectionSummary> = {}) {
  const log = new LogBuilder();
  log.opened();
  const correlation = createCorrelation();
  let applied = 0;
  const watchers: ((changed: ReadonlySet<Item>) => void)[] = [];
  const { background, calls } = fakeBackground();
  const model = {
    correlation,
    connections: signal<readonly ConnectionSummary[]>([summary(connection)]),
    watch(changed: (items: ReadonlySet<Item>) => void) {
      watchers.push(changed);
      return () => undefined;
    },
    background,
  };
  return {
    log,
    model,
    calls,
    draw() {
      const touched = correlation.apply(log.events.slice(applied));
      applied = log.events.length;
      for (const watcher of watchers) watcher(touched);
    },
    call(id: number, method: string, params: object, result: object) {
      const text = JSON.stringify({ jsonrpc: '2.0', id, method, params });
      log.answer(log.request(text), JSON.stringify({ jsonrpc: '2.0', id, result }));
      this.draw();
    },
  };
}

describe('tasks', () => {
  const task = (status: string, more: object = {}) => ({
    taskId: 't1',
    status,
    createdAt: '2026-01-01T00:00:00Z',
    ...more,
  });

  test('are known from the call that has made them to their end', () => {
    const { model, ...log } = growing({ era: 'legacy', revision: '2025-11-25' });
    const tasks = createTasksModel(model);
    const call = { name: 'research', arguments: {} };
    log.call(1, 'tools/call', call, { task: task('working', { ttl: 60_000, pollInterval: 500 }) });
    expect(tasks.tasks.value).toMatchObject([
      { taskId: 't1', status: 'working', pollMs: 500, ttlMs: 60_000, call: { target: 'research' } },
    ]);
    log.call(2, 'tasks/get', { taskId: 't1' }, task('completed', { statusMessage: 'done' }));
    expect(tasks.tasks.value).toMatchObject([
      { status: 'completed', statusMessage: 'done', pollMs: 500, call: { target: 'research' } },
    ]);
    log.call(3, 'tasks/result', { taskId: 't1' }, { content: [] });
    expect(tasks.tasks.value[0]?.result).toMatchObject({ method: 'tasks/result' });
    log.call(
      4,
      'tasks/list',
      {},
      { tasks: [task('completed'), { ...task('working'), taskId: 't2' }] },
    );
    expect(tasks.tasks.value.map(({ taskId }) => taskId).toSorted()).toEqual(['t1', 't2']);
    // What is told about them means nothing on another connection, or where it is broken.
    log.call(5, 'tasks/get', { taskId: 't3' }, { taskId: 7 });
    expect(tasks.tasks.value).toHaveLength(2);
  });

  test('are asked about as often as their server wants, once each time, and no more when they are over', async () => {
    vi.useFakeTimers();
    const { model, calls, ...log } = growing({ era: 'legacy' });
    const tasks = createTasksModel(model);
    log.call(1, 'tools/call', { name: 'a' }, { task: task('working', { pollInterval: 500 }) });
    const stop = tasks.follow();
    await vi.advanceTimersByTimeAsync(499);
    expect(calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(calls).toEqual([['send', 'c1', 'tasks/get', '{"taskId":"t1"}']]);
    log.call(2, 'tasks/get', { taskId: 't1' }, task('working'));
    await vi.advanceTimersByTimeAsync(500);
    expect(calls).toHaveLength(2);
    log.call(3, 'tasks/get', { taskId: 't1' }, task('completed'));
    await vi.advanceTimersByTimeAsync(5000);
    expect(calls).toHaveLength(2);
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('subscriptions', () => {
  test('of resources begin, tell and end with requests', async () => {
    const { model, calls, ...log } = growing({ era: 'legacy' });
    const subscriptions = createSubscriptionsModel(model);
    expect(subscriptions.faultOf(undefined)).toContain('Connect');
    expect(subscriptions.faultOf(summary())).toContain('Name the resources');
    subscriptions.wish.uris.value = ' file:///a \n\nfile:///b';
    expect(subscriptions.faultOf(summary())).toBeUndefined();
    subscriptions.subscribe(summary());
    await settled();
    expect(calls.map(([, , method, params]) => [method, params])).toEqual([
      ['resources/subscribe', '{"uri":"file:///a"}'],
      ['resources/subscribe', '{"uri":"file:///b"}'],
    ]);
    log.call(1, 'resources/subscribe', { uri: 'file:///a' }, {});
    expect(subscriptions.rows.value).toMatchObject([{ words: 'file:///a', isOpen: true }]);
    const [row] = subscriptions.rows.value;
    expect(subscriptions.isLive(row!)).toBe(true);
    subscriptions.end(row!);
    await settled();
    expect(calls.at(-1)?.slice(2)).toEqual(['resources/unsubscribe', '{"uri":"file:///a"}']);
    log.call(2, 'resources/unsubscribe', { uri: 'file:///a' }, {});
    expect(subscriptions.rows.value).toMatchObject([{ state: 'unsubscribed', isOpen: false }]);
    log.call(3, 'resources/subscribe', { uri: 'file:///a' }, {});
    expect(subscriptions.rows.value).toMatchObject([{ state: 'subscribed', isOpen: true }]);
  });

  test('of 2026-07-28 ask for what is chosen, on a stream that is cancelled', async () => {
    const { model, calls, log, draw } = growing({ era: 'modern' });
    const subscriptions = createSubscriptionsModel(model);
    const modern = summary({ era: 'modern' });
    subscriptions.wish.tools.value = false;
    expect(subscriptions.faultOf(modern)).toContain('Choose');
    subscriptions.wish.prompts.value = true;
    subscriptions.wish.uris.value = 'file:///a';
    subscriptions.subscribe(modern);
    await settled();
    const notifications = '{"promptsListChanged":true,"resourceSubscriptions":["file:///a"]}';
    expect(calls.at(-1)?.slice(2)).toEqual([
      'subscriptions/listen',
      `{"notifications":${notifications}}`,
    ]);
    log.request(
      `{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":${notifications}}}`,
    );
    draw();
    const [row] = subscriptions.rows.value;
    expect(row).toMatchObject({ words: 'prompts, 1 resource', isOpen: true });
    subscriptions.end(row!);
    subscriptions.ping(modern);
    subscriptions.ping(summary());
    subscriptions.setLevel(summary(), 'debug');
    await settled();
    expect(calls.slice(-4).map(([name, , ...rest]) => [name, ...rest])).toEqual([
      ['cancel', '7'],
      ['send', 'server/discover', undefined],
      ['send', 'ping', undefined],
      ['send', 'logging/setLevel', '{"level":"debug"}'],
    ]);
  });
});

describe('what goes into params besides what is typed', () => {
  const chosen = { asTask: true, isTraced: false, logLevel: 'info' };

  test('is what the era has a place for', () => {
    expect(extrasFor('tools/call', 'legacy', chosen)).toEqual({ task: 'param' });
    expect(extrasFor('tools/call', 'modern', chosen)).toEqual({
      task: 'capability',
      logLevel: 'info',
    });
    expect(extrasFor('tools/list', undefined, chosen)).toEqual({});
    expect(extrasFor('ping', 'legacy', { ...chosen, isTraced: true }).traceparent).toMatch(
      /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/,
    );
  });

  test('changes nothing that is typed', () => {
    expect(withExtras(undefined, {})).toBeUndefined();
    expect(withExtras('{"n":1.0, "n":2}', { task: 'param' })).toBe('{"task":{},"n":1.0, "n":2}');
    expect(withExtras('{"task":{"ttl":5}}', { task: 'param' })).toBe('{"task":{"ttl":5}}');
    expect(withExtras('{"_meta":{"traceparent":"mine"}}', { traceparent: 'x' })).toBe(
      '{"_meta":{"traceparent":"mine"}}',
    );
    expect(withExtras(undefined, { logLevel: 'info', traceparent: 'x' })).toBe(
      '{"_meta":{"io.modelcontextprotocol/logLevel":"info","traceparent":"x"}}',
    );
    expect(withExtras('{"n":1.0}', { task: 'capability' })).toBe('{"n":1.0}');
    const declared = '"io.modelcontextprotocol/clientCapabilities":{';
    expect(withExtras(`{"_meta":{${declared}}}}`, { task: 'capability' })).toBe(
      `{"_meta":{${declared}"extensions":{"io.modelcontextprotocol/tasks":{}}}}}`,
    );
    expect(withExtras('nonsense', { traceparent: 'x', task: 'capability' })).toBe('nonsense');
  });
});

test('the trace of a request is found in its params, or in its header', () => {
  const log = new LogBuilder();
  log.opened();
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  log.request(`{"id":1,"method":"ping","params":{"_meta":{"traceparent":"${traceparent}"}}}`);
  log.request('{"id":2,"method":"ping"}', [{ name: 'Traceparent', value: 'odd' }]);
  log.request('{"id":3,"method":"ping"}');
  const correlation = createCorrelation();
  correlation.apply(log.events);
  const requests = correlation.items.filter(({ kind }) => kind === 'request');
  expect(requests.map((item) => traceOf(item, correlation))).toEqual([
    { traceparent, traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) },
    { traceparent: 'odd' },
    undefined,
  ]);
});
