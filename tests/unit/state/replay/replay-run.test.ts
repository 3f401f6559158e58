import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { Item } from '../../../../lib/capture/correlate/items.ts';
import type { ReplayQuestion } from '../../../../lib/state/replay/replay.ts';
import {
  learnHandles,
  newRewriting,
  rewrite,
} from '../../../../lib/state/replay/replay-rewrite.ts';
import { createReplayRun, runItemsOf } from '../../../../lib/state/replay/replay-run.ts';
import {
  comparableConnections,
  compareConnections,
} from '../../../../lib/state/replay/replay-connections.ts';
import { fakeBackground } from '../fakes.ts';
import { LogBuilder } from '../log-builder.ts';

describe('stand-ins', () => {
  test('are learnt from two answers, and put in wherever the first value stands', () => {
    const rewriting = newRewriting();
    learnHandles(
      rewriting,
      '{"result":{"nextCursor":"a1","tools":[],"task":{"taskId":"t1"},"name":"x"}}',
      '{"result":{"nextCursor":"b1","tools":[],"task":{"taskId":"t2"},"name":"y"}}',
    );
    rewriting.ids.set('4', '9');
    expect(rewrite('{ "cursor":"a1",  "n":1.0, "taskId" : "t1", "x":["a1"] }', rewriting)).toBe(
      '{ "cursor":"b1",  "n":1.0, "taskId" : "t2", "x":["b1"] }',
    );
    expect(rewrite('{"requestId":4,"other":4,"name":"x"}', rewriting)).toBe(
      '{"requestId":9,"other":4,"name":"x"}',
    );
    expect(rewrite('nonsense a1', rewriting)).toBe('nonsense a1');
    learnHandles(rewriting, 'nonsense', '{}');
  });

  test('change nothing else, and the same value always becomes the same', () => {
    fc.assert(
      fc.property(fc.json(), fc.string({ minLength: 1 }), fc.string(), (text, was, is) => {
        expect(rewrite(text, newRewriting())).toBe(text);
        const rewriting = newRewriting();
        rewriting.texts.set(was, is);
        const replaced = JSON.stringify(JSON.parse(text), (_key, value: unknown) =>
          value === was ? is : value,
        );
        expect(JSON.parse(rewrite(text, rewriting))).toEqual(JSON.parse(replaced));
      }),
    );
  });
});

/** A log with two pages of a list and a call, and a server that answers replays of them. */
function recorded(answer: (method: string, params: string) => object) {
  const log = new LogBuilder();
  log.opened();
  const ask = (id: number, method: string, params: string, result: object) => {
    const body = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
    log.answer(log.request(body), JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
  ask(0, 'initialize', '{}', {});
  ask(1, 'tools/list', '{}', { tools: [], nextCursor: 'old' });
  ask(2, 'tools/list', '{"cursor":"old"}', { tools: [] });
  ask(3, 'tools/call', '{"name":"pay","arguments":{}}', { content: [] });
  const correlation = createCorrelation();
  correlation.apply(log.events);
  let applied = log.events.length;
  let id = 100;
  const watchers = new Set<(changed: ReadonlySet<Item>) => void>();
  const sent: string[] = [];
  const { background } = fakeBackground({
    send: async (_connection, method, params = '{}', options = {}) => {
      id += 1;
      sent.push(`${method} ${params}`);
      const body = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
      const carrierId = log.request(body, [], options.replayOf);
      log.answer(carrierId, JSON.stringify({ jsonrpc: '2.0', id, result: answer(method, params) }));
      setTimeout(() => {
        const touched = correlation.apply(log.events.slice(applied));
        applied = log.events.length;
        for (const watcher of watchers) watcher(touched);
      });
      return { rpcId: String(id), carrierId };
    },
  });
  const questions: ReplayQuestion[] = [];
  const run = createReplayRun({
    correlation,
    background,
    search: { peek: async () => new Map() },
    watch(changed) {
      watchers.add(changed);
      return () => void watchers.delete(changed);
    },
    replay: {
      ask(question) {
        questions.push(question);
        question.send();
      },
    },
  });
  return { correlation, run, sent, questions, watchers };
}

test('a run sends all of it in order, with the cursors that it is given now, and asks once', async () => {
  const { correlation, run, sent, questions, watchers } = recorded((method, params) => {
    if (method !== 'tools/list') return { content: [{ type: 'text', text: 'other' }] };
    return params.includes('cursor') ? { tools: [] } : { tools: [], nextCursor: 'new' };
  });
  const items = runItemsOf(correlation.items);
  expect(items.map(({ method }) => method)).toEqual(['tools/list', 'tools/list', 'tools/call']);
  run.start(items, 'c1');
  expect(questions[0]?.calls).toEqual([{ tool: 'pay', argumentsText: '{}' }]);
  await vi.waitFor(() => expect(run.state.value).toBe('done'));
  expect(sent).toEqual([
    'tools/list {}',
    'tools/list {"cursor":"new"}',
    'tools/call {"name":"pay","arguments":{}}',
  ]);
  expect(run.rows.value.map(({ state, weight }) => [state, weight])).toEqual([
    ['done', 'volatile'],
    ['done', 'same'],
    ['done', 'different'],
  ]);
  expect(watchers.size).toBe(0);
});

test('a run stops at the first difference where it is told to, and when the connection is gone', async () => {
  const { correlation, run, sent } = recorded(() => ({ tools: ['another'] }));
  run.stopsAtDifference.value = true;
  run.start(runItemsOf(correlation.items), 'c1');
  await vi.waitFor(() => expect(run.state.value).toBe('stopped'));
  expect(sent).toHaveLength(1);
  expect(run.rows.value.map(({ state }) => state)).toEqual(['done', 'waiting', 'waiting']);
});

test('two connections of one log are compared as two captures are', async () => {
  const log = new LogBuilder();
  const correlation = createCorrelation();
  log.opened();
  log.answer(
    log.request('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'),
    '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}',
  );
  const first = log.events.map((event) => ({ ...event }));
  const offset = first.length;
  const rename = (text: string) =>
    text.replaceAll('"c1"', '"c2"').replaceAll(/"httpId":"(\w+)"/g, '"httpId":"$1b"');
  correlation.apply(first);
  correlation.apply(
    first.map((event) => ({
      ...(JSON.parse(rename(JSON.stringify(event))) as typeof event),
      ...('data' in event ? { data: event.data } : {}),
      ...('body' in event ? { body: event.body } : {}),
      sequence: event.sequence + offset,
    })) as typeof first,
  );
  const model = {
    correlation,
    search: { isOpen: undefined, peek: async () => new Map() },
  } as never;
  const list = comparableConnections(model);
  expect(list.map(({ connectionId }) => connectionId)).toEqual(['c2', 'c1']);
  const compared = compareConnections(model, list[1]!, list[0]!);
  await vi.waitFor(() => expect(compared.state.value.kind).toBe('done'));
  expect(
    compared.pairs.value.map(({ before, after }) => [before?.item.key, after?.item.key]),
  ).toHaveLength(1);
  expect(compared.differsIn(compared.pairs.value[0]!)).toEqual([]);
  compared.close();
});
