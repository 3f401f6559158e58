import { describe, expect, test } from 'vitest';
import { settled, summary } from '../fakes.ts';
import { openServerStage } from '../server-stage.ts';

const ALL = { tools: {}, resources: {}, prompts: {} };

function openStage(options: { capabilities?: object; connectionId?: string } = {}) {
  const stage = openServerStage((method) => ({ result: { [method.split('/')[0] ?? '']: [] } }), {
    capabilities: ALL,
    ...options,
  });
  const methods = () => stage.sent.map(({ method }) => method);
  return { ...stage, methods };
}

describe('what the user opens is asked for', () => {
  test('the tools with the screen, each other list with its tab, and nothing twice', async () => {
    const { model, feed, servers, methods } = openStage();
    feed.status({ kind: 'live' });
    expect(methods()).toEqual([]);
    model.server.isOpen.value = true;
    await settled();
    expect(methods()).toEqual(['tools/list']);
    servers.tab.value = 'prompts';
    await settled();
    servers.tab.value = 'tools';
    servers.tab.value = 'prompts';
    model.server.isOpen.value = false;
    model.server.isOpen.value = true;
    await settled();
    expect(methods()).toEqual(['tools/list', 'prompts/list']);
    servers.stop();
  });

  test('not what the server does not offer', async () => {
    const { model, feed, servers, methods } = openStage({ capabilities: { prompts: {} } });
    feed.status({ kind: 'live' });
    model.server.isOpen.value = true;
    servers.tab.value = 'resources';
    await settled();
    expect(methods()).toEqual([]);
    servers.stop();
  });

  test('not while the log is being read: it may have been asked for already', async () => {
    const { model, feed, servers, methods, log, publish } = openStage();
    feed.status({ kind: 'loading', loadedEvents: 10 });
    model.server.isOpen.value = true;
    const listed = '{"jsonrpc":"2.0","id":9,"result":{"tools":[]}}';
    log.answer(log.request('{"jsonrpc":"2.0","id":9,"method":"tools/list"}'), listed);
    publish();
    feed.status({ kind: 'live' });
    await settled();
    expect(methods()).toEqual([]);
    servers.stop();
  });

  test('not of a server that does not answer, before it is there again', async () => {
    const { model, feed, servers, methods } = openStage();
    feed.status({ kind: 'live' });
    feed.connections([summary({ connectionId: 'c1', state: 'lost' })]);
    model.server.isOpen.value = true;
    await settled();
    expect(methods()).toEqual([]);
    feed.connections([summary({ connectionId: 'c1', state: 'connected' })]);
    await settled();
    expect(methods()).toEqual(['tools/list']);
    servers.stop();
  });
});

describe('a server that is explored', () => {
  test('shows its tools', async () => {
    const { model, servers } = openStage();
    model.server.wanted.value = 'c1';
    expect(servers.view.value?.connectionId).toBe('c1');
    expect(servers.tab.value).toBe('tools');
    expect(model.server.wanted.value).toBeUndefined();
    servers.stop();
  });

  test('without tools, shows the first that it lists, and asks for that only', async () => {
    const { model, feed, servers, methods } = openStage({ capabilities: { prompts: {} } });
    feed.status({ kind: 'live' });
    model.server.wanted.value = 'c1';
    model.server.isOpen.value = true;
    await settled();
    expect(servers.tab.value).toBe('prompts');
    expect(methods()).toEqual(['prompts/list']);
    servers.stop();
  });

  test('with nothing to list, shows who it is', () => {
    const { model, servers } = openStage({ capabilities: {} });
    model.server.wanted.value = 'c1';
    expect(servers.tab.value).toBe('overview');
    servers.stop();
  });

  test('that is gone leads to the one that is there', async () => {
    const { model, feed, servers, methods } = openStage();
    model.server.wanted.value = 'gone';
    model.server.isOpen.value = true;
    feed.status({ kind: 'live' });
    await settled();
    expect(servers.view.value?.connectionId).toBe('c1');
    expect(methods()).toEqual(['tools/list']);
    servers.stop();
  });

  test('is shown as soon as the log tells of it', async () => {
    const { model, feed, servers, methods, log, publish } = openStage();
    feed.connections([summary({ connectionId: 'c1' }), summary({ connectionId: 'c2' })]);
    feed.status({ kind: 'live' });
    model.server.wanted.value = 'c2';
    model.server.isOpen.value = true;
    await settled();
    expect(methods()).toEqual([]);
    log.connectionId = 'c2';
    log.opened();
    const asked = log.request('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}');
    log.answer(asked, '{"jsonrpc":"2.0","id":0,"result":{"capabilities":{"resources":{}}}}');
    log.add({
      kind: 'connection-chosen',
      transport: 'streamable-http',
      era: 'legacy',
      revision: '2025-11-25',
    } as Parameters<typeof log.add>[0]);
    publish();
    await settled();
    expect(servers.view.value?.connectionId).toBe('c2');
    expect(servers.tab.value).toBe('resources');
    expect(methods()).toEqual(['resources/list']);
    servers.stop();
  });
});
