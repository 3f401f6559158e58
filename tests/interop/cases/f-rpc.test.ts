import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../lib/capture/correlate/correlate.ts';
import type { RequestItem } from '../../../lib/capture/correlate/items.ts';
import type { Reply } from '../../server/scripted.ts';
import {
  accepted,
  event,
  initializeResult,
  json,
  log,
  plain,
  progress,
  result,
  stream,
} from '../../server/scripted-behaviour.ts';
import { LogBuilder } from '../../support/builders.ts';
import { play, type PlayOptions, type Scene } from './play.ts';

const SSE: PlayOptions = { isHttpSse: true };
const LISTENING: PlayOptions = { openStream: true };
const open: Reply = stream([': open\n\n'], 'hang');

/** What the client sent in answer to requests of the server, in order. */
function answersOf(scene: Scene): string[] {
  return scene.server.requests
    .filter(({ method, message }) => method === 'POST' && message.method === undefined)
    .map(({ body }) => body);
}

/** A connection whose GET stream is open, so that the server can say something. */
async function listen(script = {}): Promise<Scene> {
  const scene = await play({ GET: open, ...script }, LISTENING);
  await scene.fact('sse-comment');
  return scene;
}

describe('C101 A response whose id is of the other type', () => {
  const answer = (id: string) => `{"jsonrpc":"2.0","id":${id},"result":{}}`;
  const wrong = ['"1"', '1.0', '"01"', '99', '"other"'];

  test.each(wrong)('C101 %s on the POST that asked settles its request', async (id) => {
    for (const reply of [json(answer(id)), stream([event(answer(id))])]) {
      await using scene = await play({ 'tools/list': reply });
      const item = await scene.call();
      expect(item).toMatchObject({ outcome: 'result', rpcId: '1' });
      expect(scene.items('stray')).toEqual([]);
      expect(await scene.issues()).toEqual(id === '1.0' ? [] : ['RPC-04']);
    }
  });

  test.each(['"1"', '1.0', '"01"'])(
    'C101 %s on a shared stream settles it too, where it is the only one',
    async (id) => {
      await using scene = await play(
        { 'tools/list': accepted([{ push: event(answer(id)) }]) },
        SSE,
      );
      expect((await scene.call()).outcome).toBe('result');
      expect(scene.items('stray')).toEqual([]);
    },
  );

  test('C101 another value on a shared stream settles nobody', async () => {
    await using scene = await play(
      { 'tools/list': accepted([{ push: event(answer('"one"')) }, { push: event(answer('2')) }]) },
      { ...SSE, idleTimeoutMs: 60 },
    );
    expect(await scene.call()).toMatchObject({ outcome: 'failed', problem: { code: 'deadline' } });
    expect(scene.items('stray').map(({ what }) => what)).toEqual(['response', 'response']);
  });
});

test('C102 1 and "1" in flight together stay apart, whatever the order of their answers', () => {
  const built = new LogBuilder();
  const shared = built.stream();
  built.call('1', 'tools/list');
  built.call('"1"', 'prompts/list');
  built.message(shared, '{"jsonrpc":"2.0","id":"1","result":{"prompts":[]}}');
  built.message(shared, '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}');
  const correlation = createCorrelation();
  correlation.apply(built.events);
  const requests = correlation.items.filter((item): item is RequestItem => item.kind === 'request');
  const events = built.events.filter(({ kind }) => kind === 'sse-event');
  expect(requests).toMatchObject([
    {
      rpcId: '1',
      method: 'tools/list',
      outcome: 'result',
      response: { sequence: events[1]!.sequence },
    },
    {
      rpcId: '"1"',
      method: 'prompts/list',
      outcome: 'result',
      response: { sequence: events[0]!.sequence },
    },
  ]);
});

describe('C104 An error without an id', () => {
  const withNull = '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"boom"}}';
  const without = '{"jsonrpc":"2.0","error":{"code":-32603,"message":"boom"}}';

  test.each([
    ['null in a JSON body', json(withNull)],
    ['none in a JSON body', json(without)],
    ['null in an event', stream([event(withNull)])],
    ['none in an event', stream([event(without)])],
  ])('C104 (%s) settles the request of its POST', async (_name, reply) => {
    await using scene = await play({ 'tools/list': reply });
    const item = await scene.call();
    expect(item).toMatchObject({ outcome: 'error', problem: { message: 'boom (-32603)' } });
  });

  test.each([withNull, without])('C104 on the GET stream settles nobody: %s', async (text) => {
    await using scene = await listen({
      'tools/list': { ...json(result()), before: [{ push: event(text) }, { wait: 'seen' }] },
    });
    const item = await scene.begin();
    const stray = await scene.item('stray');
    expect(stray).toMatchObject({ what: 'response' });
    expect(stray.problem.message).toBe('An error without an id: boom (-32603).');
    expect(item.outcome).toBe('pending');
    scene.server.open('seen');
    expect((await scene.settled(item)).outcome).toBe('result');
  });
});

test.each([
  ['ping', '"ping"', 'request', ['"result":{}']],
  ['an empty method', '""', 'request', ['-32601']],
  ['a method that is null', 'null', 'stray', []],
])(
  'C106 A request of the server with the id of an open call does not complete it: %s',
  async (_n, method, kind, answers) => {
    const asked = `{"jsonrpc":"2.0","id":$id,"method":${method}}`;
    await using scene = await play({
      'tools/list': stream([event(asked), { wait: 'seen' }, event(result())]),
    });
    const item = await scene.begin();
    await scene.fact('sse-event');
    expect(item.outcome).toBe('pending');
    scene.server.open('seen');
    expect((await scene.settled(item)).outcome).toBe('result');
    const incoming = scene.worker.correlation.items.filter(
      (other) => 'direction' in other && other.direction === 'incoming',
    );
    expect(incoming).toMatchObject([{ kind }]);
    await scene.server.until(() => answersOf(scene).length === answers.length);
    expect(answersOf(scene)).toEqual(answers.map((text) => expect.stringContaining(text)));
  },
);

describe('C108 Pings of the server', () => {
  test.each(['"abc"', '0', '7', '9007199254740993'])(
    'C108 with id %s are answered at once, with the same id',
    async (id) => {
      await using scene = await listen();
      scene.server.push(event(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`));
      await scene.server.until(() => answersOf(scene).length === 1);
      expect(answersOf(scene)).toEqual([`{"jsonrpc":"2.0","id":${id},"result":{}}`]);
      const row = await scene.item(
        'request',
        ({ method, outcome }) => method === 'ping' && outcome === 'result',
      );
      expect(row).toMatchObject({ direction: 'incoming', rpcId: id });
    },
  );

  test('C108 over HTTP+SSE too', async () => {
    await using scene = await play({}, SSE);
    scene.server.push(event('{"jsonrpc":"2.0","id":"abc","method":"ping"}'));
    await scene.server.until(() => answersOf(scene).length === 1);
  });

  test('C108 without an id are notifications, and not answered', async () => {
    await using scene = await listen();
    scene.server.push(event('{"jsonrpc":"2.0","method":"ping"}'));
    await scene.item('notification', ({ method }) => method === 'ping');
    await scene.call();
    expect(answersOf(scene)).toEqual([]);
    expect(await scene.issues()).toContain('RPC-22');
  });

  test('C108 whose answer is refused: noted on the row, and the connection lives', async () => {
    await using scene = await listen({ response: plain(400, 'text/plain', 'no such id') });
    scene.server.push(event('{"jsonrpc":"2.0","id":1,"method":"ping"}'));
    const row = await scene.item('request', ({ problem }) => problem !== undefined);
    expect(row).toMatchObject({ method: 'ping', problem: { code: 'http-status' } });
    expect((await scene.call()).outcome).toBe('result');
    expect(scene.worker.summary(scene.id).state).toBe('connected');
  });
});

describe('C109 Ids on what should have none, and the reverse', () => {
  test.each([
    [
      'a notification with id null',
      '{"jsonrpc":"2.0","id":null,"method":"notifications/message","params":{}}',
    ],
    ['a request with id null', '{"jsonrpc":"2.0","id":null,"method":"roots/list"}'],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"roots/list"}'],
  ])('C109 %s is no message, and never answered', async (_name, text) => {
    await using scene = await listen();
    scene.server.push(event(text));
    const stray = await scene.item('stray');
    expect(stray).toMatchObject({ what: 'not-rpc' });
    await scene.call();
    expect(answersOf(scene)).toEqual([]);
    expect(await scene.issues()).toContain('RPC-02');
  });

  test('C109 a notification with an id is a request that nobody knows', async () => {
    await using scene = await listen();
    scene.server.push(event('{"id":5,"method":"notifications/progress","params":{}}'));
    await scene.server.until(() => answersOf(scene).length === 1);
    expect(JSON.parse(answersOf(scene)[0]!)).toMatchObject({ id: 5, error: { code: -32601 } });
    expect((await scene.issues()).length).toBeGreaterThan(0);
  });
});

/** A result of a tool. */
const CALLED = result('{"content":[]}');

test.each([
  ['in the next chunk', [event(CALLED), { wait: 'seen' }, event(progress(2))], true],
  ['in the same chunk', [event(CALLED) + event(progress(2))], true],
  ['before it in the same chunk', [event(progress(2)) + event(CALLED)], false],
])(
  'C110 Progress with the result %s is attached to the call, and ends nothing',
  async (_name, body, isAfter) => {
    await using scene = await play({ 'tools/call': stream(body) });
    const item = await scene.begin('tools/call', '{"name":"x","_meta":{"progressToken":"t-6"}}');
    await scene.worker.until(() => item.outcome === 'result');
    scene.server.open('seen');
    const row = await scene.item(
      'notification',
      ({ method }) => method === 'notifications/progress',
    );
    expect(row).toMatchObject({ parent: item.key, summary: '2' });
    await scene.fact('http-end', ({ httpId }) => httpId === item.httpId);
    expect(item).toMatchObject({ outcome: 'result' });
    expect(item.problem).toBeUndefined();
    expect(scene.worker.summary(scene.id).state).toBe('connected');
    expect(await scene.issues()).toEqual(isAfter ? ['PRG-01'] : []);
  },
);

test('C112 Digits stay as they came, in view, and in the answer to a request of the server', async () => {
  const body =
    '{"structuredContent":{"id":1915883588174806058,"e":1e400,"z":-0,"f":1.0},"content":[]}';
  await using scene = await listen({ 'tools/call': json(result(body)) });
  const item = await scene.call('tools/call', '{"name":"x","arguments":{"n":9007199254740993}}');
  expect(scene.text(item.response)).toBe(`{"jsonrpc":"2.0","id":1,"result":${body}}`);
  expect(scene.server.of('tools/call')[0]!.body).toContain('{"n":9007199254740993}');
  scene.server.push(event('{"jsonrpc":"2.0","id":9007199254740993,"method":"roots/list"}'));
  await scene.server.until(() => answersOf(scene).length === 1);
  expect(answersOf(scene)[0]).toContain('"id":9007199254740993,');
});

test.each([
  ['capabilities.tools has unknown members', '"tools":{}', '"tools":{"list":true}', false],
  ['capabilities.tools is an array', '"tools":{}', '"tools":[]', true],
  ['serverInfo.title is null', '"version":"1"', '"version":"1","title":null', true],
  ['serverInfo is missing', ',"serverInfo":{"name":"scripted","version":"1"}', '', true],
  ['serverInfo is a text', '{"name":"scripted","version":"1"}', '"scripted"', true],
  ['instructions are null', '"version":"1"}', '"version":"1"},"instructions":null', true],
  ['there is a member that nobody knows', '"version":"1"}', '"version":"1"},"meta":[1]', false],
])(
  'C113 An initialize result in which %s connects all the same',
  async (_name, from, to, isFlagged) => {
    await using scene = await play({
      initialize: json(result(initializeResult().replace(from, to))),
    });
    expect((await scene.call()).outcome).toBe('result');
    const [row] = scene.items('request');

    expect(await scene.issues()).toEqual(isFlagged ? ['LIF-20'] : []);
    expect(scene.text(row!.response)).toContain(to);
  },
);

describe('C114 C116 C117 Lists', () => {
  const good = (name: string) => `{"name":"${name}","inputSchema":{"type":"object"}}`;

  test('C114 with malformed entries are a result, with every byte of it there', async () => {
    const tools = [
      good('one'),
      '{"name":"four","inputSchema":{"type":"object"},"outputSchema":{"type":["null","array"]}}',
      '{"name":"seven"}',
      '{"name":"nine","inputSchema":{"type":"object"},"annotations":[]}',
      'null',
    ];
    const body = `{"tools":[${tools.join(',')}]}`;
    await using scene = await play({ 'tools/list': json(result(body)) });
    const item = await scene.call();
    expect(item.outcome).toBe('result');
    expect(scene.text(item.response)).toContain(body);
  });

  test.each<[string, Reply, Partial<RequestItem>]>([
    [
      'an error in an event',
      stream([event('{"jsonrpc":"2.0","id":$id,"error":{"code":-32603,"message":"db"}}')]),
      { outcome: 'error' },
    ],
    ['no valid response', json('{"jsonrpc":"2.0","id":1}'), { outcome: 'failed' }],
    ['500', plain(500), { outcome: 'failed' }],
  ])('C116 that fail with %s are failures, and no empty lists', async (_name, reply, row) => {
    await using scene = await play({
      'tools/list': [json(result('{"tools":[],"nextCursor":"p2"}')), reply],
    });
    expect((await scene.call()).outcome).toBe('result');
    const second = await scene.call('tools/list', '{"cursor":"p2"}');
    expect(second).toMatchObject(row);
    expect(second.problem).toBeDefined();
  });

  test('C117 with one name twice keep both entries', async () => {
    const body = `{"tools":[${good('search')},${good('search').replace('object"}', 'object","title":"2"}')}]}`;
    await using scene = await play({ 'tools/list': json(result(body)) });
    expect(scene.text((await scene.call()).response)).toContain(body);
  });
});

describe('C118 An event that is no JSON', () => {
  const broken = event('{"jsonrpc":"2.0",');

  test('C118 is a row with its fault; the stream goes on, and the result counts', async () => {
    await using scene = await play({
      'tools/list': stream([event(log('a')), broken, event(result())]),
    });
    const item = await scene.call();
    expect(item.outcome).toBe('result');
    const [stray] = scene.items('stray');
    expect(stray).toMatchObject({ what: 'not-json', parent: item.key });
    expect(stray!.problem.message).toContain('byte 17');
    expect(scene.text(stray!.message)).toBe('{"jsonrpc":"2.0",');
    expect(await scene.issues()).toEqual(['RPC-01']);
  });

  test('C118 and nothing after it: the call fails when its stream ends', async () => {
    await using scene = await play({ 'tools/list': stream([broken, { wait: 'end' }]) });
    const item = await scene.begin();
    await scene.item('stray');
    expect(item.outcome).toBe('pending');
    scene.server.open('end');
    expect(await scene.settled(item)).toMatchObject({
      outcome: 'failed',
      problem: { code: 'stream-no-response' },
    });
  });
});

test.each([
  ['-32002', '-32002'],
  ['-32602', '-32602'],
  ['-32004', '-32004'],
  ['-32022', '-32022'],
  ['-32602.0', '-32602'],
  ['"-32602"', 'no code'],
])('C120 An error with code %s is an error, and shown as it came', async (code, shown) => {
  const text = `{"jsonrpc":"2.0","id":$id,"error":{"code":${code},"message":"unknown"}}`;
  await using scene = await play({ 'resources/read': json(text) });
  const item = await scene.call('resources/read', '{"uri":"x:1"}');
  expect(item).toMatchObject({ outcome: 'error', problem: { message: `unknown (${shown})` } });
  expect(scene.text(item.response)).toContain(`"code":${code},`);
});

describe('C121 Responses that are none', () => {
  const invalid = [
    [
      'both result and error',
      '"result":{},"error":{"code":1,"message":"x"}',
      'Both result and error',
    ],
    ['neither', '"x":1', 'Neither method nor result nor error'],
    ['an error that is a text', '"error":"text"', 'The error is a string'],
  ] as const;
  const bodies: [string, (text: string) => Reply, PlayOptions][] = [
    ['a JSON body', (text) => json(text), {}],
    ['an event, the stream left open', (text) => stream([event(text)], 'hang'), {}],
    ['an event that could be resumed', (text) => stream([event(text, 'e1')]), {}],
    ['the stream of HTTP+SSE', (text) => accepted([{ push: event(text) }]), SSE],
  ];

  test.each(invalid.flatMap((each) => bodies.map((body) => [...each, ...body] as const)))(
    'C121 %s (%#) settles its request as failed, and says which rule',
    async (_name, members, reason, _where, reply, options) => {
      const text = `{"jsonrpc":"2.0","id":$id,${members}}`;
      await using scene = await play({ 'tools/list': reply(text) }, options);
      const item = await scene.call();
      expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'body-not-rpc' } });
      expect(item.problem!.message).toContain(reason);
      expect(scene.facts('deadline-fired')).toEqual([]);
      expect(scene.facts('retry-scheduled')).toEqual([]);
      expect(await scene.isWaitedFor(item)).toBe(false);
      expect((await scene.issues()).some((id) => id.startsWith('RPC-'))).toBe(true);
    },
  );

  test.each([
    ['"jsonrpc":"1.0",', '"result":{}'],
    ['', '"result":{}'],
    ['"jsonrpc":"2.0",', '"result":null'],
  ])('C121 %s…%s is a response all the same, and an issue', async (version, members) => {
    await using scene = await play({ 'tools/list': json(`{${version}"id":$id,${members}}`) });
    expect((await scene.call()).outcome).toBe('result');
    expect((await scene.issues()).some((id) => id.startsWith('RPC-'))).toBe(true);
  });
});
