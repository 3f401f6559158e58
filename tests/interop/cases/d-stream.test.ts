import { describe, expect, test, vi } from 'vitest';
import type { StreamItem } from '../../../lib/capture/correlate/items.ts';
import type { Reply } from '../../server/scripted.ts';
import {
  event,
  json,
  log,
  plain,
  result,
  sessionId,
  stream,
} from '../../server/scripted-behaviour.ts';
import { header, type RawRequest } from '../../server/scripted-http.ts';
import { FAST, play, type PlayOptions, type Scene } from './play.ts';

const LISTENING: PlayOptions = { openStream: true };
const PRIMED = 'id: s1-0\ndata:\n\n';
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{}}';
const open: Reply = stream([': open\n\n'], 'hang');

function cursorsOf(requests: RawRequest[]): (string | undefined)[] {
  return requests.map((request) => header(request, 'last-event-id'));
}

function delaysOf(scene: Scene): number[] {
  return scene.facts('retry-scheduled').map(({ delayMs }) => delayMs);
}

/** Resolves once the GET stream is given up. */
async function givenUp(scene: Scene): Promise<StreamItem[]> {
  await scene.fact('connection-state', ({ state }) => state === 'degraded');
  return scene.items('stream');
}

test('C064 405 on GET is no error, and nobody asks again', async () => {
  const refusal = { ...plain(405), headers: { Allow: 'POST, DELETE' } };
  await using scene = await play({ GET: refusal }, LISTENING);
  const item = await scene.item('stream', ({ outcome }) => outcome === 'not-offered');
  expect(item.problem).toMatchObject({ code: 'http-method-not-allowed' });
  expect(item.problem!.advice).toContain('Normal');
  expect((await scene.call()).outcome).toBe('result');
  expect(scene.server.of('GET')).toHaveLength(1);
  expect(scene.facts('retry-scheduled')).toEqual([]);
  expect(scene.facts('connection-state')).toEqual([]);
  expect(await scene.issues()).toEqual([]);
});

test.each<[number, Reply]>([
  [404, plain(404, 'text/html', '<pre>Cannot GET /mcp</pre>')],
  [406, plain(406)],
  [400, plain(400, 'text/plain', 'No sessionId')],
  [501, plain(501)],
])(
  'C065 %s on GET leaves a working connection, is not asked for again, and is an issue',
  async (status, reply) => {
    await using scene = await play({ GET: reply }, LISTENING);
    const item = await scene.item('stream', ({ outcome }) => outcome === 'not-offered');
    expect(item.problem!.message).toContain(String(status));
    expect((await scene.call()).outcome).toBe('result');
    expect(scene.server.of('GET')).toHaveLength(1);
    expect(scene.facts('retry-scheduled')).toEqual([]);
    expect(await scene.issues()).toEqual(['HTT-03']);
  },
);

test.each([
  ['JSON', json('{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no"}}'), 'body-type'],
  ['a web page', plain(200, 'text/html', '<!doctype html><title>Docs</title>'), 'body-web-page'],
])('C066 200 and %s on GET: refused, and never asked for again', async (_name, reply, code) => {
  await using scene = await play({ GET: reply }, LISTENING);
  const item = await scene.item('stream', ({ outcome }) => outcome === 'not-offered');
  expect(item.problem).toMatchObject({ code });
  expect((await scene.call()).outcome).toBe('result');
  expect(scene.server.of('GET')).toHaveLength(1);
  expect(await scene.issues()).toContain('HTT-03');
});

describe('C068 The server still holds the stream that it dropped', () => {
  test('C068 409 for a while: backs off, goes on, and has the stream again', async () => {
    const conflict = plain(409, 'text/plain', 'Only one stream');
    await using scene = await play(
      { GET: [stream([event(log('one'))]), conflict, conflict, open] },
      LISTENING,
    );
    expect((await scene.call()).outcome).toBe('result');
    await scene.item('stream', ({ outcome }) => outcome === 'open');
    expect(delaysOf(scene)).toEqual([5, 5, 10]);
    expect(scene.server.of('GET')).toHaveLength(4);
    expect(scene.server.of('initialize')).toHaveLength(1);
    expect(scene.worker.summary(scene.id).state).toBe('connected');
    const refused = scene.items('stream').filter(({ outcome }) => outcome === 'not-offered');
    expect(refused.map(({ problem }) => problem!.message)).toEqual([
      expect.stringContaining('409'),
      expect.stringContaining('409'),
    ]);
  });

  test('C068 409 for ever: gives up after the retries of the profile, and says so', async () => {
    await using scene = await play({ GET: plain(409) }, LISTENING);
    expect(await givenUp(scene)).toHaveLength(3);
    expect((await scene.call()).outcome).toBe('result');
    expect(delaysOf(scene)).toEqual([5, 10]);
  });

  test('C068 there are never two streams of our own', async () => {
    let openNow = 0;
    let most = 0;
    const one: Reply = stream([event(log('x')), { wait: 'end' }]);
    await using scene = await play(
      {
        GET: (_request, nth) => {
          openNow += 1;
          most = Math.max(most, openNow);
          return nth < 4 ? one : open;
        },
      },
      LISTENING,
    );
    scene.server.open('end');
    for (let nth = 2; nth <= 4; nth += 1) {
      await scene.server.until(() => scene.server.of('GET').length === nth);
      openNow -= 1;
    }
    expect(most).toBeLessThanOrEqual(2);
    const streams = scene.items('stream');
    const [first, second] = [streams[0]!, streams[1]!];
    expect(second.started.monotonicTime).toBeGreaterThanOrEqual(first.ended!.monotonicTime);
  });
});

describe('C069 GET streams that open and close empty', () => {
  test('C069 are given up, with growing delays, and said so', async () => {
    await using scene = await play(
      { GET: stream([]) },
      { ...LISTENING, reconnection: { ...FAST, retries: 4 } },
    );
    expect(await givenUp(scene)).toHaveLength(5);
    expect(delaysOf(scene)).toEqual([5, 10, 20, 40]);
    const { cause } = scene.facts('connection-state')[0]!;
    expect(cause).toContain('5 attempts in a row brought nothing');
    expect(scene.rows()).toContain('Connection degraded');
    expect((await scene.call()).outcome).toBe('result');
    expect(await scene.issues()).toContain('HTT-24');
  });

  test('C069 keep asking with the same cursor, and the count is not set back by a mere 200', async () => {
    await using scene = await play(
      { GET: [stream([event(log('x'), 'e17')]), stream([])] },
      LISTENING,
    );
    await givenUp(scene);
    expect(cursorsOf(scene.server.of('GET'))).toEqual([undefined, 'e17', 'e17', 'e17']);
  });

  test('C069 with retries 0 nothing is opened again', async () => {
    await using scene = await play(
      { GET: stream([event(log('x'))]), 'tools/list': stream([PRIMED]) },
      { ...LISTENING, reconnection: { ...FAST, retries: 0 } },
    );
    await scene.item('stream', ({ outcome }) => outcome === 'closed');
    expect(await scene.call()).toMatchObject({ outcome: 'failed' });
    expect(scene.facts('retry-scheduled')).toEqual([]);
    expect(scene.server.of('GET')).toHaveLength(1);
  });
});

describe('C070 A GET that is not answered', () => {
  test.each<[string, Reply, StreamItem['outcome']]>([
    ['not at all', { ending: 'silent' }, 'pending'],
    ['with its head only', stream([], 'hang'), 'open'],
  ])('C070 %s: connecting and calling do not wait for it', async (_name, reply, outcome) => {
    await using scene = await play({ GET: reply }, LISTENING);
    expect((await scene.call()).outcome).toBe('result');
    const item = await scene.item('stream', (stream) => stream.outcome === outcome);
    expect(item.problem).toBeUndefined();
  });
});

describe('C072 Silent streams that are cut', () => {
  test.each(['complete', 'reset'] as const)(
    'C072 by the server (%s): opened again quietly',
    async (ending) => {
      await using scene = await play(
        {
          GET: [stream([': open\n\n', { wait: 'cut' }], ending), open],
          'tools/call': { ...json(result()), before: [{ wait: 'answer' }] },
        },
        LISTENING,
      );
      await scene.fact('sse-comment');
      const item = await scene.begin('tools/call');
      scene.server.open('cut');
      await scene.server.until(() => scene.server.of('GET').length === 2);
      scene.server.open('answer');
      expect((await scene.settled(item)).outcome).toBe('result');
      expect(scene.worker.summary(scene.id).state).toBe('connected');
      expect(scene.server.of('initialize')).toHaveLength(1);
      expect(scene.rows()).toContain(
        ending === 'reset' ? 'GET stream broke off' : 'GET stream closed',
      );
    },
  );

  test('C072 as often as it takes, where each has lived for a while', async () => {
    const real = performance.now.bind(performance);
    let offset = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => real() + offset);
    await using scene = await play(
      { GET: (_request, nth) => (nth < 6 ? stream([': open\n\n', { wait: `cut ${nth}` }]) : open) },
      LISTENING,
    );
    for (let nth = 1; nth < 6; nth += 1) {
      await scene.worker.until(() => scene.facts('sse-comment').length === nth);
      offset += 60_000;
      scene.server.open(`cut ${nth}`);
    }
    await scene.server.until(() => scene.server.of('GET').length === 6);
    expect(delaysOf(scene)).toEqual([5, 5, 5, 5, 5]);
    expect(scene.facts('connection-state')).toEqual([]);
  });
});

describe('C073 The network vanishes without a word', () => {
  function fakeClock() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    return { [Symbol.dispose]: () => void vi.useRealTimers() };
  }
  const comment = async (scene: Scene, nth: number) => {
    scene.server.push(': keepalive\n\n');
    await scene.worker.until(() => scene.facts('sse-comment').length === nth);
  };

  test('C073 a stream that had keep-alives is taken for dead, and opened again', async () => {
    using _clock = fakeClock();
    await using scene = await play({ GET: [stream([], 'hang'), open] }, LISTENING);
    await scene.item('stream', ({ outcome }) => outcome === 'open');
    await comment(scene, 1);
    await vi.advanceTimersByTimeAsync(15_000);
    await comment(scene, 2);
    await vi.advanceTimersByTimeAsync(44_900);
    expect(scene.server.of('GET')).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    await scene.fact('retry-scheduled');
    await vi.advanceTimersByTimeAsync(10);
    await scene.server.until(() => scene.server.of('GET').length === 2);
    const row = await scene.item('lifecycle', ({ title }) => title === 'GET stream fell silent');
    expect(row.detail).toBe('No bytes for 45 s, where the server sent a comment every 15 s.');
    expect(scene.worker.summary(scene.id).state).toBe('connected');
  });

  test('C073 whatever comes counts as a sign of life', async () => {
    using _clock = fakeClock();
    await using scene = await play({ GET: [stream([], 'hang'), open] }, LISTENING);
    await scene.item('stream', ({ outcome }) => outcome === 'open');
    await comment(scene, 1);
    await vi.advanceTimersByTimeAsync(15_000);
    await comment(scene, 2);
    await vi.advanceTimersByTimeAsync(40_000);
    scene.server.push(event(log('alive')));
    await scene.fact('sse-event');
    await vi.advanceTimersByTimeAsync(40_000);
    expect(scene.facts('http-end').filter(({ end }) => end.outcome === 'aborted')).toEqual([]);
    await vi.advanceTimersByTimeAsync(10_000);
    await scene.fact('retry-scheduled');
  });

  test('C073 a stream that had none may be silent for ever', async () => {
    using _clock = fakeClock();
    await using scene = await play({ GET: stream([event(log('one'))], 'hang') }, LISTENING);
    await scene.fact('sse-event');
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(scene.server.of('GET')).toHaveLength(1);
    expect((await scene.call()).outcome).toBe('result');
    expect(scene.facts('http-end').filter(({ end }) => end.outcome === 'aborted')).toEqual([]);
  });
});

test('C074 Last-Event-ID goes on the GET that resumes, with session and revision, and on no POST', async () => {
  await using scene = await play({ 'tools/list': stream([PRIMED]), GET: stream([event(RESULT)]) });
  const item = await scene.call();
  expect(item.outcome).toBe('result');
  const [get] = scene.server.of('GET');
  expect(cursorsOf([get!])).toEqual(['s1-0']);
  expect(header(get!, 'mcp-session-id')).toBe(sessionId(1));
  expect(header(get!, 'mcp-protocol-version')).toBe('2025-11-25');
  expect(header(get!, 'accept')).toBe('text/event-stream');
  expect(cursorsOf(scene.server.of('POST')).filter(Boolean)).toEqual([]);
  const [resumed] = scene.items('stream');
  expect(resumed!.parent).toBe(item.key);
  const request = scene.facts('http-request').find(({ httpId }) => httpId === resumed!.httpId)!;
  expect(request.links).toEqual({
    lastEventId: 's1-0',
    causedBy: item.httpId,
    attempt: 1,
    reason: 'resume',
  });
});

test('C074 The cursor goes on where a resumed stream brings no new one', async () => {
  await using scene = await play({
    'tools/list': stream([PRIMED]),
    GET: [stream([event(log('a'))]), stream([event(RESULT, 's1-1')])],
  });
  expect((await scene.call()).outcome).toBe('result');
  expect(cursorsOf(scene.server.of('GET'))).toEqual(['s1-0', 's1-0']);
});

describe('C076 A server that cannot resume', () => {
  test.each([404, 400])(
    'C076 %s: the call fails, and the session is left alone',
    async (status) => {
      await using scene = await play({ 'tools/call': stream([PRIMED]), GET: plain(status) });
      const item = await scene.call('tools/call');
      expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'stream-no-response' } });
      expect(item.problem!.detail).toContain(String(status));
      expect(scene.server.of('GET')).toHaveLength(1);
      expect((await scene.call()).outcome).toBe('result');
      expect(scene.server.of('initialize')).toHaveLength(1);
      expect(await scene.issues()).toContain('HTT-26');
    },
  );

  test('C076 a stream that brings what is new only: the deadline ends it', async () => {
    await using scene = await play(
      { 'tools/call': stream([PRIMED]), GET: stream([event(log('live'))], 'hang') },
      { idleTimeoutMs: 80 },
    );
    const item = await scene.call('tools/call');
    expect(item).toMatchObject({ outcome: 'failed' });
    expect(scene.facts('deadline-fired')).toHaveLength(1);
    await scene.server.until(() => scene.server.of('GET')[0]?.isAbandoned);
  });

  test('C076 a stream that replays all from the start: each event counts once', async () => {
    const [a, b] = [event(log('a'), 'e1'), event(log('b'), 'e2')];
    await using scene = await play({
      'tools/call': stream([a, b]),
      GET: stream([a, b, event(RESULT, 'e3')]),
    });
    expect((await scene.call('tools/call')).outcome).toBe('result');
    const seen = scene.items('notification').filter(({ direction }) => direction === 'incoming');
    expect(seen.map(({ summary }) => summary)).toEqual(['info: a', 'info: b']);
    expect(scene.items('stray').map(({ what }) => what)).toEqual(['duplicate', 'duplicate']);
  });

  test('C076 200 and the end, again and again: the call fails, and says what was tried', async () => {
    await using scene = await play({ 'tools/call': stream([PRIMED]), GET: stream([]) });
    const item = await scene.call('tools/call');
    expect(item).toMatchObject({ outcome: 'failed', problem: { code: 'stream-no-response' } });
    expect(cursorsOf(scene.server.of('GET'))).toEqual(['s1-0', 's1-0', 's1-0']);
  });
});

test('C076 A resumed stream that brings what belongs to others: only ids count there', async () => {
  const other = '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}';
  const nobody = '{"jsonrpc":"2.0","id":99,"result":{}}';
  const own = '{"jsonrpc":"2.0","id":2,"result":{"content":[]}}';
  await using scene = await play({
    'tools/list': stream([': wait\n\n'], 'hang'),
    'tools/call': stream([PRIMED]),
    GET: stream([event(nobody), event(other), { wait: 'seen' }, event(own)]),
  });
  const list = await scene.begin('tools/list');
  const call = await scene.begin('tools/call');
  await scene.worker.until(() => list.outcome === 'result');
  expect(scene.text(list.response)).toBe(other);
  expect(await scene.isWaitedFor(list)).toBe(false);
  expect(call.response).toBeUndefined();
  scene.server.open('seen');
  expect((await scene.settled(call)).outcome).toBe('result');
  expect(scene.text(call.response)).toBe(own);
  expect(scene.items('stray').map(({ what }) => what)).toEqual(['response']);
  expect(await scene.issues()).toEqual(['HTT-04', 'HTT-06', 'RPC-04']);
});

test('C077 An event that comes again is recorded, and not acted on', async () => {
  const ask = '{"jsonrpc":"2.0","id":"q1","method":"roots/list"}';
  const [a, b, c] = [event(log('a'), 'a'), event(ask, 'b'), event(log('c'), 'c')];
  await using scene = await play({
    'tools/call': stream([a, b, c]),
    GET: stream([b, c, event(RESULT, 'd')]),
  });
  expect((await scene.call('tools/call')).outcome).toBe('result');
  const answers = scene.server.requests.filter(({ body }) => body.includes('"id":"q1"'));
  expect(answers).toHaveLength(1);
  const duplicates = scene.items('stray').filter(({ what }) => what === 'duplicate');
  expect(duplicates.map(({ problem }) => problem.message)).toEqual([
    expect.stringContaining('event b came before'),
    expect.stringContaining('event c came before'),
  ]);
  expect(scene.items('request').filter(({ method }) => method === 'roots/list')).toHaveLength(1);
  expect(await scene.issues()).toContain('HTT-20');
});

describe('C078 After the user has disconnected', () => {
  test.each([
    ['during the delay', stream([event(log('x'))])],
    ['while the server asks to wait', stream(['retry: 5000\n', event(log('x'))])],
  ])('C078 %s: nothing is sent any more, and no timer is left', async (_name, reply) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await using scene = await play({ GET: reply }, LISTENING);
      await scene.fact('retry-scheduled');
      await scene.disconnect(false);
      const { length } = scene.server.requests;
      await vi.advanceTimersByTimeAsync(600_000);
      expect(scene.server.requests).toHaveLength(length);
      expect(scene.worker.summary(scene.id).state).toBe('closed');
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('C078 with a call and its resumption under way: all of it ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await using scene = await play({ 'tools/call': stream([PRIMED]), GET: { ending: 'silent' } });
      const item = await scene.begin('tools/call');
      await scene.fact('retry-scheduled');
      await vi.advanceTimersByTimeAsync(10);
      await scene.server.until(() => scene.server.of('GET').length === 1);
      await scene.disconnect(false);
      await scene.server.until(() => scene.server.of('GET')[0]?.isAbandoned);
      expect((await scene.settled(item)).outcome).not.toBe('pending');
      await vi.advanceTimersByTimeAsync(600_000);
      expect(vi.getTimerCount()).toBe(0);
      expect(scene.server.of('notifications/cancelled')).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });
});

test('C081 204 on GET: stopped without an error', async () => {
  await using scene = await play({ GET: { status: 204 } }, LISTENING);
  const item = await scene.item('stream', ({ outcome }) => outcome === 'not-offered');
  expect(item.problem!.advice).toContain('asks not to open this stream again');
  expect((await scene.call()).outcome).toBe('result');
  expect(scene.server.of('GET')).toHaveLength(1);
});

test('C082 The same response on POST and on GET: the first counts, the second is an issue', async () => {
  const twice: Reply = { ...json(result()), body: [result(), { push: event(result()) }] };
  await using scene = await play({ GET: open, 'tools/list': twice }, LISTENING);
  await scene.fact('sse-comment');
  const item = await scene.call();
  expect(item).toMatchObject({ outcome: 'result' });
  const stray = await scene.item('stray');
  expect(stray).toMatchObject({ what: 'response' });
  expect((await scene.call('ping')).outcome).toBe('result');
  expect(scene.worker.summary(scene.id).state).toBe('connected');
  expect(await scene.issues()).toContain('HTT-04');
});

describe('A session that exists already', () => {
  test('is gone on with: no handshake, its id and revision on everything, its stream from the cursor', async () => {
    const attach = { session: 'kept-session-77aa', revision: '2025-06-18', lastEventId: 'e5' };
    await using scene = await play({ GET: open }, { ...LISTENING, attach });
    await scene.fact('sse-comment');
    expect((await scene.call()).outcome).toBe('result');
    expect(scene.server.of('initialize')).toEqual([]);
    for (const request of scene.server.requests) {
      expect(header(request, 'mcp-session-id')).toBe('kept-session-77aa');
      expect(header(request, 'mcp-protocol-version')).toBe('2025-06-18');
    }
    expect(cursorsOf(scene.server.of('GET'))).toEqual(['e5']);
    expect(scene.facts('session-assigned')).toMatchObject([{ by: 'user' }]);
  });

  test('that the server has forgotten: the connection fails, and says so', async () => {
    const attach = { session: 'kept-session-77aa', revision: '2025-06-18' };
    await using scene = await play({ ping: plain(404) }, { attach, state: 'failed' });
    expect(scene.worker.summary(scene.id).problem).toMatchObject({ code: 'http-session-ended' });
  });
});
