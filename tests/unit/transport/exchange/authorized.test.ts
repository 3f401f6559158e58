import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WireEvent } from '../../../../lib/capture/wire-event.ts';
import { openAuthorized } from '../../../../lib/transport/exchange/authorized.ts';
import type { Authorizer, Challenged } from '../../../../lib/transport/exchange/authorizer.ts';
import { HttpSse } from '../../../../lib/transport/http/http-sse.ts';
import type { HttpTransportOptions } from '../../../../lib/transport/http/http-options.ts';
import { ModernHttp } from '../../../../lib/transport/http/modern-http.ts';
import { StreamableHttp } from '../../../../lib/transport/http/streamable-http.ts';
import { startRecorder, type TestRecorder } from '../../../support/builders.ts';
import { createScriptedDoor, type ScriptedDoor } from '../../../support/scripted-door.ts';

const SERVER = 'https://mcp.example.com/mcp';
const CHALLENGES = {
  401: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  403: { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="more"' },
} as const;

/** Says of every answer that a repeat is due: whatever bounds the repeats, it is not this. */
function insistent(reasons: string[] = []): Authorizer & { asked: Challenged[] } {
  const asked: Challenged[] = [];
  return {
    asked,
    headers: () => [{ name: 'Authorization', value: `Bearer token-${asked.length}` }],
    challenged(answer) {
      asked.push(answer);
      const reason = reasons[asked.length - 1] ?? 'authorization';
      return Promise.resolve({ reason, authChain: 'chain' });
    },
  };
}

async function optionsFor(
  network: ScriptedDoor,
  authorizer: Authorizer,
): Promise<{ options: HttpTransportOptions; log: TestRecorder }> {
  const log = await startRecorder();
  let count = 0;
  return {
    log,
    options: {
      door: network.door,
      recorder: log.recorder,
      connectionId: 'c',
      newHttpId: () => `h${(count += 1)}`,
      authorizer,
      url: SERVER,
      headers: () => [],
      limitBytes: 1000,
      reconnection: { initialDelayMs: 1, maxDelayMs: 1, factor: 1, retries: 3 },
      events: { received: () => undefined, lost: () => undefined },
    },
  };
}

/** Answers every request with the same challenge for as long as the test lasts. */
function alwaysAnswer(network: ScriptedDoor, status: 401 | 403): void {
  const { send } = network.door;
  network.door.send = (call, observer) => {
    const reply = send(call, observer);
    network.calls.at(-1)?.answer(status, 'text/plain', 'no', CHALLENGES[status]);
    return reply;
  };
}

async function eventsOf({ recorder, batches }: TestRecorder): Promise<WireEvent[]> {
  await recorder.flushed();
  return batches.flatMap(({ events }) => events);
}

async function requests(log: TestRecorder) {
  return (await eventsOf(log)).filter((event) => event.kind === 'http-request');
}

const request = { method: 'tools/list', kind: 'request', rpcId: '1' } as const;
const message = (signal: AbortSignal) => ({
  ...request,
  text: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  signal,
});

/** Everything that a connection opens, and how. */
const OPENINGS: [what: string, open: (options: HttpTransportOptions) => Promise<unknown>][] = [
  ['a POST', (options) => new StreamableHttp(options).send(message(new AbortController().signal))],
  [
    'a POST of the modern era',
    (options) => new ModernHttp(options).send(message(new AbortController().signal)),
  ],
  ['a GET stream', (options) => new StreamableHttp(options).listen(new AbortController().signal)],
  ['the stream of HTTP+SSE', (options) => new HttpSse(options).open(new AbortController().signal)],
];

describe.each([401, 403] as const)('a server that answers everything with %i', (status) => {
  test.each(OPENINGS)('gets %s twice, and no more', async (_what, open) => {
    const network = createScriptedDoor();
    alwaysAnswer(network, status);
    const authorizer = insistent();
    const { options, log } = await optionsFor(network, authorizer);
    await open(options).catch(() => undefined);
    expect(network.calls).toHaveLength(2);
    const [first, second] = await requests(log);
    expect(second?.links).toMatchObject({
      retryOf: first?.httpId,
      attempt: 2,
      reason: 'authorization',
      authChain: 'chain',
    });
    // Read anew for each of them.
    expect(network.calls.map((call) => call.header('authorization'))).toEqual([
      'Bearer token-0',
      'Bearer token-1',
    ]);
    expect(authorizer.asked.map(({ isRepeat }) => isRepeat)).toEqual([false, true]);
  });
});

test('no answers of a server and no wishes of an authorizer make more than four requests', async () => {
  const statuses = fc.array(fc.constantFrom(401, 403, 200, 404), { minLength: 1 });
  const reasons = fc.array(fc.constantFrom('nonce', 'authorization', 'step-up'));
  await fc.assert(
    fc.asyncProperty(statuses, reasons, async (answers, wishes) => {
      const network = createScriptedDoor();
      const { send } = network.door;
      network.door.send = (call, observer) => {
        const reply = send(call, observer);
        const status = answers[(network.calls.length - 1) % answers.length] ?? 200;
        const headers = status === 401 || status === 403 ? CHALLENGES[status] : {};
        network.calls.at(-1)?.answer(status, 'text/plain', 'x', headers);
        return reply;
      };
      const { options, log } = await optionsFor(network, insistent(wishes));
      const exchange = await openAuthorized(options, {
        purpose: 'message',
        method: 'POST',
        url: SERVER,
        headers: [],
        signal: new AbortController().signal,
      });
      await exchange.read(() => undefined);
      expect(network.calls.length).toBeLessThanOrEqual(4);
      const repeats = (await requests(log)).filter(({ links }) => links.reason !== undefined);
      const authorized = repeats.filter(({ links }) => links.reason !== 'nonce');
      expect(authorized.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 60 },
  );
});

describe('what is not repeated', () => {
  async function openWith(answer: [number, Record<string, string>], headers = {}) {
    const network = createScriptedDoor();
    const authorizer = insistent();
    const { options } = await optionsFor(network, authorizer);
    const opening = openAuthorized(options, {
      purpose: 'message',
      method: 'POST',
      url: SERVER,
      headers: Object.entries<string>(headers).map(([name, value]) => ({ name, value })),
      signal: new AbortController().signal,
    });
    const call = await network.call(1);
    call.answer(answer[0], 'text/plain', 'no', answer[1]);
    const exchange = await opening;
    return { network, authorizer, exchange, call };
  }

  test.each([
    ['no challenge', {}],
    ['another error', { 'WWW-Authenticate': 'Bearer error="invalid_token"' }],
  ])('a 403 with %s', async (_what, headers) => {
    const { network, authorizer, exchange } = await openWith([403, headers]);
    expect([exchange.head.status, network.calls.length, authorizer.asked]).toEqual([403, 1, []]);
  });

  test('a 401 to credentials that the user has given', async () => {
    const own = { Authorization: 'Bearer mine' };
    const { authorizer, call } = await openWith([401, CHALLENGES[401]], own);
    expect(call.header('authorization')).toBe('Bearer mine');
    expect(authorizer.asked).toEqual([]);
  });
});

test('a refusal that stands can be read after it was read', async () => {
  const network = createScriptedDoor();
  const authorizer = { ...insistent(), challenged: () => Promise.resolve(undefined) };
  const { options, log } = await optionsFor(network, authorizer);
  const opening = openAuthorized(options, {
    purpose: 'message',
    method: 'POST',
    url: SERVER,
    headers: [],
    signal: new AbortController().signal,
  });
  (await network.call(1)).answer(401, 'text/plain', 'who are you?');
  const exchange = await opening;
  let text = '';
  const end = await exchange.read((chunk) => void (text += new TextDecoder().decode(chunk)));
  expect([text, end]).toEqual(['who are you?', { outcome: 'complete', sizeBytes: 12 }]);
  expect((await eventsOf(log)).filter(({ kind }) => kind === 'http-end')).toHaveLength(1);
});

test('limits of time stand still while somebody is asked', async () => {
  const network = createScriptedDoor();
  const answer = Promise.withResolvers<undefined>();
  const authorizer = { ...insistent(), challenged: () => answer.promise };
  const { options } = await optionsFor(network, authorizer);
  const held: boolean[] = [];
  const opening = openAuthorized(options, {
    purpose: 'message',
    method: 'POST',
    url: SERVER,
    headers: [],
    signal: new AbortController().signal,
    held: (isHeld) => void held.push(isHeld),
  });
  (await network.call(1)).answer(401, 'text/plain', 'no');
  await expect.poll(() => held).toEqual([true]);
  answer.resolve(undefined);
  await opening;
  expect(held).toEqual([true, false]);
});
