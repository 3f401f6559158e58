import { describe, expect, test, vi } from 'vitest';
import type { CaptureLog } from '../../../../lib/capture/store/capture-log.ts';
import type { CaptureRecord } from '../../../../lib/capture/store/capture-record.ts';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import { createCompareModel, pairExchanges } from '../../../../lib/state/captures/compare-model.ts';
import { LogBuilder } from '../../../support/builders.ts';

const TOOL = { name: 'echo', description: 'Says it', inputSchema: { type: 'object' } };

interface Shape {
  greeting?: string;
  tools?: object[];
  date?: string;
  extra?: boolean;
  waitMs?: number;
  firstId?: number;
}

/** A run of a client against a server; two runs differ in what the shape says. */
function run(shape: Shape): LogBuilder {
  const { greeting = 'hello', tools = [TOOL], date = 'Mon', firstId = 1 } = shape;
  const log = new LogBuilder();
  log.opened();
  const answer = (httpId: string, id: number, result: unknown) => {
    log.add({
      kind: 'http-response',
      httpId,
      status: 200,
      statusText: '',
      headers: [
        { name: 'content-type', value: 'application/json' },
        { name: 'date', value: date },
        ...(greeting === 'hello' ? [] : [{ name: 'x-version', value: '2' }]),
      ],
    });
    log.chunk(httpId, JSON.stringify({ jsonrpc: '2.0', id, result }));
    log.end(httpId);
    const last = log.events.at(-1);
    if (last !== undefined) last.monotonicTime += shape.waitMs ?? 0;
  };
  answer(log.call(`${firstId}`), firstId, { tools });
  if (shape.extra) answer(log.call(`${firstId + 1}`, 'ping'), firstId + 1, {});
  const call = log.call(`${firstId + 2}`, 'tools/call', {
    name: 'echo',
    arguments: { a: 1 },
    _meta: { progressToken: firstId },
  });
  answer(call, firstId + 2, { content: [{ type: 'text', text: greeting }] });
  return log;
}

function toLog(name: string, { events }: LogBuilder): CaptureLog {
  const correlation = createCorrelation();
  correlation.apply(events);
  return { captureId: name, name, correlation, peek: async () => new Map() };
}

const record = (captureId: string): CaptureRecord => ({
  captureId,
  name: captureId,
  startedAt: 1,
  lastSequence: 1,
  eventCount: 1,
  sizeBytes: 1,
});

async function compare(before: Shape, after: Shape) {
  const logs: Record<string, CaptureLog> = {
    before: toLog('before', run(before)),
    after: toLog('after', run(after)),
  };
  const shelf = {
    read: async ({ captureId }: CaptureRecord) => logs[captureId] as CaptureLog,
  };
  const model = createCompareModel(async () => shelf, record('before'), record('after'));
  await vi.waitFor(() => expect(model.state.value.kind).toBe('done'));
  return model;
}

const namesOf = (model: Awaited<ReturnType<typeof compare>>) =>
  model.shown.value.map(({ rows }) => (rows.before ?? rows.after)?.name);

describe('two captures', () => {
  test('of equal runs differ in nothing but ids, tokens and times', async () => {
    const model = await compare({}, { firstId: 40, date: 'Tue' });
    expect(model.pairs.value).toHaveLength(2);
    expect(model.shown.value).toEqual([]);
    expect(model.shownDefinitions.value).toEqual([]);
    model.isLenient.value = false;
    const [list, call] = model.shown.value;
    expect(list && model.differsIn(list)).toEqual(['response headers']);
    expect(call && model.differsIn(call)).toEqual(['params', 'response headers']);
    model.onlyDifferences.value = false;
    expect(namesOf(model)).toEqual(['tools/list', 'tools/call']);
    model.close();
  });

  test('show changed answers, headers and timings, and what only one has', async () => {
    const model = await compare({}, { greeting: 'bye', extra: true, waitMs: 900 });
    expect(namesOf(model)).toEqual(['tools/list', 'ping', 'tools/call']);
    const [list, ping, call] = model.shown.value;
    expect(list && model.differsIn(list)).toEqual(['response headers', 'timing']);
    expect(ping?.before).toBeUndefined();
    expect(call && model.differsIn(call)).toEqual(['answer', 'response headers', 'timing']);

    model.selected.value = call;
    await vi.waitFor(() => expect(model.detail.value?.pair).toBe(call));
    const { diff } = model.detail.value!;
    expect(diff.answer).toMatchObject({ kind: 'json', diff: { kind: 'object' } });
    expect(diff.params).toMatchObject({ kind: 'json', diff: { kind: 'same' } });
    expect(diff.responseHeaders).toContainEqual({
      name: 'x-version',
      kind: 'added',
      before: [],
      after: ['2'],
    });
    model.selected.value = ping;
    await vi.waitFor(() => expect(model.detail.value?.pair).toBe(ping));
    expect(model.detail.value?.diff.answer).toMatchObject({ diff: { kind: 'added', value: {} } });
    model.close();
  });

  test('show what the servers offer differently', async () => {
    const changed = { ...TOOL, annotations: { destructiveHint: true } };
    const model = await compare({}, { tools: [changed, { name: 'new' }] });
    expect(model.definitions.value.map(({ name, kind, parts }) => [name, kind, parts])).toEqual([
      ['echo', 'changed', ['annotations']],
      ['new', 'added', []],
    ]);
    model.close();
  });

  test('that cannot be read say why', async () => {
    const shelf = { read: () => Promise.reject(new Error('no disk')) };
    const model = createCompareModel(async () => shelf, record('a'), record('b'));
    await vi.waitFor(() =>
      expect(model.state.value).toMatchObject({
        kind: 'failed',
        problem: { detail: 'Error: no disk' },
      }),
    );
    model.close();
  });
});

test('what the server asks of its own accord is matched apart, and stands where it came', () => {
  const withAsking = (askAt: number) => {
    const log = new LogBuilder();
    const stream = log.stream();
    for (const at of [0, 1, 2]) {
      if (at === askAt) {
        log.message(stream, { jsonrpc: '2.0', id: 'r', method: 'roots/list' });
      }
      log.answer(log.call(`${at}`, 'ping'), { jsonrpc: '2.0', id: at, result: {} });
    }
    return toLog(`asks at ${askAt}`, log);
  };
  const pairs = pairExchanges(withAsking(1), withAsking(2));
  const nameOf = (side: (typeof pairs)[number]['before']) =>
    side?.item.kind === 'request' && side.item.method;
  expect(pairs.map(({ before, after }) => [nameOf(before), nameOf(after)])).toEqual([
    ['ping', 'ping'],
    ['roots/list', 'roots/list'],
    ['ping', 'ping'],
    ['ping', 'ping'],
  ]);
});

test('an answer that is on disk only is read from there', async () => {
  const log = run({});
  const before = toLog('before', run({}));
  const after = toLog('after', log);
  for (const { chunks } of after.correlation.https.values()) {
    for (const chunk of chunks) {
      const { bytes } = chunk.data;
      after.peek = async (events) =>
        new Map(events.map(({ sequence }) => [sequence, stored(sequence)]));
      chunk.data = { bytes: new Uint8Array(), awayBytes: bytes.length };
    }
  }
  const kept = new Map(run({}).events.map((event) => [event.sequence, event]));
  function stored(sequence: number) {
    const event = kept.get(sequence);
    return event?.kind === 'http-chunk' ? event.data : { bytes: new Uint8Array() };
  }
  const shelf = {
    read: async ({ captureId }: CaptureRecord) => (captureId === 'before' ? before : after),
  };
  const model = createCompareModel(async () => shelf, record('before'), record('after'));
  await vi.waitFor(() => expect(model.state.value.kind).toBe('done'));
  expect(model.shown.value).toEqual([]);
  expect(model.definitions.value.map(({ kind }) => kind)).toEqual(['same']);
  model.close();
});
