import { describe, expect, test } from 'vitest';
import type { ResumeChoice } from '../../lib/capture/correlate/fault.ts';
import { createResumptions, type Resumption } from '../../lib/state/lab/lab-resumptions.ts';
import { toBreakWords, toStreamName, toVerdict } from '../../lib/state/lab/lab-words.ts';
import { startMisbehaving } from '../server/misbehaving.ts';
import { startPeer, type PeerName } from '../server/peers.ts';
import type { Reply } from '../server/scripted.ts';
import { event, log, plain, result, stream } from '../server/scripted-behaviour.ts';
import { startTestWorker, type TestWorker } from '../support/connected.ts';
import { FAST, play, type Scene } from './cases/play.ts';

/** The newest break of a connection, judged. */
function latest(worker: TestWorker, id: string): Resumption | undefined {
  const resumptions = createResumptions(id, worker.correlation);
  resumptions.refresh();
  return resumptions.all.at(-1);
}

/** How the rows would say it. */
function words(resumption: Resumption) {
  return [toVerdict(resumption).verdict, ...toVerdict(resumption).evidence];
}

const counted = (...ids: string[]) => ids.map((id) => event(log(id), id));
const response = (id: number) => `{"jsonrpc":"2.0","id":${id},"result":{}}`;

/** Drops the GET stream behind its last event; resolves with the verdict on what came then. */
async function dropGet(
  first: string[],
  then: Reply,
  resume: ResumeChoice = { from: 'last' },
  isOver = (resumption: Resumption) => resumption.eventCount > 0,
): Promise<{ scene: Scene; verdict: string[]; resumption: Resumption }> {
  const scene = await play({ GET: [stream(first, 'hang'), then] }, { openStream: true });
  const { worker, id } = scene;
  await worker.until(() => scene.facts('sse-event').length === first.length);
  const { httpId } = scene.facts('sse-event')[0]!;
  await worker.manager.functions.dropStream(id, httpId, { resume });
  await scene.fact('http-response', (fact) => fact.httpId !== httpId && isGet(scene, fact.httpId));
  const resumption = await worker.until(() => {
    const found = latest(worker, id);
    return found !== undefined && isOver(found) && found;
  });
  return { scene, resumption, verdict: words(resumption) };
}

function isGet({ worker }: Scene, httpId: string): boolean {
  return worker.correlation.https.get(httpId)?.request.method === 'GET';
}

const OPEN = 'hang';
const E123 = counted('e1', 'e2', 'e3');

describe('The verdict on a GET stream that was dropped', () => {
  test.each<[string, Reply, ResumeChoice, string[]]>([
    ['what is new only', stream(counted('e4', 'e5'), OPEN), { from: 'last' }, ['Clean so far']],
    ['the end', stream(counted('e4')), { from: 'last' }, ['Clean']],
    [
      'the same again',
      stream(counted('e2', 'e3', 'e4'), OPEN),
      { from: 'last' },
      ['Duplicate', 'Came again unasked: event e2, event e3'],
    ],
    [
      'an event twice',
      stream(counted('e4', 'e4'), OPEN),
      { from: 'last' },
      ['Duplicate', 'Came again unasked: event e4'],
    ],
    [
      'a jump in what was counted',
      stream(counted('e4', 'e7'), OPEN),
      { from: 'last' },
      ['Gap', 'Missing: event e5, event e6'],
    ],
    [
      'events in another order',
      stream(counted('e5', 'e4'), OPEN),
      { from: 'last' },
      ['Reordered', 'Out of order: event e4'],
    ],
    [
      'all that came after the chosen id',
      stream(counted('e2', 'e3', 'e4'), OPEN),
      { from: 'chosen', lastEventId: 'e1' },
      ['Clean so far'],
    ],
    [
      'not all that came after the chosen id',
      stream(counted('e3', 'e4'), OPEN),
      { from: 'chosen', lastEventId: 'e1' },
      ['Gap', 'Missing: event e2'],
    ],
    [
      'what came after the chosen id in another order',
      stream(counted('e3', 'e2', 'e4'), OPEN),
      { from: 'chosen', lastEventId: 'e1' },
      ['Reordered', 'Out of order: event e2'],
    ],
    [
      'all from the start, for a wrong id',
      stream(counted('e1', 'e2', 'e3'), OPEN),
      { from: 'wrong' },
      ['Duplicate', 'Came again unasked: event e1, event e2, event e3'],
    ],
    [
      'the response to a call',
      stream([event(response(0), 'x9')], OPEN),
      { from: 'last' },
      ['Replayed from another stream', 'Of another stream: event x9, message 0'],
    ],
  ])('and brought %s', async (_name, then, resume, expected) => {
    const all = (resumption: Resumption) =>
      resumption.eventCount === then.body!.length &&
      (then.ending === OPEN || resumption.state === 'over');
    const { scene, verdict } = await dropGet(E123, then, resume, all);
    await using _scene = scene;
    expect(verdict).toEqual(expected);
  });

  test('a refused wrong id is in order, a refused right one is not', async () => {
    const isRefused = ({ state }: Resumption) => state === 'refused';
    const wrong = await dropGet(E123, plain(400), { from: 'wrong' }, isRefused);
    await using _wrong = wrong.scene;
    expect(toVerdict(wrong.resumption)).toMatchObject({
      level: 'good',
      verdict: 'Refused (400), as an unknown id should be',
    });
    expect(await wrong.scene.issues()).toEqual([]);
    const right = await dropGet(E123, plain(400), { from: 'last' }, isRefused);
    await using _right = right.scene;
    expect(toVerdict(right.resumption)).toMatchObject({ level: 'bad', verdict: 'Refused (400)' });
    expect(await right.scene.issues()).toContain('HTT-26');
  });

  test('an event of another stream that was seen there', async () => {
    const { scene, verdict } = await dropOne();
    await using _scene = scene;
    expect(verdict).toEqual(['Replayed from another stream', 'Of another stream: event p1']);
    expect(await scene.issues()).toEqual(['HTT-08']);
  });

  /** A call is answered on a stream of its own, and the GET stream replays a part of it. */
  async function dropOne() {
    const scene = await play(
      {
        GET: [stream(counted('g1'), OPEN), stream([event(log('a'), 'p1')], OPEN)],
        'tools/call': stream([event(log('a'), 'p1'), event(result('{"content":[]}'), 'p2')]),
      },
      { openStream: true },
    );
    const { worker, id } = scene;
    const { httpId } = await scene.fact('sse-event');
    await scene.call('tools/call');
    await worker.manager.functions.dropStream(id, httpId, { resume: { from: 'last' } });
    const resumption = await worker.until(() => {
      const found = latest(worker, id);
      return found?.eventCount === 1 && found;
    });
    return { scene, verdict: words(resumption) };
  }
});

describe('The verdict on the stream of a call that was dropped', () => {
  async function dropCall(get: Reply | undefined, resume: ResumeChoice) {
    const first = stream([event(log('a'), 's1')], OPEN);
    const scene = await play({ 'tools/call': first, ...(get === undefined ? {} : { GET: get }) });
    const { worker, id } = scene;
    const call = await scene.begin('tools/call');
    const { httpId } = await scene.fact('sse-event');
    await worker.manager.functions.dropStream(id, httpId, { resume });
    await scene.settled(call);
    await worker.recorder.flushed();
    return { scene, resumption: latest(worker, id)! };
  }

  test('that brought the response', async () => {
    const { scene, resumption } = await dropCall(stream([event(response(1), 's2')]), {
      from: 'last',
    });
    await using _scene = scene;
    expect(words(resumption)).toEqual(['Clean']);
    expect(toStreamName(resumption.stream)).toBe('tools/call (id 1)');
    expect(toBreakWords(resumption)).toBe('dropped by us, taken up with the last id s1');
  });

  test('that was refused: the response is lost', async () => {
    const { scene, resumption } = await dropCall(plain(404), { from: 'last' });
    await using _scene = scene;
    expect(words(resumption)).toEqual(['Gap', 'Missing: message 1']);
  });

  test('that was not resumed: the response is lost, which was our wish', async () => {
    const { scene, resumption } = await dropCall(undefined, { from: 'none' });
    await using _scene = scene;
    expect(toVerdict(resumption)).toEqual({
      level: 'open',
      verdict: 'Gap',
      evidence: ['Missing: message 1'],
    });
    expect(toBreakWords(resumption)).toBe('dropped by us, not resumed');
  });

  test('with the progress and the response of another call among it', async () => {
    const alien =
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"z","progress":1}}';
    const get = stream([event(alien, 'a1'), event(response(7), 'a2'), event(response(1), 's2')]);
    const { scene, resumption } = await dropCall(get, { from: 'last' });
    await using _scene = scene;
    expect(words(resumption)).toEqual([
      'Replayed from another stream',
      'Of another stream: event a1, event a2, message "z", message 7',
    ]);
  });
});

describe('The verdict on the misbehaving server', () => {
  test.each<[string, string[]]>([
    ['resume-clean', ['Clean so far']],
    ['resume-gap', ['Gap', 'Missing: event e5, event e6']],
    ['resume-duplicate', ['Duplicate', 'Came again unasked: event e3']],
    ['resume-from-start', ['Duplicate', 'Came again unasked: event e1, event e2, event e3']],
    ['resume-reordered', ['Reordered', 'Out of order: event e4']],
    [
      'resume-foreign',
      ['Replayed from another stream', 'Of another stream: event p1, message 999'],
    ],
    ['resume-refused', ['Refused (400)']],
  ])('%s: %j', async (name, expected) => {
    const server = await startMisbehaving();
    const worker = await startTestWorker();
    const id = await worker.connect(server.url(name), { reconnection: FAST });
    await worker.state(id, 'connected');
    const { httpId } = await worker.until(() =>
      worker.events.findLast((fact) => fact.kind === 'sse-event'),
    );
    // All of the first answer comes in one piece, or soon after.
    await worker.until(() => worker.correlation.https.get(httpId)?.response);
    const isThere = (eventId: string) =>
      worker.events.some((fact) => fact.kind === 'sse-event' && fact.id === eventId);
    const hasOne = name === 'resume-foreign' || name === 'resume-refused';
    await worker.until(() => isThere(hasOne ? 'e1' : 'e3'));
    await worker.manager.functions.dropStream(id, httpId, { resume: { from: 'last' } });
    await worker.until(
      () => {
        const found = latest(worker, id);
        return found !== undefined && JSON.stringify(words(found)) === JSON.stringify(expected);
      },
      `verdict ${expected.join('; ')}`,
    );
    await worker[Symbol.asyncDispose]();
    await server.close();
  });
});

describe('The verdict on servers of others', () => {
  const SLOW = { name: 'trigger-long-running-operation', arguments: { duration: 1.2, steps: 4 } };

  /** Drops a long call after its first progress, makes another call meanwhile, and waits for what comes then. */
  async function visit(name: PeerName, path = '/mcp') {
    const server = await startPeer(name);
    const worker = await startTestWorker();
    const id = await worker.connect(server.url(path), {
      reconnection: { ...FAST, initialDelayMs: 1000, maxDelayMs: 1000 },
      idleTimeoutMs: 10_000,
    });
    await worker.state(id, 'connected');
    const { functions } = worker.manager;
    const params = JSON.stringify({ ...SLOW, _meta: { progressToken: 'p' } });
    const { carrierId } = await functions.send(id, 'tools/call', params);
    await worker.until(() => {
      const record = worker.correlation.https.get(carrierId);
      return record?.stream.some((fact) => fact.kind === 'sse-event' && fact.data !== undefined);
    });
    await functions.dropStream(id, carrierId, { resume: { from: 'last' } });
    const other = await functions.send(
      id,
      'tools/call',
      '{"name":"echo","arguments":{"message":"x"}}',
    );
    await worker.until(() => worker.correlation.https.get(other.carrierId)?.end !== undefined);
    const resumption = await worker.until(() => {
      const found = latest(worker, id);
      const isOfCall = found?.stream.rootId === carrierId && found.record !== undefined;
      return isOfCall &&
        found.eventCount > 0 &&
        (found.state === 'over' || found.findings.length > 0)
        ? found
        : undefined;
    });
    return {
      resumption,
      async [Symbol.asyncDispose]() {
        await worker[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  }

  test('server-everything replays events of other streams', async () => {
    await using visited = await visit('everything-streamable');
    const [foreign] = visited.resumption.findings;
    expect(toVerdict(visited.resumption)).toMatchObject({
      level: 'bad',
      verdict: expect.stringContaining('Replayed from another stream') as unknown,
    });
    expect(foreign).toMatchObject({ fault: 'foreign' });
    expect(foreign!.eventIds.length).toBeGreaterThan(0);
  });

  test('mcp-proxy goes on with the stream, and nothing else', async () => {
    await using visited = await visit('mcp-proxy');
    expect(words(visited.resumption)).toEqual(['Clean']);
  });
});
