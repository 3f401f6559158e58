import { describe, expect, test } from 'vitest';
import type { Reply } from '../../server/scripted.ts';
import {
  accepted,
  event,
  initializeResult,
  json,
  log,
  plain,
  result,
  stream,
} from '../../server/scripted-behaviour.ts';
import { play } from './play.ts';

const SSE = { isHttpSse: true } as const;
const JSON_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const primed = stream(['id: 1\ndata:\n\n']);

describe('A stream that is resumed', () => {
  test.each<[string, Reply, number]>([
    ['and brings one new event, again and again', stream([event(log('x'), '2')]), 4],
    ['and brings what came before only', stream([event('', '1')]), 3],
  ])('%s, is asked for no more often than the profile allows', async (_what, again, times) => {
    await using scene = await play({ 'tools/list': primed, GET: again });
    expect((await scene.call()).outcome).toBe('failed');
    await scene.call('ping');
    expect(scene.server.of('GET')).toHaveLength(times);
  });

  test('and answers with an id of the other type is done with it', async () => {
    const answer = stream([event('{"jsonrpc":"2.0","id":"1","result":{}}', '2')]);
    await using scene = await play({ 'tools/list': primed, GET: answer });
    expect((await scene.call()).outcome).toBe('result');
    await scene.call('ping');
    expect(scene.server.of('GET')).toHaveLength(1);
  });

  test('that is not the standalone one either', async () => {
    const replay = stream([event(log('x'), '1'), event(log('y'), '2')]);
    await using scene = await play({ GET: replay }, { openStream: true });
    await scene.fact('connection-state', ({ state }) => state === 'degraded');
    expect(scene.server.of('GET')).toHaveLength(4);
  });
});

test('A GET that is refused with a JSON-RPC error is one row, in one sentence', async () => {
  const refusal =
    '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Method not allowed."},"id":null}';
  await using scene = await play({ GET: json(refusal, 405) }, { openStream: true });
  const { problem } = await scene.item('stream', ({ outcome }) => outcome === 'not-offered');
  expect(problem?.message).toMatch(/405 Scripted\): Method not allowed\.$/);
  expect(scene.items('stray')).toEqual([]);
});

test('A notification that is refused with a JSON-RPC error is one row', async () => {
  const refusal = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}';
  await using scene = await play(
    { 'notifications/initialized': json(refusal, 400) },
    { state: 'failed' },
  );
  expect(scene.items('stray')).toEqual([]);
  expect(scene.items('notification').at(-1)?.problem?.message).toContain('400 Scripted: no.');
});

test('What a session id must not hold is named, although the id is masked', async () => {
  const id = 'a long id with spaces';
  await using scene = await play({
    initialize: json(result(initializeResult()), 200, { 'Mcp-Session-Id': id }),
  });
  expect((await scene.finding('SES-01'))?.message).toContain('U+0020');
  expect(JSON.stringify(scene.facts('http-response'))).not.toContain('long');
});

describe('A JSON body', () => {
  const endless = `${JSON_HEAD}Content-Length: 1000\r\n\r\n`;

  test('that is all there but never ends is the answer, when its time is up', async () => {
    await using scene = await play(
      { 'tools/list': { head: endless, body: [result()], ending: 'hang' } },
      { idleTimeoutMs: 200 },
    );
    const item = await scene.call();
    expect(item.outcome).toBe('result');
    expect((await scene.finding('HTT-10'))?.message).toContain('the body was never ended');
    const cancelled = scene.items('notification').find(({ summary }) => summary !== undefined);
    expect(cancelled?.summary).toBe('No response within 0.2 s.');
    expect(scene.worker.summary(scene.id).problem).toBeUndefined();
  });

  test('that is all there when the connection breaks is an issue', async () => {
    await using scene = await play({
      'tools/list': { head: endless, body: [result()], ending: 'close' },
    });
    expect((await scene.call()).outcome).toBe('result');
    expect((await scene.finding('HTT-10'))?.message).toContain('is whole');
    expect(await scene.issues()).toEqual(['HTT-10']);
  });

  test('that is written over lines and called a stream is one issue', async () => {
    const pretty = '{\n  "jsonrpc": "2.0",\n  "id": $id,\n  "result": {}\n}\n';
    await using scene = await play({ 'tools/list': stream([pretty]) });
    expect((await scene.call()).problem?.code).toBe('body-type');
    expect(await scene.issues()).toEqual(['HTT-21']);
  });

  test('with bytes that are no UTF-8 is told by the first of them', async () => {
    const latin1 = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"a":"caf\u00e9"}}', 'latin1');
    await using scene = await play({
      'tools/list': { headers: { 'Content-Type': 'application/json' }, body: [latin1] },
    });
    await scene.call();
    expect((await scene.finding('RPC-20'))?.message).toContain('at byte 42 of the body (0xe9)');
  });
});

test('What was meant as the response is one issue, and not one of its stream too', async () => {
  await using scene = await play({
    'tools/list': stream([event('{"jsonrpc":"2.0","id":$id,"error":[]}')]),
  });
  await scene.call();
  expect(await scene.issues()).toEqual(['RPC-05']);
});

test('A server of both kinds at one URL is judged as the one that was chosen', async () => {
  const endpoint = stream(['event: endpoint\ndata: /messages?sessionId=1\n\n'], 'hang');
  await using scene = await play({ GET: endpoint }, { openStream: true });
  await scene.item('stream', ({ outcome }) => outcome === 'open');
  await scene.call();
  expect(await scene.issues()).toEqual([]);
});

test('A firewall that answers in place of the server is told by the title of its page', async () => {
  const page = '<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>';
  await using scene = await play(
    { initialize: plain(403, 'text/html', page) },
    { state: 'failed' },
  );
  const { problem } = scene.worker.summary(scene.id);
  expect(problem?.message).toContain('(403 Scripted): Just a moment..');
  expect(problem?.advice).toContain('a proxy or firewall before the server');
});

test('The data of an error that came with a status are shown beside its message', async () => {
  const data = '{"supported":["2026-07-28"]}';
  const text = `{"jsonrpc":"2.0","id":$id,"error":{"code":-32022,"message":"no","data":${data}}}`;
  await using scene = await play({ initialize: json(text, 400) }, { state: 'failed' });
  expect(scene.worker.summary(scene.id).problem?.detail).toContain(data);
});

test('A server with an endless name is kept under the beginning of it', async () => {
  const named = initializeResult().replace('"scripted"', `"${'n'.repeat(5000)}"`);
  await using scene = await play({ initialize: json(result(named)) });
  expect(scene.worker.summary(scene.id).serverName).toHaveLength(200);
});

test('An error of many lines is cut short where it is kept', async () => {
  const message = 'trace '.repeat(10_000);
  await using scene = await play(
    { initialize: json(`{"jsonrpc":"2.0","id":$id,"error":{"code":1,"message":"${message}"}}`) },
    { state: 'failed' },
  );
  expect(scene.worker.summary(scene.id).problem!.message.length).toBeLessThan(2100);
});

describe('HTTP+SSE', () => {
  test.each<[string, Reply]>([
    ['405', plain(405)],
    ['404', plain(404)],
    ['JSON', json('{}')],
  ])('at a URL that answers %s to GET: no word of that being normal', async (_what, answer) => {
    await using scene = await play({ GET: answer }, { ...SSE, state: 'failed' });
    const { problem } = scene.worker.summary(scene.id);
    expect(problem?.advice).toContain('HTTP+SSE does not');
    expect(scene.items('stream').at(-1)?.problem?.advice).toBe(problem?.advice);
  });

  test.each([
    ['{"url":"/messages"}', /holds JSON, \{"url":"\/messages"\}/],
    ['"/messages"', /holds JSON, "\/messages"/],
    ['/my messages', /is no URI: " " must be percent-encoded/],
  ])('with the endpoint %s: an issue', async (data, words) => {
    await using scene = await play(
      { GET: stream([`event: endpoint\ndata: ${data}\n\n`, { wait: 'end' }], 'hang') },
      { ...SSE },
    );
    expect((await scene.finding('SSE-01'))?.message).toMatch(words);
  });

  test('whose POSTs are acknowledged in JSON: no issue', async () => {
    const reply: Reply = { ...json('{"ok":true}', 202), body: ['{"ok":true}'], framing: 'chunked' };
    await using scene = await play(
      { 'tools/list': { ...reply, body: ['{"ok":true}', { push: event(result()) }] } },
      SSE,
    );
    expect((await scene.call()).outcome).toBe('result');
    expect(await scene.issues()).toEqual([]);
  });

  test('whose POST is answered with a stream of its own: an issue, and an honest reason', async () => {
    await using scene = await play(
      { 'tools/list': stream([event(result())]) },
      { ...SSE, idleTimeoutMs: 200 },
    );
    expect((await scene.call()).problem?.code).toBe('deadline');
    expect((await scene.finding('SSE-03'))?.message).toContain('answered with an event stream');
    const cancelled = scene.items('notification').find(({ summary }) => summary !== undefined);
    expect(cancelled?.summary).toBe('No response within 0.2 s.');
  });

  test('that leads a POST elsewhere: the place that did so is named', async () => {
    const away: Reply = { status: 307, headers: { Location: 'http://other.example/x' }, body: [] };
    await using scene = await play({ POST: away }, { ...SSE, state: 'failed' });
    expect(scene.worker.summary(scene.id).problem?.message).toContain('/messages?');
  });

  test('that never answers the handshake: not called silent, since it accepts', async () => {
    await using scene = await play({ 'tools/list': accepted([]) }, { ...SSE, idleTimeoutMs: 200 });
    const item = await scene.call();
    expect(item.problem?.message).toContain('accepted `tools/list`');
  });
});

describe('A question of the server', () => {
  const ask =
    '{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}';
  const takeBack =
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q"}}';
  const answers = { elicitation: 'ask', sampling: 'ask', roots: 'ask' } as const;

  test('that it takes back is cancelled, and waits for nobody', async () => {
    await using scene = await play(
      { 'tools/list': stream([event(ask), event(takeBack), event(result())]) },
      { answers },
    );
    await scene.call();
    const [asked] = scene.items('request').filter(({ direction }) => direction === 'incoming');
    expect(asked).toMatchObject({ outcome: 'cancelled', ended: asked!.ended });
    expect(asked!.ended).toBeDefined();
    expect(scene.worker.summary(scene.id).questions).toEqual([]);
  });

  test('that nobody answered is over with its connection', async () => {
    await using scene = await play({ 'tools/list': stream([event(ask)], 'hang') }, { answers });
    await scene.begin();
    const asked = await scene.item('request', ({ direction }) => direction === 'incoming');
    expect(asked.outcome).toBe('pending');
    await scene.disconnect();
    await scene.worker.recorder.flushed();
    expect(asked).toMatchObject({
      outcome: 'failed',
      problem: {
        message: '`elicitation/create` was unanswered when the connection was closed.',
      },
    });
  });

  test('that nobody answered is over with its session', async () => {
    await using scene = await play(
      {
        'tools/list': stream([event(ask), event(result())]),
        'resources/list': [plain(404), json(result())],
      },
      { answers },
    );
    await scene.call();
    await scene.call('resources/list');
    const asked = await scene.item('request', ({ direction }) => direction === 'incoming');
    await scene.worker.until(() => asked.outcome !== 'pending');
    expect(asked.problem?.message).toContain('when the session ended');
  });
});

describe('HTTP+SSE that is lost', () => {
  const opening = 'event: endpoint\ndata: /messages\n\n';

  test('is opened again no earlier than the server asks for', async () => {
    const first = stream([opening, 'retry: 150\n\n', { wait: 'end' }]);
    await using scene = await play({ GET: [first, stream([opening], 'hang')] }, SSE);
    scene.server.open('end');
    const planned = await scene.fact('retry-scheduled');
    expect(planned).toMatchObject({ delayMs: 150, askedBy: 'server' });
    await scene.worker.until(() => scene.facts('connection-chosen').length === 2);
    const [before, after] = scene.server.of('GET');
    expect(after!.time - before!.time).toBeGreaterThan(140);
  });

  test('as soon as it is there is opened ever later', async () => {
    await using scene = await play(
      {
        GET: (_request, nth) => stream([opening, { wait: `end ${nth}` }]),
        'notifications/initialized': (_request, nth) => accepted([{ open: `end ${nth}` }]),
      },
      SSE,
    );
    await scene.worker.until(() => scene.facts('retry-scheduled').length >= 5);
    const delays = scene.facts('retry-scheduled').map(({ delayMs }) => delayMs);
    expect(delays.slice(0, 5)).toEqual([5, 10, 20, 40, 40]);
  });
});
