import { describe, expect, test } from 'vitest';
import { createChannelStates, type Channels } from '../../../lib/state/connect/channel-states.ts';
import { summarizeChannels, toChannelSigns } from '../../../lib/state/connect/channel-words.ts';
import { startMisbehavingSockets } from '../../server/websocket-misbehaving.ts';
import { startScripted, type Part, type Reply } from '../../server/scripted.ts';
import {
  accepted,
  event,
  json,
  log,
  plain,
  result,
  stream,
} from '../../server/scripted-behaviour.ts';
import { newHome, startTestWorker, type TestWorker } from '../../support/connected.ts';
import { FAST, play, type Scene } from './play.ts';

const LISTENING = { openStream: true };
const held = (...parts: Part[]): Reply => stream(parts, 'hang');

function channelsOf(worker: TestWorker, id: string): Channels {
  const states = createChannelStates();
  states.apply(worker.events);
  const found = states.of(id);
  if (found === undefined) throw new Error('no channels');
  return found;
}

/** The three indicators in short, and the sentence beside them. */
async function shown({ worker, id }: Pick<Scene, 'worker' | 'id'>) {
  await worker.recorder.flushed();
  const channels = channelsOf(worker, id);
  const signs = toChannelSigns(channels).map(({ words }) => words);
  return { signs, summary: summarizeChannels(worker.summary(id), channels) };
}

test('C212 bytes, their times and headers are in the log before anything is read out of them, to the letter', async () => {
  const odd = Buffer.concat([
    Buffer.from(
      '\uFEFFid: 7\r\nretry:  05\rdata:{"jsonrpc":"2.0" ,\t"method":"notifications/message",\n',
    ),
    Buffer.from('data:  "params":{"level":"info","data":123456789012345678901234567890}}\n\n: caf'),
    Buffer.from([0xc3]),
    Buffer.from([0xa9, 0x0a, 0x0a]),
    Buffer.from('data: not json \u2028 \n\ndata: cut off'),
  ]);
  const pieces = [odd.subarray(0, 5), odd.subarray(5, 90), odd.subarray(90)];
  await using scene = await play(
    {
      'tools/list': {
        head: 'HTTP/1.1 200 Fine\r\nContent-Type: text/event-stream\r\nX-ODD:  two  words \r\nConnection: close\r\n\r\n',
        body: pieces.flatMap((piece, index): Part[] => [piece, { wait: `step ${index + 1}` }]),
        ending: 'close',
      },
    },
    { state: 'connected' },
  );
  const call = await scene.begin();
  await scene.follow(pieces.length + 1);
  await scene.settled(call);
  const own = scene.worker.events.filter(
    (found) => 'httpId' in found && found.httpId === call.httpId,
  );
  const chunks = own.flatMap((found) => (found.kind === 'http-chunk' ? [found] : []));
  expect(Buffer.concat(chunks.map(({ data }) => data.bytes))).toEqual(odd);
  const head = own.find((found) => found.kind === 'http-response');
  expect(head).toMatchObject({ status: 200, statusText: 'Fine' });
  for (const found of own) {
    if (found.kind !== 'sse-event' && found.kind !== 'sse-comment') continue;
    const span = found.kind === 'sse-event' ? found.block : found.line;
    const last = chunks.findLast(({ offset }) => offset < span.offset + span.length)!;
    expect(last.sequence).toBeLessThan(found.sequence);
    expect(last.monotonicTime).toBeLessThanOrEqual(found.monotonicTime);
  }
  // What was read differently from what stands there says so.
  expect(own.find(({ kind }) => kind === 'sse-discarded')).toMatchObject({
    tail: { length: 'data: cut off'.length },
  });
  const [message] = scene
    .items('notification')
    .filter(({ method }) => method === 'notifications/message');
  expect(scene.text(message!.message)).toContain('123456789012345678901234567890');
  expect(scene.items('stray')).toMatchObject([{ what: 'not-json' }]);
});

describe('C213 what a connection says of itself is so', () => {
  test('C213 no GET stream, and POST fine: all is well', async () => {
    await using scene = await play({ GET: plain(405) }, LISTENING);
    await scene.item('stream', ({ outcome }) => outcome === 'not-offered');
    expect(await shown(scene)).toEqual({
      signs: [
        'POST: works',
        'GET: not offered by the server, which is normal',
        'access: nothing was asked for',
      ],
      summary: { isGood: true, words: 'Requests work.' },
    });
  });

  test('C213 POST 401 and GET open: not well, and the reason is named', async () => {
    await using scene = await play(
      { GET: held(': open\n\n'), 'tools/list': plain(401) },
      LISTENING,
    );
    await scene.item('stream', ({ outcome }) => outcome === 'open');
    await scene.call();
    expect(await shown(scene)).toEqual({
      signs: ['POST: refused (401)', 'GET: works', 'access: refused (401)'],
      summary: {
        isGood: false,
        words:
          'The server wants authorization (401): requests are refused, although its stream is open.',
      },
    });
  });

  test('C213 the stream of HTTP+SSE closed and POST 202: no answer can arrive', async () => {
    await using scene = await play(
      {
        GET: stream([
          'event: endpoint\ndata: /messages\n\n',
          { wait: 'initialize' },
          event(
            '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}',
          ),
          { wait: 'cut' },
        ]),
        initialize: accepted([{ open: 'initialize' }]),
      },
      { isHttpSse: true, reconnection: { ...FAST, initialDelayMs: 60_000, maxDelayMs: 60_000 } },
    );
    scene.server.open('cut');
    await scene.fact('retry-scheduled');
    const { signs, summary } = await shown(scene);
    expect(summary).toMatchObject({ isGood: false });
    expect(summary!.words).toContain('tried again in 60000 ms');
    expect(signs[1]).toContain('SSE: waits');
  });

  test('C213 a GET stream that is given up, and POST fine: requests work, and what is missing is named', async () => {
    await using scene = await play({ GET: stream([]) }, LISTENING);
    await scene.fact('connection-state', ({ state }) => state === 'degraded');
    const { signs, summary } = await shown(scene);
    expect(signs[0]).toBe('POST: works');
    expect(signs[1]).toMatch(/^GET: fails \(The GET stream could not be kept open/);
    expect(summary!.words).toMatch(
      /^Requests work; what the server says of its own accord does not/,
    );
  });

  test('C213 a server that answers no request any more, and whose stream is open', async () => {
    await using scene = await play(
      { GET: held(': open\n\n'), 'tools/list': [{ ending: 'silent' }, json(result())] },
      { ...LISTENING, idleTimeoutMs: 50 },
    );
    await scene.item('stream', ({ outcome }) => outcome === 'open');
    await scene.call();
    const { summary } = await shown(scene);
    expect(summary).toMatchObject({ isGood: false });
    expect(summary!.words).toMatch(
      /^Requests do not work: fails .*, although its stream is open\.$/,
    );
    await scene.call();
    expect((await shown(scene)).summary).toEqual({
      isGood: true,
      words: 'Requests and stream work.',
    });
  });

  test('C213 a socket is both ways in one', async () => {
    const server = await startMisbehavingSockets();
    await using worker = await startTestWorker();
    const id = await worker.connect(server.url('drop'), {
      transport: 'websocket',
      reconnection: { ...FAST, initialDelayMs: 60_000, maxDelayMs: 60_000 },
    });
    await worker.state(id, 'connected');
    expect(await shown({ worker, id })).toEqual({
      signs: ['send: works', 'receive: works', 'access: nothing was asked for'],
      summary: { isGood: true, words: 'The socket is open.' },
    });
    await worker.manager.functions.send(id, 'tools/call', '{"name":"x"}');
    await worker.state(id, 'lost');
    expect((await shown({ worker, id })).summary).toMatchObject({ isGood: false });
    await worker.manager.functions.disconnect(id, false);
    await worker.recorder.flushed();
    expect(() => channelsOf(worker, id)).toThrow('no channels');
    await server.close();
  });

  test('C213 after a restart, only what has been seen to work works', async () => {
    await using server = await startScripted({
      GET: [held(event(log('one'), 'g-1')), { ending: 'silent' }],
    });
    const home = newHome();
    const before = await startTestWorker({}, home);
    const id = await before.connect(server.url(), { reconnection: FAST });
    await before.until(() => before.events.some(({ kind }) => kind === 'sse-event'));
    await before.recorder.flushed();
    before.kill();
    await using worker = await startTestWorker({}, home);
    await server.until(() => server.of('GET').length === 2);
    expect((await shown({ worker, id })).signs.slice(0, 2)).toEqual([
      'POST: not used yet',
      'GET: waits for an answer',
    ]);
  });
});
