import { describe, expect, test } from 'vitest';
import type { Reply } from '../../server/scripted.ts';
import {
  event,
  initializeResult,
  json,
  log,
  plain,
  result,
  stream,
} from '../../server/scripted-behaviour.ts';
import { header } from '../../server/scripted-http.ts';
import { play } from './play.ts';

/** More levels than an engine writes as JSON in one go. */
const DEEP = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
/** A value that no engine turns into a text. */
const EVIL = '{"toString":1,"valueOf":1}';

function notification(method: string, params: string): string {
  return event(`{"jsonrpc":"2.0","method":"notifications/${method}","params":${params}}`);
}

describe.each([
  ['nested in 30,000 levels', DEEP],
  ['an object without a text', EVIL],
])('A value that is %s', (_name, value) => {
  test.each([
    ['a log message', notification('message', `{"level":${value},"data":${value}}`)],
    ['progress', notification('progress', `{"progressToken":${value},"progress":${value}}`)],
    ['a cancellation', notification('cancelled', `{"requestId":${value},"reason":${value}}`)],
    ['an updated resource', notification('resources/updated', `{"uri":${value}}`)],
  ])('in %s costs neither the stream nor its response', async (_what, before) => {
    await using scene = await play({ 'tools/list': stream([before, event(result())]) });
    expect((await scene.call()).outcome).toBe('result');
    expect(
      scene.items('notification').filter((item) => item.direction === 'incoming'),
    ).toHaveLength(1);
  });

  test.each([
    [
      'the capabilities',
      'initialize',
      result(initializeResult().replace('"tools":{}', `"tools":${value}`)),
    ],
    ['a tool', 'tools/list', result(`{"tools":[{"name":"a","inputSchema":${value}}]}`)],
    [
      'the data of an error',
      'tools/list',
      `{"jsonrpc":"2.0","id":$id,"error":{"code":1,"message":"x","data":${value}}}`,
    ],
    [
      'an error',
      'tools/list',
      `{"jsonrpc":"2.0","id":$id,"error":{"code":${value},"message":${value}}}`,
    ],
    ['what is no response', 'tools/list', `{"jsonrpc":"2.0","id":$id,"resul":${value}}`],
  ])('in %s is an answer like any other', async (_what, method, text) => {
    await using scene = await play({ [method]: json(text) });
    const item = await scene.call();
    expect(item.outcome).not.toBe('pending');
    expect(scene.text(item.message)).toContain('tools/list');
  });

  test('in the refusal of `initialize` is told in words', async () => {
    const data = `{"supported":[${value}]}`;
    const text = `{"jsonrpc":"2.0","id":$id,"error":{"code":-32602,"message":"no","data":${data}}}`;
    await using scene = await play(
      { initialize: json(text) },
      { transport: 'streamable-http', state: 'failed' },
    );
    expect(scene.worker.summary(scene.id).problem?.message).toContain('refused `initialize`: no');
  });
});

test('A question that is nested deeper than anybody can show is refused, and the log goes on', async () => {
  const asked = `{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?","requestedSchema":${DEEP}}}`;
  await using scene = await play({ 'tools/list': stream([event(asked), event(result())]) });
  expect((await scene.call()).outcome).toBe('result');
  const answer = await scene.server.until(() =>
    scene.server.requests.find(({ body }) => body.includes('"id":"q"')),
  );
  expect(answer.body).toContain('-32602');
  expect(scene.worker.summary(scene.id).questions).toEqual([]);
  expect((await scene.call()).outcome).toBe('result');
});

describe('A content type that comes twice', () => {
  test.each<[string, Reply]>([
    [
      'JSON',
      { ...json(result()), headers: { 'Content-Type': ['application/json', 'application/json'] } },
    ],
    [
      'an event stream',
      {
        ...stream([event(result())]),
        headers: { 'Content-Type': ['text/plain', 'text/event-stream; charset=utf-8'] },
      },
    ],
  ])('is read by its last value, as browsers do: %s', async (_name, reply) => {
    await using scene = await play({ 'tools/list': reply });
    expect((await scene.call()).outcome).toBe('result');
  });
});

test('A request whose exchange brings the response to another one fails at once', async () => {
  await using scene = await play({
    'prompts/list': { ending: 'silent' },
    'tools/list': json('{"jsonrpc":"2.0","id":1,"result":{}}'),
  });
  const other = await scene.begin('prompts/list');
  expect(other.rpcId).toBe('1');
  const item = await scene.call('tools/list');
  expect(item.outcome).toBe('failed');
  expect(await scene.isWaitedFor(item)).toBe(false);
  expect((await scene.settled(other)).outcome).toBe('result');
});

describe('A response on the stream of a POST that names no request', () => {
  test.each([
    ['a result without an id', '"result":{}'],
    ['a result whose id is an object', '"id":{},"result":{}'],
    ['a result whose id is true', '"id":true,"result":{}'],
    ['an error that is a text', '"error":"Session not found"'],
  ])('%s settles the request at once, though the stream stays open', async (_name, members) => {
    const text = `{"jsonrpc":"2.0",${members}}`;
    await using scene = await play({ 'tools/list': stream([event(text)], 'hang') });
    const item = await scene.call();
    expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'body-not-rpc' } });
    expect(await scene.isWaitedFor(item)).toBe(false);
  });

  test('what is no response at all settles nobody', async () => {
    const text = '{"type":"heartbeat","error_count":0}';
    await using scene = await play({ 'tools/list': stream([event(text), event(result())]) });
    expect((await scene.call()).outcome).toBe('result');
  });
});

test('The id of an event goes back as the UTF-8 that it came as', async () => {
  const id = 'caf\u00e9 \u4e16\u754c \u{1F600}';
  await using scene = await play(
    { GET: [stream([event(log('first'), id)], 'close'), stream([event(log('second'))], 'hang')] },
    { openStream: true },
  );
  await scene.item('notification', ({ summary }) => summary === 'info: second');
  const [, again] = scene.server.of('GET');
  expect(Buffer.from(header(again!, 'last-event-id')!, 'latin1').toString('utf8')).toBe(id);
  const [, asked] = scene.facts('http-request').filter(({ purpose }) => purpose === 'stream');
  expect(asked?.links.lastEventId).toBe(id);
});

describe('Retry-After', () => {
  const busy = { ...plain(503), headers: { 'Retry-After': '1' } };

  test('is what a GET stream waits for before it is opened again', async () => {
    await using scene = await play(
      { GET: [busy, stream([': open\n\n'], 'hang')] },
      { openStream: true },
    );
    expect(await scene.fact('retry-scheduled')).toMatchObject({ delayMs: 1000, askedBy: 'server' });
    await scene.fact('sse-comment');
  });

  test('of a request is told, and nothing is sent again by itself', async () => {
    await using scene = await play({ 'tools/list': busy });
    const item = await scene.call();
    expect(item.problem?.advice).toBe('The server asks to wait: Retry-After is 1.');
    expect(scene.server.of('tools/list')).toHaveLength(1);
  });
});
