import { describe, expect, test, vi } from 'vitest';
import type { RequestItem } from '../../../lib/capture/correlate/items.ts';
import { startScripted, type Reply, type Script } from '../../server/scripted.ts';
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
import { header, type RawRequest } from '../../server/scripted-http.ts';
import { play, type PlayOptions, type Scene } from './play.ts';

const AUTO: PlayOptions = { transport: 'auto' };
const META = '"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"scripted","version":"1"}}';
const DISCOVERED = json(
  result(
    `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private",${META}}`,
  ),
);
/** A modern server that is good at all but what a script says. */
const MODERN: Script = { 'server/discover': DISCOVERED };

function complete(members = '"content":[]'): string {
  return result(`{"resultType":"complete",${members},${META}}`);
}

function failing(code: number, data?: string, id = '$id'): string {
  const given = data === undefined ? '' : `,"data":${data}`;
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":"refused as ${code}"${given}}}`;
}

/** `rung verdict` of every rung that was judged. */
function rungs(scene: Scene): string[] {
  return scene.facts('rung-judged').map(({ rung, verdict }) => `${rung} ${verdict}`);
}

function reasons(scene: Scene): string[] {
  return scene.facts('rung-judged').map(({ reason }) => reason);
}

/** JSON-RPC or HTTP methods of all that the server got. */
function sent(scene: Scene): string[] {
  return scene.server.requests.map(
    ({ method, message }) => (message.method as string | undefined) ?? method,
  );
}

function summary({ worker, id }: Scene) {
  return worker.summary(id);
}

function expectLegacy(scene: Scene): void {
  expect(summary(scene)).toMatchObject({ era: 'legacy', revision: '2025-11-25' });
  expect(rungs(scene)).toEqual(['modern not-this', 'streamable-http chosen']);
  expect(sent(scene)).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
  const [probe, initialize] = scene.server.requests;
  expect(scene.facts('rung-judged').map(({ evidence }) => evidence)).toEqual([
    [httpIdOf(scene, probe!)],
    [httpIdOf(scene, initialize!)],
  ]);
  // Never a modern header on legacy traffic: some servers decide by it.
  expect(header(initialize!, 'mcp-protocol-version')).toBeUndefined();
  expect(header(initialize!, 'mcp-method')).toBeUndefined();
}

function httpIdOf(scene: Scene, { message }: RawRequest): string | undefined {
  return scene.items('request').find(({ rpcId }) => rpcId === JSON.stringify(message.id))?.httpId;
}

function stateIn(text: string | undefined): string | undefined {
  return /"requestState":("(?:[^"\\]|\\.)*")/.exec(text ?? '')?.[1];
}

test('C178 404 “Invalid session ID” to the probe: legacy, and no session that ended', async () => {
  await using scene = await play(
    { 'server/discover': plain(404, 'text/plain', 'Invalid session ID') },
    AUTO,
  );
  expectLegacy(scene);
  expect(reasons(scene)[0]).toContain('404');
  expect(scene.rows()).toContain('Modern era: not spoken here');
  expect(scene.facts('session-ended')).toEqual([]);
  expect(scene.items('request')[0]!.problem!.code).not.toBe('http-session-ended');
  expect((await scene.call()).outcome).toBe('result');
});

describe('C179 What counts as an answer of the modern era', () => {
  test.each(
    [-32601, -32600, -32602, -32000].flatMap((code) =>
      [200, 400, 404].map((status): [number, number] => [code, status]),
    ),
  )('C179 %s with status %s: legacy, for the reason that it gives', async (code, status) => {
    await using scene = await play({ 'server/discover': json(failing(code), status) }, AUTO);
    expectLegacy(scene);
    expect(reasons(scene)[0]).toContain(`refused as ${code}`);
  });

  test.each([-32020, -32021])(
    'C179 %s is a modern error: corrected and repeated once, never answered with a fallback',
    async (code) => {
      const data = code === -32021 ? '{"requiredCapabilities":{"roots":{}}}' : undefined;
      await using scene = await play(
        { 'server/discover': [json(failing(code, data), 400), DISCOVERED] },
        AUTO,
      );
      expect(summary(scene).era).toBe('modern');
      expect(sent(scene)).toEqual(['server/discover', 'server/discover']);
    },
  );

  test.each([-32020, -32021])(
    'C179 %s that stays is shown, and legacy can be forced',
    async (code) => {
      await using scene = await play(
        { 'server/discover': json(failing(code), 400) },
        { ...AUTO, state: 'failed' },
      );
      expect(summary(scene).problem!.message).toContain('speaks the modern era, but refuses');
      expect(sent(scene)).toEqual(['server/discover', 'server/discover']);
      const id = await scene.worker.connect(scene.server.url(), {
        transport: 'streamable-http',
        openStream: false,
      });
      expect(await scene.worker.state(id, 'connected')).toMatchObject({ era: 'legacy' });
    },
  );

  test('C179 5xx is evidence of nothing, whatever its body says', async () => {
    await using scene = await play({ 'server/discover': json(failing(-32601), 500) }, AUTO);
    expect(rungs(scene)).toEqual(['modern undecided', 'streamable-http chosen']);
    expect(reasons(scene)[0]).toBe('era unproven: probe answered 500');
    expect(scene.rows()).toContain('Modern era: undecided');
  });

  test('C179 5xx twice: the first one is the error, the second stands below it', async () => {
    await using scene = await play(
      { POST: [plain(503, 'text/plain', 'first'), plain(502, 'text/plain', 'second')] },
      { ...AUTO, state: 'failed' },
    );
    expect(summary(scene).problem).toMatchObject({
      answer: { status: 503 },
      detail: expect.stringMatching(/Then `initialize`: .*502/),
    });
    expect(scene.server.of('GET')).toEqual([]);
  });
});

describe('C180 A probe that is swallowed', () => {
  test.each<[string, Reply]>([
    ['200 and nothing', plain(200)],
    ['204', { status: 204 }],
    ['202', plain(202)],
    ['200 text/plain', plain(200, 'text/plain', 'ok')],
    ['200 and an empty stream', stream([])],
    ['200 and an object that is no response', json('{"ok":true}')],
    ['200 and a result without versions', json(result('{}'))],
  ])('C180 %s: legacy', async (_name, reply) => {
    await using scene = await play({ 'server/discover': reply }, AUTO);
    expectLegacy(scene);
  });

  test('C180 C185 a probe that never got through is no verdict of either era', async () => {
    await using scene = await play(
      { 'server/discover': { ending: 'reset', head: '' } },
      { ...AUTO, state: 'failed' },
    );
    expect(summary(scene).problem!.code).toMatch(/^network-/);
    expect(rungs(scene)).toEqual(['modern failed']);
    expect(sent(scene)).not.toContain('initialize');
  });
});

describe('C181 401 or 403 to the probe', () => {
  const challenge = { 'WWW-Authenticate': 'Bearer realm="mcp"' };
  const asksForToken: Script = {
    'server/discover': (request) =>
      header(request, 'authorization') === undefined
        ? { ...json('{}', 401, challenge) }
        : DISCOVERED,
  };

  test('C181 401: a matter of authorization, not of the era; with a token the probe is sent again', async () => {
    await using scene = await play(asksForToken, { ...AUTO, state: 'failed' });
    const { problem } = summary(scene);
    expect(problem).toMatchObject({ code: 'http-unauthorized' });
    expect(problem!.message).toContain('401');
    expect(sent(scene)).toEqual(['server/discover']);
    expect(reasons(scene)[0]).toContain('authorization');
    const headers = [{ name: 'Authorization', value: 'Bearer t', secret: true }];
    const id = await scene.worker.connect(scene.server.url(), { transport: 'auto', headers });
    expect(await scene.worker.state(id, 'connected')).toMatchObject({ era: 'modern' });
  });

  test('C181 403: the end, with what the server says; legacy can be forced', async () => {
    await using scene = await play(
      { 'server/discover': json(failing(-32000, '"unknown methods are forbidden"'), 403) },
      { ...AUTO, state: 'failed' },
    );
    const { problem } = summary(scene);
    expect(problem).toMatchObject({ code: 'http-forbidden' });
    expect(JSON.stringify(problem)).toContain('refused as -32000');
    expect(sent(scene)).toEqual(['server/discover']);
    const id = await scene.worker.connect(scene.server.url(), {
      transport: 'streamable-http',
      openStream: false,
    });
    expect(await scene.worker.state(id, 'connected')).toMatchObject({ era: 'legacy' });
  });
});

test('C182 An error with the id null answers the probe, on whose exchange it came', async () => {
  await using scene = await play(
    { 'server/discover': json(failing(-32600, undefined, 'null')) },
    AUTO,
  );
  expectLegacy(scene);
  expect(reasons(scene)[0]).toContain('refused as -32600');
  expect(scene.items('request')[0]).toMatchObject({ method: 'server/discover', outcome: 'error' });
});

describe('C183 A probe without answer', () => {
  async function inTime(script: Script, act: (scene: Scene) => Promise<void>): Promise<void> {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await using scene = await play(script, { ...AUTO, state: 'connecting' });
      await scene.server.until(() => scene.server.of('server/discover').length === 1);
      await scene.fact('deadline-started');
      await vi.advanceTimersByTimeAsync(9999);
      expect(sent(scene)).toEqual(['server/discover']);
      await vi.advanceTimersByTimeAsync(1);
      await act(scene);
    } finally {
      vi.useRealTimers();
    }
  }

  test('C183 for 10 s: no verdict, and a handshake; what comes late meets nobody', async () => {
    const late: Reply = { before: [{ wait: 'late' }], ...DISCOVERED };
    await inTime({ 'server/discover': late }, async (scene) => {
      await scene.worker.state(scene.id, 'connected');
      scene.server.open('late');
      await scene.server.until(() => scene.server.of('server/discover')[0]!.isAbandoned);
      expect(rungs(scene)).toEqual(['modern undecided', 'streamable-http chosen']);
      expect(reasons(scene)[0]).toContain('no answer');
      expect(summary(scene).era).toBe('legacy');
      expect(scene.items('request')[0]).toMatchObject({
        outcome: 'failed',
        problem: { code: 'deadline' },
      });
      expect(scene.items('stray')).toEqual([]);
    });
  });

  test('C183 and a handshake that is refused as modern: one change back, which shows', async () => {
    const supported = '{"supported":["2026-07-28"],"requested":"2025-11-25"}';
    await inTime(
      {
        'server/discover': [{ ending: 'silent' }, DISCOVERED],
        initialize: json(failing(-32022, supported), 400),
      },
      async (scene) => {
        await scene.worker.state(scene.id, 'connected');
        expect(sent(scene)).toEqual(['server/discover', 'initialize', 'server/discover']);
        expect(rungs(scene)).toEqual([
          'modern undecided',
          'streamable-http failed',
          'modern chosen',
        ]);
        expect(summary(scene).era).toBe('modern');
      },
    );
  });
});

describe('C184 404 and -32601', () => {
  test('C184 of a modern server: an unknown method, and nothing else is wrong', async () => {
    await using scene = await play(
      {
        ...MODERN,
        'weird/method': json(failing(-32601), 404),
        'tools/list': json(complete('"tools":[],"ttlMs":0,"cacheScope":"private"')),
      },
      AUTO,
    );
    const item = await scene.call('weird/method');
    expect(item).toMatchObject({ outcome: 'error' });
    expect(summary(scene)).toMatchObject({ state: 'connected', era: 'modern' });
    expect((await scene.call()).outcome).toBe('result');
    expect(sent(scene)).toEqual(['server/discover', 'weird/method', 'tools/list']);
    expect(scene.facts('session-ended')).toEqual([]);
    expect(await scene.issues()).toEqual([]);
  });

  test('C184 of a legacy server that knows the session no more: a new one, in the same era', async () => {
    await using scene = await play(
      {
        'server/discover': json(failing(-32601), 404),
        'tools/call': [json(failing(-32601), 404), undefined],
      },
      AUTO,
    );
    expect(await scene.call('tools/call')).toMatchObject({
      problem: { code: 'http-session-ended' },
    });
    await scene.worker.until(() => scene.facts('connection-chosen').length === 2);
    expect(scene.facts('connection-chosen').map(({ era }) => era)).toEqual(['legacy', 'legacy']);
    expect(scene.server.of('server/discover')).toHaveLength(1);
    expect(scene.server.of('initialize')).toHaveLength(2);
  });
});

test('C185 No preflight is needed: a server that knows the old headers only is found to be legacy', async () => {
  await using scene = await play({ OPTIONS: plain(403), 'server/discover': plain(400) }, AUTO);
  expectLegacy(scene);
  const [probe] = scene.server.of('server/discover');
  expect(header(probe!, 'mcp-method')).toBe('server/discover');
  expect(scene.server.of('OPTIONS')).toEqual([]);
});

describe('C186 -32022, and what stands in its list', () => {
  const refused = (data?: string): Reply => json(failing(-32022, data), 400);
  const both = '{"supported":["2026-07-28","2025-11-25"],"requested":"2027-01-01"}';

  test('C186 a revision of ours: one repeat, linked to the first', async () => {
    await using scene = await play({ 'server/discover': [refused(both), DISCOVERED] }, AUTO);
    expect(summary(scene)).toMatchObject({ era: 'modern', revision: '2026-07-28' });
    const [first, second] = scene.items('request');
    expect(scene.worker.correlation.https.get(second!.httpId!)!.request.links).toEqual({
      retryOf: first!.httpId,
      attempt: 2,
      reason: 'version',
    });
    expect(scene.facts('rung-judged')).toMatchObject([
      { verdict: 'chosen', evidence: [first!.httpId, second!.httpId] },
    ]);
  });

  test('C186 refused again although listed: the end, with its list', async () => {
    await using scene = await play(
      { 'server/discover': refused(both) },
      { ...AUTO, state: 'failed' },
    );
    expect(scene.server.of('server/discover')).toHaveLength(2);
    expect(summary(scene).problem).toMatchObject({
      code: 'protocol-version',
      message: expect.stringContaining('although it lists it'),
      advice: expect.stringContaining('2026-07-28, 2025-11-25'),
    });
    expect(sent(scene)).not.toContain('initialize');
  });

  test('C186 legacy revisions only: a handshake with the newest of them', async () => {
    await using scene = await play(
      {
        'server/discover': refused(
          '{"supported":["2025-06-18","2025-03-26"],"requested":"2026-07-28"}',
        ),
      },
      { ...AUTO, revision: '2025-06-18' },
    );
    const [initialize] = scene.server.of('initialize');
    expect(initialize!.message.params).toMatchObject({ protocolVersion: '2025-06-18' });
    expect(summary(scene)).toMatchObject({ era: 'legacy', revision: '2025-06-18' });
    expect(reasons(scene)[0]).toContain('2025-06-18, 2025-03-26');
  });

  test('C186 only what we do not know: the end, with both lists', async () => {
    await using scene = await play(
      {
        'server/discover': refused(
          '{"supported":["2027-01-01","2028-01-01"],"requested":"2026-07-28"}',
        ),
      },
      { ...AUTO, state: 'failed' },
    );
    expect(summary(scene).problem).toMatchObject({
      code: 'protocol-version',
      message: expect.stringContaining('2027-01-01, 2028-01-01'),
      advice: expect.stringContaining('2026-07-28, 2025-11-25'),
    });
    expect(sent(scene)).toEqual(['server/discover']);
  });

  test.each([
    ['no list', '{}'],
    ['no data', undefined],
  ])('C186 %s: taken for legacy, and an issue', async (_name, data) => {
    await using scene = await play({ 'server/discover': refused(data) }, AUTO);
    expectLegacy(scene);
    expect(await scene.issues()).toContain('MOD-06');
  });

  test('C186 an empty list: taken for legacy', async () => {
    const data = '{"supported":[],"requested":"2026-07-28"}';
    await using scene = await play({ 'server/discover': refused(data) }, AUTO);
    expectLegacy(scene);
    expect(reasons(scene)[0]).toContain('without a list of versions');
  });
});

describe('C189 A modern call hangs on its stream', () => {
  test.each(['complete', 'close', 'reset'] as const)(
    'C189 (%s) lost with it, ids or not: nothing is resumed or repeated, only by hand, with a new id',
    async (ending) => {
      await using scene = await play(
        {
          ...MODERN,
          'tools/call': [
            stream([event(progress(1), 'cursor-1'), { wait: 'drop' }], ending),
            json(complete()),
          ],
        },
        AUTO,
      );
      const params = '{"name":"echo","_meta":{"progressToken":1}}';
      const item = await scene.begin('tools/call', params);
      await scene.fact('sse-event');
      scene.server.open('drop');
      await scene.settled(item);
      expect(item.outcome).toBe('failed');
      expect(item.problem!.advice).toContain('may have run on the server');
      expect(await scene.call('tools/call', params)).toMatchObject({ outcome: 'result' });
      expect(sent(scene)).toEqual(['server/discover', 'tools/call', 'tools/call']);
      const ids = scene.server.of('tools/call').map(({ message }) => message.id);
      expect(new Set(ids).size).toBe(2);
      for (const request of scene.server.requests) {
        expect(header(request, 'last-event-id')).toBeUndefined();
      }
      expect(scene.facts('retry-scheduled')).toEqual([]);
    },
  );

  test('C189 closing the connection closes the stream, which cancels it; no message says so', async () => {
    await using scene = await play(
      { ...MODERN, 'tools/call': stream([event(log('begun'))], 'hang') },
      AUTO,
    );
    await scene.begin('tools/call', '{"name":"echo"}');
    await scene.fact('sse-event');
    await scene.disconnect(true);
    await scene.server.until(() => scene.server.of('tools/call')[0]!.isAbandoned);
    expect(sent(scene)).toEqual(['server/discover', 'tools/call']);
  });
});

describe('C190 What a result says it is', () => {
  const answering = (members: string): Script => ({
    ...MODERN,
    'tools/call': json(result(`{${members}"content":[],${META}}`)),
  });
  const call = (scene: Scene): Promise<RequestItem> =>
    scene.call('tools/call', '{"name":"echo","arguments":{}}');

  test.each([
    ['"complete"', '"resultType":"complete",', undefined, []],
    ['nothing, which means complete', '', undefined, ['MOD-03']],
    ['“weird”, which is not valid', '"resultType":"weird",', 'weird', ['MOD-03']],
  ] as const)('C190 %s', async (_name, members, resultType, issues) => {
    await using scene = await play(answering(members), AUTO);
    const item = await call(scene);
    expect(item).toMatchObject({ outcome: 'result' });
    expect(item.resultType).toBe(resultType);
    expect(scene.server.of('tools/call')).toHaveLength(1);
    expect(await scene.issues()).toEqual(issues);
  });

  test('C190 input_required with a state of 50 kB: a form, then the same state to the letter, as one call', async () => {
    const state = `${'0123456789abcdef'.repeat(3125)}é\\u0000\\/\\"🙂\\ud83d\\ude42 `;
    const asks = `"inputRequests":{"sure":{"method":"elicitation/create","params":{"mode":"form","message":"Sure?","requestedSchema":{"type":"object","properties":{}}}}},"requestState":"${state}"`;
    await using scene = await play(
      {
        ...MODERN,
        'tools/call': [
          json(result(`{"resultType":"input_required",${asks},${META}}`)),
          json(complete()),
        ],
      },
      AUTO,
    );
    const params = '{"name":"deploy", "arguments":{"n":12345678901234567890}}';
    const first = await scene.call('tools/call', params);
    expect(first).toMatchObject({ outcome: 'result', resultType: 'input_required' });
    const [question] = await scene.worker.until(() => {
      const { questions } = summary(scene);
      return questions.length === 1 && questions;
    });
    const answer = { resultText: '{"action":"accept","content":{}}' };
    await scene.worker.manager.functions.answer(scene.id, question!.rpcId, answer);
    const second = await scene.item('request', ({ round }) => round?.first === first.key);
    await scene.settled(second);
    expect(second).toMatchObject({ outcome: 'result', round: { number: 2 } });
    expect(second.rpcId).not.toBe(first.rpcId);
    const [, body] = scene.server.of('tools/call').map((request) => request.body);
    const given = JSON.parse(`"${state}"`) as string;
    expect(JSON.parse(stateIn(body)!)).toBe(given);
    expect(given.length).toBeGreaterThan(50_000);
    // The first params, to the letter, behind what was added.
    expect(body).toContain(params.slice(1));
    expect(await scene.issues()).toEqual([]);
  });
});

describe('C097 C098 The automatic choice hides no error', () => {
  const get405: Script = { GET: plain(405) };

  test.each<[string, Reply, string]>([
    ['C097 401', plain(401), 'http-unauthorized'],
    ['C097 403', plain(403), 'http-forbidden'],
    ['C097 415', plain(415), 'http-status'],
    ['C097 500', plain(500), 'http-status'],
    ['C097 502', plain(502, 'text/html', '<h1>Bad gateway</h1>'), 'http-status'],
    ['C097 200 and a web page', plain(200, 'text/html', '<!doctype html>'), 'body-web-page'],
  ])(
    '%s to every POST: that is the error, and no stream is asked for',
    async (_name, reply, code) => {
      await using scene = await play({ POST: reply, ...get405 }, { ...AUTO, state: 'failed' });
      expect(summary(scene).problem).toMatchObject({ code });
      expect(scene.server.of('GET')).toEqual([]);
    },
  );

  test.each([
    [
      'C098 -32000 with a reason',
      json(failing(-32000, undefined, 'null'), 400),
      /refused as -32000/,
    ],
    ['C098 -32600', json(failing(-32600, undefined, 'null'), 400), /refused as -32600/],
    ['C098 400 and nothing', plain(400), /400/],
    ['C098 404 and a text', plain(404, 'text/plain', 'no such page'), /404/],
  ] as const)(
    '%s: the stream is tried, but the first error stays on top',
    async (_name, reply, words) => {
      await using scene = await play({ POST: reply, ...get405 }, { ...AUTO, state: 'failed' });
      const { problem } = summary(scene);
      expect(problem!.message).toMatch(words);
      expect(problem!.detail).toMatch(/Then HTTP\+SSE: .*405/);
      expect(sent(scene)).toEqual(['server/discover', 'initialize', 'GET']);
      expect(rungs(scene)).toEqual([
        'modern not-this',
        'streamable-http not-this',
        'http-sse not-this',
      ]);
    },
  );

  test.each([-32020, -32021, -32022])(
    'C098 %s to `initialize`: a modern error, so never HTTP+SSE',
    async (code) => {
      await using scene = await play(
        { 'server/discover': plain(404), initialize: json(failing(code), 400), ...get405 },
        { ...AUTO, state: 'failed' },
      );
      expect(scene.server.of('GET')).toEqual([]);
      expect(summary(scene).problem!.message).toContain(`refused as ${code}`);
    },
  );

  test('C097 nobody listens: named as such, at the first attempt', async () => {
    const server = await startScripted();
    const url = server.url();
    await server[Symbol.asyncDispose]();
    await using scene = await play({});
    const id = await scene.worker.connect(url, { transport: 'auto' });
    const { problem } = await scene.worker.state(id, 'failed');
    expect(problem).toMatchObject({ code: 'network-refused', detail: 'ECONNREFUSED' });
    expect(rungs(scene).at(-1)).toBe('modern failed');
  });
});

describe('C044 A POST that is answered with an `endpoint` event', () => {
  const target = '/messages?sessionId=1';
  const endpoint = stream([`event: endpoint\ndata: ${target}\n\n`], 'hang');
  const messages: Script = {
    GET: endpoint,
    [`POST ${target}`]: ({ message }) => {
      if (message.id === undefined) return accepted([]);
      const value = message.method === 'initialize' ? initializeResult() : '{"tools":[]}';
      return accepted([{ push: event(result(value)) }]);
    },
  };

  test.each<[string, Script, closed: string[]]>([
    ['to every request', {}, ['server/discover', 'initialize']],
    ['to `initialize`', { 'server/discover': plain(404) }, ['initialize']],
  ])(
    'C044 %s: closed, then a GET, and HTTP+SSE, which is a guess and says so',
    async (_name, first, closed) => {
      await using scene = await play({ ...messages, ...first, POST: endpoint }, AUTO);
      expect(summary(scene)).toMatchObject({ transport: 'http-sse', era: 'legacy' });
      expect(rungs(scene)).toEqual([
        'modern not-this',
        'streamable-http not-this',
        'http-sse chosen',
      ]);
      expect(reasons(scene)[1]).toContain('hints at HTTP+SSE');
      for (const method of closed) {
        await scene.server.until(() => scene.server.of(method)[0]!.isAbandoned);
      }
      expect((await scene.call()).outcome).toBe('result');
    },
  );
});

test('C100 A second attempt begins anew: fresh ids, no session, and late bytes of the first touch nothing', async () => {
  const half = stream([event(log('half')), { wait: 'late' }, event(complete())]);
  await using scene = await play(
    { 'server/discover': [half, plain(404)] },
    { ...AUTO, state: 'connecting' },
  );
  await scene.fact('sse-event');
  await scene.disconnect();
  await scene.server.until(() => scene.server.of('server/discover')[0]!.isAbandoned);
  const id = await scene.worker.connect(scene.server.url(), { ...AUTO, openStream: false });
  await scene.server.until(() => scene.server.of('initialize').length === 1);
  scene.server.open('late');
  await scene.worker.state(id, 'connected');
  expect(scene.server.of('server/discover').map(({ message }) => message.id)).toEqual([0, 0]);
  const [initialize] = scene.server.of('initialize');
  expect(header(initialize!, 'mcp-session-id')).toBeUndefined();
  expect(header(initialize!, 'mcp-protocol-version')).toBeUndefined();
  expect(summary(scene).state).toBe('closed');
  expect(scene.worker.summary(id).era).toBe('legacy');
  const groups = new Set(scene.items('request').map(({ connectionId }) => connectionId));
  expect(groups).toEqual(new Set([scene.id, id]));
});
