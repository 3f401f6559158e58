import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import { toRow } from '../../../../lib/state/view/rows.ts';
import { toFilterWords } from '../../../../lib/state/server/subscription-words.ts';
import { LogBuilder } from '../../../support/builders.ts';

const MODERN = [{ name: 'MCP-Protocol-Version', value: '2026-07-28' }];
const result = (id: string, value: unknown) =>
  `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(value)}}`;
const ASKS = { resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } };

function rowsOf(log: LogBuilder) {
  const correlation = createCorrelation();
  correlation.apply(log.events);
  return correlation.items.map((item) => toRow(item, correlation));
}

function call(log: LogBuilder, id: string, retryOf?: string, reason = 'input-required') {
  const links = retryOf === undefined ? {} : { retryOf, attempt: 2, reason };
  return log.call(id, 'tools/call', { name: 'deploy' }, { headers: MODERN, links });
}

describe('the rows of a call of several rounds', () => {
  test('say that input is required while it waits', () => {
    const log = new LogBuilder();
    log.answer(call(log, '1'), result('1', ASKS));
    expect(rowsOf(log)).toMatchObject([
      { status: '200 · input required', isPending: true, depth: 0, level: 'normal' },
    ]);
  });

  test('stand under the first one, which tells how the last one ended', () => {
    const log = new LogBuilder();
    const first = call(log, '1');
    log.answer(first, result('1', ASKS));
    const second = call(log, '2', first);
    expect(rowsOf(log)).toMatchObject([
      { status: 'pending', isPending: true },
      {
        status: 'pending',
        isPending: true,
        name: 'tools/call',
        target: 'deploy, round 2',
        depth: 1,
      },
    ]);
    log.answer(second, result('2', ASKS));
    expect(rowsOf(log)).toMatchObject([
      { status: '200 · input required', isPending: true },
      { status: '200 · input required', isPending: true },
    ]);
    log.answer(call(log, '3', second), result('3', { content: [], isError: true }));
    const rows = rowsOf(log);
    expect(rows).toMatchObject([
      { status: '200 · tool error', level: 'error', isPending: false, target: 'deploy' },
      { status: '200 · answered', level: 'normal', isPending: false },
      { status: '200 · tool error', level: 'error', target: 'deploy, round 3' },
    ]);
    // The first row is the call: it took as long as all of its rounds.
    expect(rows[0]?.duration).toBe(`${log.events.length - 1} ms`);
  });

  test('tell of an error of the last one', () => {
    const log = new LogBuilder();
    const first = call(log, '1');
    log.answer(first, result('1', ASKS));
    const error = { code: -32602, message: 'State expired' };
    log.answer(call(log, '2', first), { jsonrpc: '2.0', id: 2, error }, 400);
    expect(rowsOf(log)).toMatchObject([
      { status: '400 · error', level: 'error', note: 'State expired (-32602)' },
      { status: '400 · error', level: 'error' },
    ]);
  });

  test('say that nobody answered once nobody can', () => {
    const log = new LogBuilder();
    log.opened();
    log.answer(call(log, '1'), result('1', ASKS));
    log.add({ kind: 'connection-closed', cause: 'user' });
    expect(rowsOf(log)[1]).toMatchObject({
      status: '200 · not answered',
      level: 'warning',
      isPending: false,
    });
  });
});

describe('the row of a subscription', () => {
  const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

  function listen(log: LogBuilder): string {
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['a', 'b'] };
    const h = log.call('1', 'subscriptions/listen', { notifications }, { headers: MODERN });
    log.head(h, 200, 'text/event-stream');
    return h;
  }

  function tell(log: LogBuilder, h: string, method: string, params: object): void {
    log.message(h, {
      jsonrpc: '2.0',
      method: `notifications/${method}`,
      params: { _meta: { [SUBSCRIPTION]: 1 }, ...params },
    });
  }

  test('says what it listens for: what was asked, then what was agreed to', () => {
    const log = new LogBuilder();
    const h = listen(log);
    expect(rowsOf(log)).toMatchObject([
      { status: '200 · pending', target: 'tools, 2 resources', isPending: true },
    ]);
    tell(log, h, 'subscriptions/acknowledged', { notifications: { toolsListChanged: true } });
    expect(rowsOf(log)).toMatchObject([
      { status: 'listening', target: 'tools', isPending: true, isListening: true },
      { depth: 1 },
    ]);
  });

  test.each<[string, (log: LogBuilder, h: string) => void, object]>([
    [
      'the server completed',
      (log, h) => log.message(h, result('1', { resultType: 'complete' })),
      { status: 'completed by the server', level: 'normal' },
    ],
    [
      'the server cancelled',
      (log, h) => tell(log, h, 'cancelled', { requestId: 1 }),
      { status: 'cancelled by the server', level: 'normal' },
    ],
    [
      'the user cancelled',
      (log, h) => log.end(h, { outcome: 'aborted', cause: 'user' }),
      { status: '200 · cancelled', level: 'normal' },
    ],
    [
      'a broken stream ended',
      (log, h) => log.end(h, { outcome: 'cut', errorName: 'ECONNRESET' }),
      { status: '200 · failed', level: 'error', note: expect.stringMatching(/was lost/) },
    ],
  ])('that %s says so', (_, happen, row) => {
    const log = new LogBuilder();
    const h = listen(log);
    tell(log, h, 'subscriptions/acknowledged', { notifications: {} });
    happen(log, h);
    expect(rowsOf(log)[0]).toMatchObject({ ...row, isPending: false, isListening: false });
  });

  test.each([
    [undefined, ''],
    [{}, 'nothing'],
    [{ toolsListChanged: false, promptsListChanged: true }, 'prompts'],
    [{ resourceSubscriptions: ['file:///a'], taskIds: [] }, '1 resource'],
    [{ taskIds: ['1', '2'], unheardOf: { deep: 1 } }, '2 tasks, unheardOf'],
  ])('words the filter %j as “%s”', (filter, words) => {
    expect(toFilterWords(filter)).toBe(words);
  });
});

describe('the era of a row', () => {
  test('is that of its header, of what it is about, or of its connection (C184)', () => {
    const log = new LogBuilder();
    log.opened();
    log.call('1', 'server/discover', {});
    log.call('2', 'initialize', {});
    log.add({
      kind: 'connection-chosen',
      transport: 'http-sse',
      era: 'legacy',
      revision: '2024-11-05',
      evidence: [],
    });
    log.call('3', 'ping', {});
    log.call('4', 'ping', {}, { headers: MODERN });
    log.call('5', 'ping', {}, { headers: [{ name: 'MCP-Protocol-Version', value: 'weird' }] });
    expect(rowsOf(log).map(({ name, era }) => [name, era])).toEqual([
      ['Connecting to http://127.0.0.1:3001/mcp', ''],
      ['server/discover', 'modern'],
      ['initialize', 'legacy'],
      ['Connected to unnamed server', ''],
      ['ping', '2024-11-05'],
      ['ping', '2026-07-28'],
      ['ping', '2024-11-05'],
    ]);
  });

  test('is not to be told of a request that belongs to nothing', () => {
    const log = new LogBuilder();
    log.call('1', 'ping');
    expect(rowsOf(log)).toMatchObject([{ era: '' }]);
  });
});

describe('a server that refuses the question for its era', () => {
  const refused = (status: number, text: string) => {
    const log = new LogBuilder();
    const h = log.call('1', 'server/discover', {}, { headers: MODERN });
    log.answer(h, text, status, 'text/plain');
    return rowsOf(log)[0]?.level;
  };

  test('is no error, unless its answer proves nothing', () => {
    expect(refused(404, 'Not Found')).toBe('normal');
    expect(refused(400, '{"jsonrpc":"2.0","id":1,"error":{"code":-32000}}')).toBe('normal');
    expect(refused(502, 'Bad Gateway')).toBe('error');
  });
});
