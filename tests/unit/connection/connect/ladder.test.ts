import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { climb, DISCOVERED, refuse, shakeHands, shakeHandsOnStream } from './climber.ts';
import type { ScriptedCall } from '../../../support/scripted-door.ts';

const JSON_TYPE = 'application/json';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a modern server', () => {
  test('is known by one exchange, which is the evidence', async () => {
    const climber = await climb();
    (await climber.network.next('server/discover')).result(DISCOVERED);
    await climber.opened;
    expect(climber.connection.summary).toMatchObject({
      state: 'connected',
      era: 'modern',
      transport: 'streamable-http',
      revision: '2026-07-28',
      serverName: 'modern',
      serverVersion: '2.0.0',
    });
    expect(climber.sent()).toEqual(['server/discover']);
    expect(await climber.rungs()).toEqual(['modern chosen']);
    expect(await climber.facts('connection-chosen')).toMatchObject([
      { era: 'modern', transport: 'streamable-http', evidence: ['h1'] },
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is asked with the envelope, and no session or handshake', async () => {
    const climber = await climb();
    const call = await climber.network.next('server/discover');
    expect(call.header('MCP-Protocol-Version')).toBe('2026-07-28');
    expect(call.header('Mcp-Method')).toBe('server/discover');
    expect(call.message.params).toEqual({
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': expect.objectContaining({ name: 'wirescope' }),
        'io.modelcontextprotocol/clientCapabilities': expect.objectContaining({ sampling: {} }),
      },
    });
  });

  test.each([
    [-32020, 'headers', undefined],
    [-32022, 'version', { supported: ['2026-07-28'] }],
    [-32021, 'capability', { requiredCapabilities: { extensions: { 'com.example/x': {} } } }],
  ] as const)('that answers %s is asked once more, for the %s', async (code, reason, data) => {
    const climber = await climb();
    refuse(await climber.network.next('server/discover'), 400, code, data);
    const again = await climber.network.next('server/discover');
    again.result(DISCOVERED);
    await climber.opened;
    expect(climber.connection.summary.era).toBe('modern');
    const requests = await climber.facts('http-request');
    expect(requests.map(({ links }) => links)).toEqual([{}, { retryOf: 'h1', attempt: 2, reason }]);
    expect(await climber.facts('rung-judged')).toMatchObject([{ evidence: ['h1', 'h2'] }]);
    if (code !== -32021) return;
    const declared = { extensions: { 'com.example/x': {} } };
    const meta = again.message.params!['_meta'] as Record<string, object>;
    expect(meta['io.modelcontextprotocol/clientCapabilities']).toMatchObject(declared);
    // From now on, not only for the probe.
    void climber.connection.send({ method: 'tools/list', paramsText: undefined }, {});
    const list = await climber.network.next('tools/list');
    expect(JSON.stringify(list.message.params)).toContain('com.example/x');
  });

  test.each([
    [-32020, undefined, 'rpc-error'],
    [-32021, undefined, 'rpc-error'],
    [-32022, { supported: ['2026-07-28', '2025-11-25'] }, 'protocol-version'],
  ] as const)('that answers %s twice ends the attempt', async (code, data, problem) => {
    const climber = await climb();
    refuse(await climber.network.next('server/discover'), 400, code, data);
    refuse(await climber.network.next('server/discover'), 400, code, data);
    await climber.opened;
    expect(climber.connection.summary).toMatchObject({
      state: 'failed',
      problem: { code: problem },
    });
    expect(climber.sent()).toEqual(['server/discover', 'server/discover']);
    expect(await climber.rungs()).toEqual(['modern failed']);
  });
});

describe('a legacy server', () => {
  test.each([
    [
      '404 and a text',
      (call: ScriptedCall) => call.answer(404, 'text/plain', 'Invalid session ID'),
    ],
    ['400 and -32000', (call: ScriptedCall) => refuse(call, 400, -32000)],
    ['200 and -32601', (call: ScriptedCall) => refuse(call, 200, -32601)],
    ['204', (call: ScriptedCall) => call.answer(204)],
    ['200 and nothing', (call: ScriptedCall) => call.answer(200, JSON_TYPE)],
  ])(
    'that answers the probe with %s gets a handshake as if nothing had been',
    async (_, answer) => {
      const climber = await climb();
      answer(await climber.network.next('server/discover'));
      const initialize = await shakeHands(climber);
      await climber.opened;
      expect(initialize.message.params).toMatchObject({ protocolVersion: '2025-11-25' });
      for (const name of ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Session-Id']) {
        expect(initialize.header(name)).toBeUndefined();
      }
      expect(JSON.stringify(initialize.message.params)).not.toContain('io.modelcontextprotocol/');
      expect(await climber.rungs()).toEqual(['modern not-this', 'streamable-http chosen']);
      expect(climber.connection.summary).toMatchObject({ era: 'legacy', revision: '2025-11-25' });
    },
  );

  test('that lists its revisions is offered the newest of them', async () => {
    const climber = await climb();
    const supported = ['2025-03-26', '2025-06-18'];
    refuse(await climber.network.next('server/discover'), 400, -32022, { supported });
    const initialize = await shakeHands(climber);
    expect(initialize.message.params).toMatchObject({ protocolVersion: '2025-06-18' });
    await climber.opened;
  });

  test('is offered what the profile says all the same', async () => {
    const climber = await climb({ offerRevision: '2024-11-05' });
    refuse(await climber.network.next('server/discover'), 400, -32022, {
      supported: ['2025-06-18'],
    });
    const initialize = await shakeHands(climber);
    expect(initialize.message.params).toMatchObject({ protocolVersion: '2024-11-05' });
    await climber.opened;
  });

  test.each([400, 404, 405])(
    'of HTTP+SSE answers `initialize` with %s, and a GET',
    async (status) => {
      const climber = await climb();
      (await climber.network.next('server/discover')).answer(status);
      (await climber.network.next('initialize')).answer(status);
      await shakeHandsOnStream(climber);
      await climber.opened;
      expect(await climber.rungs()).toEqual([
        'modern not-this',
        'streamable-http not-this',
        'http-sse chosen',
      ]);
      expect(climber.connection.summary).toMatchObject({ transport: 'http-sse', era: 'legacy' });
    },
  );

  test.each([
    [401, 'http-unauthorized'],
    [403, 'http-forbidden'],
    [406, 'http-status'],
    [415, 'http-status'],
    [429, 'http-status'],
    [500, 'http-status'],
  ])('that answers `initialize` with %s is not asked for a stream', async (status, code) => {
    const climber = await climb();
    (await climber.network.next('server/discover')).answer(404);
    (await climber.network.next('initialize')).answer(status);
    await climber.opened;
    expect(climber.connection.summary).toMatchObject({ state: 'failed', problem: { code } });
    expect(climber.sent()).toEqual(['server/discover', 'initialize']);
    expect(await climber.rungs()).toEqual(['modern not-this', 'streamable-http failed']);
  });
});

describe('no verdict', () => {
  test('401 ends the attempt: nothing is tried without authorization', async () => {
    const climber = await climb();
    const probe = await climber.network.next('server/discover');
    probe.answer(401, JSON_TYPE, '{}', { 'WWW-Authenticate': 'Bearer realm="mcp"' });
    await climber.opened;
    expect(climber.connection.summary).toMatchObject({ problem: { code: 'http-unauthorized' } });
    expect(climber.sent()).toEqual(['server/discover']);
    expect(await climber.rungs()).toEqual(['modern failed']);
  });

  test('a 5xx: `initialize` is tried once, and the card says what was not proven', async () => {
    const climber = await climb();
    (await climber.network.next('server/discover')).answer(500);
    await shakeHands(climber);
    await climber.opened;
    expect(await climber.rungs()).toEqual(['modern undecided', 'streamable-http chosen']);
    expect((await climber.facts('rung-judged'))[0]!.reason).toBe(
      'era unproven: probe answered 500',
    );
  });

  test('a 5xx that stays: the first error is the one, the second stands below', async () => {
    const climber = await climb();
    (await climber.network.next('server/discover')).answer(503, 'text/plain', 'first');
    (await climber.network.next('initialize')).answer(502, 'text/plain', 'second');
    await climber.opened;
    const { problem } = climber.connection.summary;
    expect(problem).toMatchObject({ code: 'http-status', answer: { status: 503 } });
    expect(problem!.detail).toMatch(/Then `initialize`: .*502/);
  });

  test('silence for 10 s, then a handshake', async () => {
    const climber = await climb();
    const probe = await climber.network.next('server/discover');
    await vi.advanceTimersByTimeAsync(9999);
    expect(climber.sent()).toEqual(['server/discover']);
    await vi.advanceTimersByTimeAsync(1);
    expect(probe.call.signal.aborted).toBe(true);
    await shakeHands(climber);
    await climber.opened;
    expect(await climber.rungs()).toEqual(['modern undecided', 'streamable-http chosen']);
    // Nothing tells a legacy server that the probe was given up.
    expect(climber.sent()).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
  });

  test('no network: no other rung can help', async () => {
    const climber = await climb();
    const problem = { code: 'network-refused', message: 'nobody there' } as const;
    (await climber.network.next('server/discover')).fail(problem);
    await climber.opened;
    expect(climber.connection.summary).toMatchObject({ state: 'failed', problem });
    expect(climber.sent()).toEqual(['server/discover']);
    expect(await climber.rungs()).toEqual(['modern failed']);
  });
});

describe('a server that refuses the handshake as only a modern one does', () => {
  const supported = { supported: ['2026-07-28'] };

  test('is asked again for its era, once', async () => {
    const climber = await climb();
    await vi.advanceTimersByTimeAsync(10_000);
    refuse(await climber.network.next('initialize'), 400, -32022, supported);
    await climber.network.next('server/discover');
    (await climber.network.next('server/discover')).result(DISCOVERED);
    await climber.opened;
    expect(climber.connection.summary).toMatchObject({ state: 'connected', era: 'modern' });
    expect(await climber.rungs()).toEqual([
      'modern undecided',
      'streamable-http failed',
      'modern chosen',
    ]);
  });

  test('and is none after all ends the attempt, without a third change', async () => {
    const climber = await climb();
    (await climber.network.next('server/discover')).answer(404);
    refuse(await climber.network.next('initialize'), 400, -32022, supported);
    (await climber.network.next('server/discover')).answer(404);
    await climber.opened;
    expect(climber.connection.summary.state).toBe('failed');
    expect(climber.sent()).toEqual(['server/discover', 'initialize', 'server/discover']);
  });
});

describe('a rung that is forced', () => {
  test('modern: a legacy answer is the end, and is explained', async () => {
    const climber = await climb({ transport: 'modern' });
    (await climber.network.next('server/discover')).answer(404);
    await climber.opened;
    expect(climber.connection.summary).toMatchObject({
      state: 'failed',
      problem: { code: 'protocol-version', message: expect.stringContaining('404') },
    });
    expect(climber.sent()).toEqual(['server/discover']);
  });

  test('Streamable HTTP: no probe, and no fallback', async () => {
    const climber = await climb({ transport: 'streamable-http' });
    (await climber.network.next('initialize')).answer(405);
    await climber.opened;
    expect(climber.sent()).toEqual(['initialize']);
    expect(await climber.rungs()).toEqual(['streamable-http not-this']);
  });

  test('HTTP+SSE: only its stream', async () => {
    const climber = await climb({ transport: 'http-sse' });
    await shakeHandsOnStream(climber);
    await climber.opened;
    expect(await climber.rungs()).toEqual(['http-sse chosen']);
  });
});

test('the user closes while a rung is tried: no other one is', async () => {
  const climber = await climb();
  const probe = await climber.network.next('server/discover');
  await climber.connection.close('user', true);
  await climber.opened;
  expect(probe.call.signal.aborted).toBe(true);
  expect(climber.connection.summary.state).toBe('closed');
  expect(climber.sent()).toEqual(['server/discover']);
  expect(await climber.facts('connection-failed')).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a server that speaks none of them: the first error, with all others below', async () => {
  const climber = await climb();
  (await climber.network.next('server/discover')).answer(404, 'text/plain', 'nothing here');
  (await climber.network.next('initialize')).answer(404, 'text/plain', 'nothing here');
  (await climber.network.next('GET')).answer(405);
  await climber.opened;
  const { problem } = climber.connection.summary;
  expect(problem).toMatchObject({ code: 'http-not-found', answer: { status: 404 } });
  expect(problem!.detail).toMatch(/Then HTTP\+SSE: .*405/);
  expect(await climber.rungs()).toEqual([
    'modern not-this',
    'streamable-http not-this',
    'http-sse not-this',
  ]);
  expect(vi.getTimerCount()).toBe(0);
});
