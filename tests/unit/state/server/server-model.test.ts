import { describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../../lib/errors.ts';
import { settled, summary } from '../fakes.ts';
import { memoryVisits, openServerStage, type Answer } from '../server-stage.ts';

function tool(name: string, more: object = {}) {
  return { name, inputSchema: { type: 'object' }, ...more };
}

/** Three pages of tools. */
const paged: Answer = (method, { cursor }) => {
  if (method !== 'tools/list') return { result: {} };
  if (cursor === undefined) return { result: { tools: [tool('a')], nextCursor: '' } };
  if (cursor === '') return { result: { tools: [tool('b')], nextCursor: 'p3' } };
  return { result: { tools: [tool('c')] } };
};

describe('the identity of a server', () => {
  test('is what it has said of itself in the handshake, and what was declared to it', () => {
    const { view, servers } = openServerStage(paged, {
      capabilities: { tools: { listChanged: true } },
    });
    expect(servers.choices.value).toMatchObject([{ connectionId: 'c1', title: 'scripted' }]);
    expect(view().identity.value).toMatchObject({
      facts: [
        { name: 'name', text: 'scripted' },
        { name: 'version', text: '1' },
      ],
      icons: [{ src: 'data:,x', details: '16x16' }],
      capabilities: [{ name: 'tools', settings: '{"listChanged":true}' }],
      declared: [{ name: 'roots', settings: '' }],
      instructions: 'Be kind.',
    });
  });
});

describe('a list', () => {
  test('is asked for page by page, and an empty cursor is a cursor', async () => {
    const { view, sent } = openServerStage(paged);
    const list = view().lists.tools;
    expect(list.listing.value.pages).toEqual([]);
    list.load();
    await settled();
    expect(list.listing.value.entries.map(({ name }) => name)).toEqual(['a']);
    expect(list.listing.value.nextCursor).toBe('');
    list.loadNext();
    await settled();
    expect(list.listing.value.entries.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(sent.map(({ params }) => params)).toEqual([{}, { cursor: '' }]);
  });

  test('is loaded to its end at one press', async () => {
    const { view, sent } = openServerStage(paged);
    const list = view().lists.tools;
    list.loadAll();
    await settled();
    expect(list.listing.value.entries.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(list.isLoadingAll.value).toBe(false);
    expect(sent).toHaveLength(3);
    expect(list.listing.value.sizeBytes).toBe(3 * JSON.stringify(tool('a')).length);
  });

  test('keeps what it has when a page fails, and names the reason (C116)', async () => {
    const { view } = openServerStage((method, params) =>
      params['cursor'] === 'p3'
        ? { error: { code: -32603, message: 'out of pages' } }
        : paged(method, params),
    );
    const list = view().lists.tools;
    list.loadAll();
    await settled();
    const { entries, failure } = list.listing.value;
    expect(entries.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(failure?.reason).toMatch(/out of pages/);
    expect(list.isLoadingAll.value).toBe(false);
  });

  test('stops where the server names a cursor again (C116)', async () => {
    const { view, sent } = openServerStage((_, { cursor }) => ({
      result: { tools: [tool(`t${String(cursor)}`)], nextCursor: 'again' },
    }));
    const list = view().lists.tools;
    list.loadAll();
    await settled();
    expect(list.listing.value).toMatchObject({ isRepeating: true });
    expect(list.listing.value.nextCursor).toBeUndefined();
    expect(sent).toHaveLength(2);
  });

  test('shows what is malformed with the reason, and the rest (C114, C117)', async () => {
    const tools = [
      tool('good'),
      tool('twice'),
      tool('twice', { title: 'Another' }),
      { name: 'none' },
      { name: 'null', inputSchema: null },
      tool('odd', { annotations: [] }),
      tool('with space'),
      tool('broken', { inputSchema: { type: 'object', properties: { a: { type: 'strin' } } } }),
      tool('mirrored', {
        inputSchema: { type: 'object', properties: { r: { type: 'number', 'x-mcp-header': 'R' } } },
      }),
      null,
      7,
    ];
    const { view } = openServerStage(() => ({ result: { tools } }), { era: 'modern' });
    const list = view().lists.tools;
    list.load();
    await settled();
    const { entries } = list.listing.value;
    expect(entries.map(({ faults }) => faults.join())).toEqual([
      '',
      '',
      '',
      'it has no inputSchema',
      'its inputSchema is no object',
      'its annotations are no object',
      'its name is not 1 to 128 letters, digits, “_”, “-” and “.”',
      'its inputSchema is broken: properties.a is of type "strin", which JSON Schema does not have',
      '',
      'it is null',
      'it is a number',
    ]);
    expect(entries.filter(({ isDuplicate }) => isDuplicate).map(({ key }) => key)).toEqual([
      'twice 0',
      'twice 1',
    ]);
    expect(entries[8]?.excluded).toMatch(/“r” is of type "number"/);
    list.search.value = 'ANOTHER';
    expect(list.shown.value.map(({ key }) => key)).toEqual(['twice 1']);
  });

  test('that is no list fails with the reason', async () => {
    const { view } = openServerStage(() => ({ result: { tools: {} } }));
    const list = view().lists.tools;
    list.load();
    await settled();
    expect(list.listing.value.failure?.reason).toMatch(/something else than a list/);
  });

  test('that the server says has changed is stale until it is loaded again', async () => {
    const { view, log, publish, servers, sent } = openServerStage(() => ({
      result: { tools: [tool('a')] },
    }));
    const list = view().lists.tools;
    const tell = () => {
      const httpId = log.stream();
      log.head(httpId, 200, 'text/event-stream');
      log.sseEvent(httpId, 0, '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
      publish();
    };
    list.load();
    await settled();
    tell();
    expect(list.listing.value.changed?.method).toBe('notifications/tools/list_changed');
    list.load();
    await settled();
    expect(list.listing.value.changed).toBeUndefined();

    // Not the clock: it says when the list was loaded.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    servers.follows.value = true;
    tell();
    await vi.advanceTimersByTimeAsync(5000);
    vi.useRealTimers();
    await settled();
    expect(list.listing.value.changed).toBeUndefined();
    expect(sent).toHaveLength(3);
    servers.stop();
  });

  test('of a modern server is followed by a subscription, which ends with the wish', async () => {
    const { feed, sent, servers, calls } = openServerStage(() => 'later', {
      era: 'modern',
      capabilities: { tools: { listChanged: true }, prompts: {} },
    });
    servers.follows.value = true;
    expect(sent).toEqual([]);
    feed.connections([summary({ era: 'modern' })]);
    await settled();
    expect(sent).toMatchObject([
      { method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } },
    ]);
    feed.connections([summary({ era: 'modern', messageCount: 9 })]);
    expect(sent).toHaveLength(1);
    servers.follows.value = false;
    expect(calls.at(-1)).toEqual(['cancel', 'c1', sent[0]?.rpcId]);
    servers.stop();
  });

  test('that cannot be asked for says why', async () => {
    const { view, model } = openServerStage(() => {
      throw new AppError({ code: 'aborted', message: 'The connection is closed.' });
    });
    const list = view().lists.tools;
    list.loadAll();
    await settled();
    expect(list.problem.value?.message).toMatch(/closed/);
    expect(list.isLoadingAll.value).toBe(false);
    expect(model.server.isOpen.value).toBe(false);
  });
});

describe('a call', () => {
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer' } },
    required: ['n'],
  };
  const listed = { tools: [tool('add', { inputSchema: schema })] };

  async function openTool(answer: Answer) {
    const stage = openServerStage((method, params) =>
      method === 'tools/list' ? { result: listed } : answer(method, params),
    );
    stage.view().lists.tools.load();
    await settled();
    const [entry] = stage.view().lists.tools.listing.value.entries;
    if (entry === undefined) throw new Error('There is no tool.');
    return { ...stage, entry, work: stage.view().workOf(entry) };
  }

  test('whose schema is nested too deep to be read can be called by its JSON', async () => {
    const deep = `${'{"items":'.repeat(20_000)}{}${'}'.repeat(20_000)}`;
    const tools = `[{"name":"deep","inputSchema":${deep}}]`;
    const stage = openServerStage(() => ({
      text: `{"jsonrpc":"2.0","id":1,"result":{"tools":${tools}}}`,
    }));
    stage.view().lists.tools.load();
    await settled();
    const [entry] = stage.view().lists.tools.listing.value.entries;
    const work = stage.view().workOf(entry!);
    work.send('c1');
    await settled();
    expect(stage.sent.at(-1)?.params).toMatchObject({ name: 'deep' });
  });

  test('sends its arguments to the letter, and shows what came of it', async () => {
    const content = [{ type: 'text', text: 'done' }];
    const { work, sent } = await openTool(() => ({ result: { content } }));
    work.form?.set(['n'], '9007199254740993');
    work.send('c1');
    await settled();
    expect(sent.at(-1)?.paramsText).toContain('"n": 9007199254740993');
    expect(sent.at(-1)?.params).toMatchObject({
      name: 'add',
      _meta: { progressToken: expect.stringMatching(/^w-/) },
    });
    const [run] = work.runs.value;
    expect(run?.isOver.value).toBe(true);
    expect(run?.result.value).toMatchObject({ kind: 'result', blocks: [{ text: 'done' }] });
  });

  test('shows how far it has come, and is cancelled in flight', async () => {
    const { work, sent, log, publish, calls } = await openTool(() => 'later');
    work.form?.set(['n'], '1');
    work.send('c1');
    await settled();
    const [run] = work.runs.value;
    const { rpcId, params } = sent.at(-1)!;
    const { progressToken } = params['_meta'] as { progressToken: string };
    const httpId = log.stream();
    log.head(httpId, 200, 'text/event-stream');
    const progress = { progressToken, progress: 2, total: 5 };
    const message = { jsonrpc: '2.0', method: 'notifications/progress', params: progress };
    log.sseEvent(httpId, 0, JSON.stringify(message));
    publish();
    expect(run?.progress.value).toBe('2 of 5');
    expect(run?.isOver.value).toBe(false);
    run?.cancel();
    expect(calls.at(-1)).toEqual(['cancel', 'c1', rpcId]);
  });

  test('two calls at a time each get their own answer', async () => {
    const { work, sent, finish } = await openTool(() => 'later');
    work.send('c1');
    work.send('c1');
    await settled();
    const [first, second] = sent.slice(-2);
    await finish(second?.rpcId ?? '', { result: { content: [{ type: 'text', text: 'two' }] } });
    await finish(first?.rpcId ?? '', { result: { content: [{ type: 'text', text: 'one' }] } });
    expect(
      work.runs.value.map(({ result }) =>
        result.value?.kind === 'result'
          ? result.value.blocks.map((block) => 'text' in block && block.text)
          : [],
      ),
    ).toEqual([['two'], ['one']]);
  });

  test('that does not fit its schema is marked, and an error is shown as one', async () => {
    const { work } = await openTool(() => ({ error: { code: -32602, message: 'n is missing' } }));
    expect(work.form?.problems.value).toMatchObject([{ path: ['n'], message: 'is required' }]);
    work.send('c1');
    await settled();
    const [run] = work.runs.value;
    expect(run?.knownProblems).toBe(1);
    expect(run?.result.value).toMatchObject({ kind: 'error', code: '-32602' });
  });

  test('keeps what was typed when the definition is loaded anew', async () => {
    let list = listed;
    const stage = openServerStage((method) =>
      method === 'tools/list' ? { result: list } : { result: {} },
    );
    const tools = stage.view().lists.tools;
    const work = () => {
      const [entry] = tools.listing.value.entries;
      if (entry === undefined) throw new Error('There is no tool.');
      return stage.view().workOf(entry);
    };
    tools.load();
    await settled();
    work().form?.set(['n'], '7');
    list = { tools: [tool('add', { inputSchema: schema, title: 'Add' })] };
    tools.load();
    await settled();
    expect(JSON.parse(work().form?.text.value ?? '')).toEqual({ n: 7 });
  });
});

describe('resources and prompts', () => {
  const resourceTemplates = [{ uriTemplate: 'a://{x}/{+y}{?z}', name: 'T' }];
  const prompts = [{ name: 'plain' }, { name: 'odd', arguments: [{ nome: 1 }] }];
  const answer: Answer = (method) => {
    if (method === 'resources/templates/list') return { result: { resourceTemplates } };
    if (method === 'prompts/list') return { result: { prompts } };
    return { result: { contents: [{ uri: 'a:b', text: 'B' }] } };
  };

  test('a template is read by the URI that it makes', async () => {
    const { view, sent } = openServerStage(answer);
    view().lists.templates.load();
    await settled();
    const work = view().workOf(view().lists.templates.listing.value.entries[0]!);
    expect(work.uri()).toBe('a:///');
    work.form?.set(['x'], '"ä b"');
    work.form?.set(['y'], '"c/d"');
    work.form?.set(['z'], '""');
    expect(work.uri()).toBe('a://%C3%A4%20b/c/d?z=');
    work.send('c1');
    await settled();
    expect(sent.at(-1)).toMatchObject({
      method: 'resources/read',
      params: { uri: 'a://%C3%A4%20b/c/d?z=' },
    });
  });

  test('a resource that is on no list is shown and read', async () => {
    const { view, sent, servers } = openServerStage(answer);
    view().read('a:b');
    await settled();
    expect(servers.tab.value).toBe('resources');
    expect(view().unlisted.value).toBe('a:b');
    expect(sent).toMatchObject([{ method: 'resources/read', params: { uri: 'a:b' } }]);
  });

  test('a prompt without arguments is asked for without any', async () => {
    const { view, sent } = openServerStage(answer);
    view().lists.prompts.load();
    await settled();
    const [plain, odd] = view().lists.prompts.listing.value.entries;
    expect(odd?.faults).toEqual(['its arguments are no list of named ones']);
    view().workOf(plain!).send('c1');
    await settled();
    expect(sent.at(-1)?.params).toEqual({ name: 'plain' });
  });
});

describe('the last visit', () => {
  const before = [
    tool('same'),
    tool('gone'),
    tool('flip', { annotations: { readOnlyHint: true } }),
  ];
  const after = [
    { inputSchema: { type: 'object' }, name: 'same' },
    tool('new'),
    tool('flip', { annotations: { readOnlyHint: false } }),
  ];

  test('is compared with this one', async () => {
    const { store, kept } = memoryVisits();
    const first = openServerStage(() => ({ result: { tools: before } }), { visits: store });
    first.view().lists.tools.loadAll();
    await settled();
    await settled();
    expect(first.view().visits.changes.value).toBeUndefined();
    expect([...kept.values()]).toMatchObject([{ connectionId: 'c1' }]);

    const second = openServerStage(() => ({ result: { tools: after } }), {
      visits: store,
      connectionId: 'c2',
    });
    second.view().lists.tools.loadAll();
    for (let turn = 0; turn < 5; turn += 1) await settled();
    const { changes } = second.view().visits.changes.value ?? {};
    expect(changes?.map(({ change }) => `${change.kind} ${change.name}`)).toEqual([
      'added new',
      'changed flip',
      'removed gone',
    ]);
    expect(changes?.[1]?.change).toMatchObject({
      flipped: ['readOnlyHint: true → false'],
    });
  });

  test('of a store that fails is told, and costs nothing else', async () => {
    const refuse = () => Promise.reject(new Error('The disk is full.'));
    const { view } = openServerStage(paged, {
      visits: { read: refuse, write: refuse, forget: refuse },
    });
    view().lists.tools.loadAll();
    for (let turn = 0; turn < 5; turn += 1) await settled();
    expect(view().lists.tools.listing.value.entries).toHaveLength(3);
    expect(view().visits.trouble.value).toMatch(/The disk is full/);
  });
});

describe('completions', () => {
  test('are asked for a moment after the last key, with the other arguments', async () => {
    const prompts = [
      { name: 'team', arguments: [{ name: 'dep', required: true }, { name: 'who' }] },
    ];
    const { view, sent } = openServerStage(
      (method) =>
        method === 'prompts/list'
          ? { result: { prompts } }
          : { result: { completion: { values: ['Ada', 'Al'], total: 9, hasMore: true } } },
      { capabilities: { prompts: {}, completions: {} } },
    );
    view().lists.prompts.load();
    await settled();
    const [entry] = view().lists.prompts.listing.value.entries;
    if (entry === undefined) throw new Error('There is no prompt.');
    const { form } = view().workOf(entry);
    form?.set(['dep'], '"R&D"');
    form?.set(['who'], '"A"');
    vi.useFakeTimers();
    form?.completer?.type('who', 'x');
    form?.completer?.type('who', 'A');
    await vi.advanceTimersByTimeAsync(300);
    vi.useRealTimers();
    await settled();
    expect(sent.slice(1).map(({ params }) => params)).toEqual([
      {
        ref: { type: 'ref/prompt', name: 'team' },
        argument: { name: 'who', value: 'A' },
        context: { arguments: { dep: 'R&D' } },
      },
    ]);
    expect(form?.completer?.options.value).toEqual({
      name: 'who',
      values: ['Ada', 'Al'],
      note: '2 of 9, type on',
    });
    form?.completer?.leave();
    expect(form?.completer?.options.value).toBeUndefined();
  });
});
