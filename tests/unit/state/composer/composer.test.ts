import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { Item } from '../../../../lib/capture/correlate/items.ts';
import { clientMethods } from '../../../../lib/protocol/request-methods.ts';
import {
  jsonProblems,
  missingParams,
  paramProblems,
} from '../../../../lib/state/composer/composer-check.ts';
import { draftOf } from '../../../../lib/state/composer/composer-draft.ts';
import {
  mirrorWarnings,
  ownMirrorWarnings,
} from '../../../../lib/state/composer/composer-mirror.ts';
import { openSavedRequests } from '../../../../lib/state/composer/composer-saved.ts';
import { prepareSending, type Composition } from '../../../../lib/state/composer/composer-send.ts';
import { createSentList } from '../../../../lib/state/composer/composer-sent.ts';
import { fakeBackground, settled } from '../fakes.ts';
import { LogBuilder } from '../log-builder.ts';

const method = (name: string, era: 'legacy' | 'modern' = 'legacy') =>
  clientMethods(era).find((each) => each.method === name);

describe('the methods of a revision', () => {
  test('are its own', () => {
    const [modern, legacy, old] = [
      clientMethods('modern'),
      clientMethods('legacy', '2025-11-25'),
      clientMethods('legacy', '2025-06-18'),
    ].map((list) => list.map((each) => each.method));
    expect(clientMethods(undefined).map((each) => each.method)).toEqual(legacy);
    expect(modern?.filter((name) => legacy?.includes(name) !== true)).toEqual([
      'server/discover',
      'subscriptions/listen',
      'tasks/update',
    ]);
    expect(legacy).toContain('tasks/list');
    expect(old?.filter((name) => name.startsWith('tasks/'))).toEqual([]);
    expect(method('logging/setLevel')?.mark).toBe('deprecated');
  });
});

describe('what is wrong with a text', () => {
  test('is told at its place, and what is no JSON as an error', () => {
    expect(jsonProblems('')).toEqual([]);
    expect(jsonProblems('{"a":nul}')).toMatchObject([{ from: 8, severity: 'error' }]);
    expect(jsonProblems('{"a":1, "a":2}')).toMatchObject([
      { from: 8, to: 11, severity: 'warning' },
    ]);
  });

  test('is seen against the method', () => {
    const said = (text: string, name: string, era?: 'modern') =>
      paramProblems(text, method(name, era)).map(({ from, message }) => `${from} ${message}`);
    expect(said('{"name":1,"argumets":{}}', 'tools/call')).toEqual([
      '8 name should be a text.',
      '10 tools/call has no “argumets”.',
    ]);
    expect(said('{"arguments":[]}', 'tools/call')).toEqual([
      '13 arguments should be an object.',
      '0 tools/call needs name.',
    ]);
    expect(said('{"level":"loud"}', 'logging/setLevel')[0]).toContain('should be one of debug,');
    expect(said('[]', 'ping')).toEqual(['0 ping should be an object.']);
    expect(
      said('{"notifications":{"toolsListChanged":"yes","x":1}}', 'subscriptions/listen', 'modern'),
    ).toEqual(['37 toolsListChanged should be true or false.', '43 notifications has no “x”.']);
    expect(said('{"name":"x","_meta":{"progressToken":1}}', 'tools/call')).toEqual([]);
    expect(paramProblems('{"anything":1}', undefined)).toEqual([]);
    expect(missingParams('', method('resources/read'))).toEqual(['uri']);
    expect(missingParams('{"uri":"x"}', method('resources/read'))).toEqual([]);
  });

  test('never throws, whatever is typed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        for (const each of clientMethods('legacy')) {
          for (const { from, to } of paramProblems(text, each)) {
            expect(from).toBeGreaterThanOrEqual(0);
            expect(to).toBeLessThanOrEqual(text.length);
          }
        }
      }),
    );
  });
});

describe('headers that mirror a body', () => {
  const body = (extra = '') =>
    `{"id":1,"method":"tools/call","params":{"name":"pay","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}${extra}}}`;
  const headers = (change: Record<string, string> = {}) =>
    Object.entries({
      'MCP-Protocol-Version': '2026-07-28',
      'mcp-method': 'tools/call',
      'Mcp-Name': 'pay',
      ...change,
    }).map(([name, value]) => ({ name, value }));

  test('are held against it', () => {
    expect(mirrorWarnings(headers(), body())).toEqual([]);
    expect(mirrorWarnings(headers({ 'Mcp-Name': 'echo' }), body())).toEqual([
      'Mcp-Name says “echo”, but the body “pay”.',
    ]);
    expect(mirrorWarnings(headers().slice(0, 2), body())).toEqual([
      'Mcp-Name is missing; the body says “pay”.',
    ]);
    expect(mirrorWarnings(headers(), '{"id":1,"method":"tools/list","params":{}}')).toEqual([
      'MCP-Protocol-Version says “2026-07-28”, and the body nothing of the kind.',
      'Mcp-Method says “tools/call”, but the body “tools/list”.',
      'Mcp-Name says “pay”, and the body nothing of the kind.',
    ]);
    // A legacy request mirrors nothing.
    expect(mirrorWarnings([], '{"id":1,"method":"ping"}')).toEqual([]);
    expect(mirrorWarnings([], 'nonsense')).toEqual([]);
  });

  test('matter only as far as they were written by hand, where the connection builds them', () => {
    const own = [{ name: 'Mcp-Method', value: 'ping' }];
    expect(ownMirrorWarnings('tools/list', '', own, '2026-07-28')).toEqual([
      'Mcp-Method says “ping”, but the body “tools/list”.',
    ]);
    expect(ownMirrorWarnings('tools/list', '', [], '2026-07-28')).toEqual([]);
    const other = '{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01"}}';
    expect(ownMirrorWarnings('tools/list', other, [], '2026-07-28')).toHaveLength(1);
  });
});

describe('what is kept for a server', () => {
  function store() {
    const texts = new Map<string, string>();
    return {
      texts,
      read: (name: string) => texts.get(name),
      write: (name: string, text: string) => void texts.set(name, text),
    };
  }

  test('outlives the page, apart from that of others, without secrets', () => {
    const kept = store();
    const first = openSavedRequests(kept);
    const draft = {
      mode: 'http' as const,
      url: 'http://a/mcp',
      httpHeaders: [
        { name: 'Authorization', value: 'Bearer abc', isTyped: true },
        { name: 'Mcp-Session-Id', value: '{{secret:beef}}' },
        { name: 'X', value: 'y' },
      ],
    };
    first.save('http://a', 'mine', draft, 1);
    first.note('http://a', 'tools/list', { mode: 'request', method: 'tools/list' }, 2);
    first.note('http://a', 'tools/list', { mode: 'request', method: 'tools/list' }, 3);
    first.note('http://b', 'ping', { mode: 'request', method: 'ping' }, 4);
    const second = openSavedRequests(kept);
    second.show('http://a');
    expect(second.history.value.map(({ name, at }) => [name, at])).toEqual([['tools/list', 3]]);
    expect(second.saved.value[0]?.draft.httpHeaders).toEqual([
      { name: 'Authorization', value: '' },
      { name: 'Mcp-Session-Id', value: '{{secret:beef}}' },
      { name: 'X', value: 'y' },
    ]);
    expect([...kept.texts.values()].join()).not.toContain('Bearer abc');
    second.save('http://a', 'mine', { mode: 'text', text: 'new' }, 5);
    expect(second.saved.value).toHaveLength(1);
    second.remove('http://a', second.saved.value[0]!.id);
    second.clearHistory('http://a');
    expect([second.saved.value, second.history.value]).toEqual([[], []]);
  });

  test('is bounded, and what is broken is left aside', () => {
    const kept = store();
    const requests = openSavedRequests(kept);
    requests.show('s');
    for (let at = 0; at < 50; at += 1) {
      requests.note('s', `m${at}`, { mode: 'request', method: `m${at}` }, at);
    }
    expect(requests.history.value).toHaveLength(30);
    expect(requests.history.value[0]?.name).toBe('m49');
    requests.note('s', 'huge', { mode: 'text', text: 'x y '.repeat(50_000) }, 99);
    expect(requests.history.value[0]?.name).toBe('m49');
    for (const broken of ['{', 'null', '[]', '{"history":[1,{"id":"a"}],"saved":"x"}']) {
      kept.texts.set('requests s', broken);
      const next = openSavedRequests(kept);
      next.show('s');
      expect([next.history.value, next.saved.value]).toEqual([[], []]);
    }
  });
});

describe('sending', () => {
  const source = createCorrelation();
  const prepare = async (composition: Composition, held: Record<string, string> = {}) => {
    const { background, calls } = fakeBackground({ reveal: async () => held });
    const prepared = await prepareSending(background, composition, source);
    if (prepared.ok) await prepared.send();
    return { prepared, calls: calls.filter(([name]) => name !== 'reveal') };
  };

  test('joins secrets into params and headers, and refuses those that are gone', async () => {
    const composition: Composition = {
      kind: 'request',
      connectionId: 'c1',
      method: 'x/y',
      paramsText: '{"k":"{{secret:beef}}"}',
      headers: [{ name: 'X-Key', value: '{{secret:beef}}' }],
      idleTimeoutMs: 500,
    };
    expect((await prepare(composition, { beef: 's3cret' })).calls).toEqual([
      [
        'send',
        'c1',
        'x/y',
        '{"k":"s3cret"}',
        { idleTimeoutMs: 500, headers: [{ name: 'X-Key', value: 's3cret' }] },
      ],
    ]);
    expect((await prepare(composition)).prepared).toMatchObject({ ok: false });
    const headers = [{ name: 'a b', value: '' }];
    expect(
      (await prepare({ ...composition, paramsText: undefined, headers })).prepared,
    ).toMatchObject({
      ok: false,
      reason: expect.stringContaining('cannot be sent'),
    });
  });

  test('a notification goes as a text of its own', async () => {
    const { calls } = await prepare({
      kind: 'request',
      connectionId: 'c1',
      method: 'notifications/cancelled',
      paramsText: '{"requestId": 12345678901234567890}',
      headers: [],
    });
    expect(calls).toEqual([
      [
        'sendRaw',
        {
          kind: 'text',
          connectionId: 'c1',
          text: '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId": 12345678901234567890}}',
          as: {
            kind: 'notification',
            method: 'notifications/cancelled',
            paramsText: '{"requestId": 12345678901234567890}',
          },
        },
        {},
      ],
    ]);
  });

  test('an edited call asks, a new one does not', async () => {
    const call: Composition = {
      kind: 'request',
      connectionId: 'c1',
      method: 'tools/call',
      paramsText: '{"name":"pay","arguments":{"sum":2}}',
      headers: [],
    };
    expect((await prepare(call)).prepared).toMatchObject({ ok: true, calls: [] });
    expect((await prepare({ ...call, replayOf: 7 })).prepared).toMatchObject({
      calls: [{ tool: 'pay', argumentsText: '{"sum":2}' }],
    });
    const alone: Composition = { kind: 'text', text: 'x' };
    expect((await prepare(alone)).prepared).toMatchObject({ ok: false });
  });
});

describe('what was sent', () => {
  const CALL =
    '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":"t"}}}';

  test('is followed by its carrier, with its progress, and cancelled by its id', async () => {
    const log = new LogBuilder();
    log.opened();
    const httpId = log.request(CALL);
    const correlation = createCorrelation();
    const { background, calls } = fakeBackground();
    const sent = createSentList(background, () => correlation.items);
    sent.add({ words: 'tools/call', carrierId: httpId, rpcId: '4', connectionId: 'c1' });
    sent.add({ words: 'text', carrierId: 'other' });
    sent.take(correlation.apply(log.events));
    const entry = () => sent.entries.value.find(({ words }) => words === 'tools/call')!;
    expect(entry().item).toMatchObject({ kind: 'request', method: 'tools/call' });
    const progress = {
      ...(correlation.items.at(-1) as Item),
      kind: 'notification',
      direction: 'incoming',
      method: 'notifications/progress',
      parent: entry().item!.key,
      summary: '1 of 3',
    } as Item;
    sent.take([progress]);
    expect(entry().progress).toBe('1 of 3');
    sent.cancel(entry());
    sent.cancel(sent.entries.value[0]!);
    await settled();
    expect(calls).toEqual([
      ['cancel', 'c1', '4'],
      ['stopRaw', 'other'],
    ]);
    for (let more = 0; more < 9; more += 1) sent.add({ words: `${more}`, carrierId: `${more}` });
    expect(sent.entries.value.length).toBeLessThan(8);
  });
});

describe('editing', () => {
  test('begins with what was sent, in every way in which it can be sent', () => {
    const log = new LogBuilder();
    log.opened();
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"n":1.0,"_meta":{"io.modelcontextprotocol/clientInfo":{}}}}';
    log.answer(log.request(body), '{"jsonrpc":"2.0","id":1,"result":{}}');
    log.answer(log.request('{broken'), '{}');
    const correlation = createCorrelation();
    correlation.apply(log.events);
    const request = correlation.items.find(({ kind }) => kind === 'request')!;
    expect(draftOf(request, correlation)).toMatchObject({
      mode: 'request',
      method: 'x/y',
      paramsText: '{"n":1.0,"_meta":{}}',
      text: body,
      body,
      verb: 'POST',
      origin: { sequence: request.sequence },
    });
    const broken = correlation.items.find(({ kind }) => kind === 'stray')!;
    expect(draftOf(broken, correlation)).toMatchObject({ mode: 'http', body: '{broken' });
    const opened = correlation.items.find(({ kind }) => kind === 'lifecycle')!;
    expect(draftOf(opened, correlation)).toHaveProperty('refused');
  });
});
