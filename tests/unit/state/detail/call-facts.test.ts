import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { RequestItem } from '../../../../lib/capture/correlate/items.ts';
import { toCallFacts } from '../../../../lib/state/detail/call-facts.ts';
import {
  missingCapabilities,
  planTaskPoll,
  planWithCapabilities,
  withCapabilities,
} from '../../../../lib/state/replay/resend.ts';
import { formatClock } from '../../../../lib/text.ts';
import { LogBuilder } from '../../../support/builders.ts';
import { summary } from '../fakes.ts';

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const MODERN = { headers: [{ name: 'MCP-Protocol-Version', value: '2026-07-28' }] };

function correlate(log: LogBuilder) {
  const correlation = createCorrelation();
  correlation.apply(log.events);
  const requests = correlation.items.filter((item): item is RequestItem => item.kind === 'request');
  return { correlation, requests };
}

/** A request with its result, and the facts of it. */
function factsOf(method: string, result: unknown) {
  const log = new LogBuilder();
  log.answer(log.call('1', method, {}, MODERN), { jsonrpc: '2.0', id: 1, result });
  const { correlation, requests } = correlate(log);
  const facts = toCallFacts(requests[0]!, correlation);
  return { ...facts, received: requests[0]!.ended!.wallTime };
}

describe('the facts of a call', () => {
  test('tell how long its result is fresh, and that this changes nothing', () => {
    const { caching, received } = factsOf('tools/list', {
      tools: [],
      ttlMs: 300_000,
      cacheScope: 'public',
    });
    const until = formatClock(received + 300_000).slice(0, 8);
    expect(caching).toBe(`fresh until ${until}, public: not used by Wirescope`);
  });

  test.each([
    [{ ttlMs: 0, cacheScope: 'private' }, 'stale at once, private: not used by Wirescope'],
    [{}, 'stale at once (no ttlMs), no known cacheScope: not used by Wirescope'],
    [
      { ttlMs: -1, cacheScope: 'public' },
      'stale at once (ttlMs is negative), public: not used by Wirescope',
    ],
    [
      { ttlMs: '9', cacheScope: 'shared' },
      'stale at once (ttlMs is no number), no known cacheScope: not used by Wirescope',
    ],
    [{ resultType: 'input_required' }, undefined],
  ])('read the hints %j as %s', (result, caching) => {
    expect(factsOf('resources/read', result).caching).toBe(caching);
  });

  test('leave caching out where the standard has none', () => {
    expect(factsOf('tools/call', { ttlMs: 5 }).caching).toBeUndefined();
  });

  test('name the tools that are excluded, and why', () => {
    const schema = (header: unknown) => ({
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': header } },
    });
    const { excluded } = factsOf('tools/list', {
      tools: [
        { name: 'good', inputSchema: schema('Region') },
        { name: 'bad', inputSchema: schema('Re gion') },
        'no tool',
      ],
    });
    expect(excluded).toEqual([{ tool: 'bad', reason: expect.stringContaining('“Re gion”') }]);
  });

  test.each([
    [{}, 'absent, which means complete'],
    [{ resultType: 'complete' }, 'complete'],
    [{ resultType: 'weird' }, 'weird'],
    [{ resultType: [1] }, '[1]'],
  ])('name the type of the result %j as it is', (result, resultType) => {
    expect(factsOf('tools/call', result).resultType).toBe(resultType);
  });

  test('tell of the task that a result stands for', () => {
    const task = { resultType: 'task', taskId: 't1', status: 'working', pollIntervalMs: 2000 };
    expect(factsOf('tools/call', task).task).toEqual({
      taskId: 't1',
      words: 'working, to be asked every 2.00 s',
      isOver: false,
    });
    const done = { taskId: 't1', status: 'completed', statusMessage: 'Done' };
    expect(factsOf('tasks/get', done).task).toMatchObject({
      words: 'completed, Done',
      isOver: true,
    });
    expect(factsOf('tools/call', { taskId: 7 }).task).toBeUndefined();
  });

  test('list all rounds, with what each asks for', () => {
    const log = new LogBuilder();
    const first = log.call('1', 'tools/call', {}, MODERN);
    const inputRequests = { sure: { method: 'elicitation/create' }, odd: 7 };
    const asks = (id: number, more: object) => ({
      jsonrpc: '2.0',
      id,
      result: { resultType: 'input_required', ...more },
    });
    log.answer(first, asks(1, { inputRequests }));
    const link = (retryOf: string) => ({
      ...MODERN,
      links: { retryOf, attempt: 2, reason: 'input-required' },
    });
    const second = log.call('2', 'tools/call', {}, link(first));
    log.answer(second, asks(2, { requestState: 's' }));
    log.call('3', 'tools/call', {}, link(second));
    const { correlation, requests } = correlate(log);
    for (const item of requests) {
      expect(toCallFacts(item, correlation).rounds).toEqual([
        {
          item: requests[0],
          name: 'Round 1',
          words: 'asks for sure (elicitation/create), odd (no method)',
        },
        { item: requests[1], name: 'Round 2', words: 'asks for another try' },
        { item: requests[2], name: 'Round 3', words: 'pending' },
      ]);
    }
  });

  test('compare what a subscription asked for with what was agreed to', () => {
    const log = new LogBuilder();
    const notifications = { toolsListChanged: true, promptsListChanged: true };
    const h = log.call('1', 'subscriptions/listen', { notifications }, MODERN);
    const facts = () => {
      const { correlation, requests } = correlate(log);
      return toCallFacts(requests[0]!, correlation).subscription;
    };
    expect(facts()).toEqual({ asked: 'tools, prompts' });
    log.head(h, 200, 'text/event-stream');
    log.message(h, {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true } },
    });
    expect(facts()).toEqual({ asked: 'tools, prompts', agreed: 'tools' });
  });
});

describe('a capability that the server misses', () => {
  const refusal = (data: unknown) => ({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32021, message: 'Missing capability', data },
  });

  function refused(params: string, data: unknown) {
    const log = new LogBuilder();
    log.opened();
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
    log.answer(log.request(body, MODERN), refusal(data), 400);
    const { correlation, requests } = correlate(log);
    return { correlation, item: requests[0]! };
  }

  test('is added to those of the request, and all else is kept to the letter', () => {
    const params = `{ "name":"pay", "arguments":{"sum":1.0e+2},  "_meta":{"${CAPABILITIES}": {"elicitation":{"form":{}}} } }`;
    const { correlation, item } = refused(params, {
      requiredCapabilities: { elicitation: { url: {} }, sampling: {} },
    });
    const missing = missingCapabilities(item, correlation);
    expect(missing).toBe('{"elicitation":{"url":{}},"sampling":{}}');
    const plan = planWithCapabilities(item, missing!, correlation, [summary()]);
    expect(plan).toEqual({
      kind: 'ready',
      connectionId: 'c1',
      method: 'tools/call',
      paramsText: `{ "name":"pay", "arguments":{"sum":1.0e+2},  "_meta":{"${CAPABILITIES}": {"sampling":{},"elicitation":{"url":{},"form":{}}} } }`,
      replayOf: item.sequence,
      asksFor: { tool: 'pay', argumentsText: '{"sum":1.0e+2}' },
    });
  });

  test.each([
    ['{}', `{"_meta":{"${CAPABILITIES}":{"roots":{}}}}`],
    ['{"_meta":{}}', `{"_meta":{"${CAPABILITIES}":{"roots":{}}}}`],
    [`{"_meta":{"${CAPABILITIES}":{"roots":false}}}`, `{"_meta":{"${CAPABILITIES}":{"roots":{}}}}`],
    ['{"_meta":7}', '{"_meta":7}'],
    ['[1]', '[1]'],
  ])('makes %s into %s', (before, after) => {
    expect(withCapabilities(before, '{"roots":{}}')).toBe(after);
  });

  test.each([undefined, {}, { requiredCapabilities: 'all' }])(
    'is not offered where the server does not name it: %j',
    (data) => {
      const { correlation, item } = refused('{}', data);
      expect(missingCapabilities(item, correlation)).toBeUndefined();
    },
  );

  test('is not offered for another error, and not sent without a connection', () => {
    const log = new LogBuilder();
    const error = { code: -32020, message: 'x', data: { requiredCapabilities: {} } };
    log.answer(log.call('1', 'tools/call', {}, MODERN), { jsonrpc: '2.0', id: 1, error }, 400);
    const { correlation, requests } = correlate(log);
    expect(missingCapabilities(requests[0]!, correlation)).toBeUndefined();
    expect(planWithCapabilities(requests[0]!, '{}', correlation, [])).toMatchObject({
      kind: 'refused',
    });
  });
});

describe('asking how a task stands', () => {
  test('declares what the call declared, and is no replay of it', () => {
    const log = new LogBuilder();
    const declared = '{"extensions":{"io.modelcontextprotocol/tasks":{}}}';
    const params = `{"name":"slow","_meta":{"${CAPABILITIES}":${declared}}}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
    log.request(body, MODERN);
    log.call('2', 'tools/call', { name: 'slow' }, MODERN);
    const { correlation, requests } = correlate(log);
    expect(planTaskPoll(requests[0]!, 't"1', correlation, [summary()])).toEqual({
      kind: 'ready',
      connectionId: 'c1',
      method: 'tasks/get',
      paramsText: `{"_meta":{"${CAPABILITIES}":${declared}},"taskId":"t\\"1"}`,
    });
    expect(planTaskPoll(requests[1]!, 't1', correlation, [summary()])).toMatchObject({
      paramsText: '{"taskId":"t1"}',
    });
  });
});
