import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { Item } from '../../../../lib/capture/correlate/items.ts';
import { recordedText } from '../../../../lib/capture/correlate/socket-record.ts';
import type { WireEvent, WireFact } from '../../../../lib/capture/wire-event.ts';
import { recordedCuts } from '../../../../lib/state/detail/body-cuts.ts';
import { toFrameRow } from '../../../../lib/state/detail/frame-rows.ts';
import { toRow } from '../../../../lib/state/view/rows.ts';
import { toSocketTiming } from '../../../../lib/state/time/socket-timing.ts';
import { testSecrets, startRecorder, wireEvent } from '../../../support/builders.ts';

const utf8 = new TextEncoder();

const opening = (socketId: string): WireFact => ({
  kind: 'socket-opening',
  socketId,
  url: { text: 'ws://h/mcp' },
  subprotocols: ['mcp'],
});

const opened = (socketId: string): WireFact => ({
  kind: 'socket-open',
  socketId,
  subprotocol: 'mcp',
});

const frame = (
  socketId: string,
  direction: 'outgoing' | 'incoming',
  message: unknown,
): WireFact & { kind: 'socket-frame' } => ({
  kind: 'socket-frame',
  socketId,
  direction,
  opcode: 'text',
  data: { bytes: utf8.encode(typeof message === 'string' ? message : JSON.stringify(message)) },
});

const request = (id: unknown, method = 'tools/list') => ({ jsonrpc: '2.0', id, method });
const answer = (id: unknown, result: unknown = {}) => ({ jsonrpc: '2.0', id, result });

function correlate(facts: readonly WireFact[], connectionId = 'c1') {
  const events = facts.map((fact, index) => wireEvent(index + 1, fact, { connectionId }));
  const correlation = createCorrelation();
  correlation.apply(events);
  return { ...correlation, events };
}

/** What there is to know of the items, without what only says where they stand in the log. */
function essence(items: readonly Item[], connectionId: string) {
  return items
    .filter((item) => item.connectionId === connectionId)
    .map((item) => ({
      kind: item.kind,
      socketId: item.socketId,
      ...('method' in item ? { method: item.method } : {}),
      ...('outcome' in item ? { outcome: item.outcome } : {}),
      ...('rpcId' in item ? { rpcId: item.rpcId } : {}),
      problem: item.problem?.code,
      hasResponse: item.kind === 'request' && item.response !== undefined,
    }));
}

const someFacts = (socketId: string) => [
  opening(socketId),
  opened(socketId),
  frame(socketId, 'outgoing', request(1)),
  frame(socketId, 'outgoing', request('1', 'ping')),
  frame(socketId, 'incoming', request(1, 'roots/list')),
  frame(socketId, 'incoming', answer('1')),
  frame(socketId, 'outgoing', answer(1)),
  frame(socketId, 'incoming', 'no JSON'),
  frame(socketId, 'incoming', ''),
  frame(socketId, 'incoming', answer(1)),
  frame(socketId, 'outgoing', request(2, 'tools/call')),
  {
    kind: 'socket-close',
    socketId,
    code: 1011,
    reason: 'gone',
    clean: true,
    by: 'server',
  } satisfies WireFact,
];

test('an answer whose id is spelt unlike any counts only where one request can be meant', () => {
  const ask = (ids: unknown[]) =>
    correlate([
      opening('s'),
      opened('s'),
      ...ids.map((id) => frame('s', 'outgoing', request(id))),
      frame('s', 'incoming', answer('07')),
    ]).items.flatMap((item) => (item.kind === 'request' ? [item.outcome] : []));
  expect(ask([7])).toEqual(['result']);
  expect(ask([7, '7'])).toEqual(['pending', 'pending']);
});

test('a notification of ours is complete as it is sent: no answer of a socket accepts it', () => {
  const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const { items } = correlate([opening('s'), opened('s'), frame('s', 'outgoing', note)]);
  const [sent] = items.filter((item) => item.kind === 'notification');
  expect(sent?.ended).toEqual(sent?.started);
});

test('any interleaving of two sockets gives each the items that it has alone', () => {
  const alone = essence(correlate(someFacts('a')).items, 'c1');
  expect(alone.map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ['socket', 'failed'],
    ['request', 'result'],
    ['request', 'result'],
    ['request', 'result'],
    ['stray', undefined],
    ['request', 'failed'],
  ]);
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }), (choices) => {
      const waiting = { c1: someFacts('a'), c2: someFacts('b') };
      const events: WireEvent[] = [];
      const take = (connectionId: 'c1' | 'c2') => {
        const fact = waiting[connectionId].shift();
        if (fact === undefined) return;
        events.push(wireEvent(events.length + 1, fact, { connectionId }));
      };
      for (const isFirst of choices) take(isFirst ? 'c1' : 'c2');
      while (waiting.c1.length + waiting.c2.length > 0) take(waiting.c1.length > 0 ? 'c1' : 'c2');
      const correlation = createCorrelation();
      correlation.apply(events);
      expect(essence(correlation.items, 'c1')).toEqual(alone);
      const other = essence(correlation.items, 'c2');
      expect(other).toEqual(alone.map((item) => ({ ...item, socketId: 'b' })));
    }),
  );
});

test('what was asked on one socket is not answered on another of the same connection', () => {
  const { items } = correlate([
    opening('a'),
    opened('a'),
    frame('a', 'outgoing', request(1)),
    opening('b'),
    opened('b'),
    frame('b', 'incoming', answer(1)),
  ]);
  expect(essence(items, 'c1').map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ['socket', 'open'],
    ['request', 'pending'],
    ['socket', 'open'],
    ['stray', undefined],
  ]);
});

test('a new life of the worker interrupts a socket and what was open on it', () => {
  const { apply, items } = correlate([
    opening('a'),
    opened('a'),
    frame('a', 'outgoing', request(1)),
  ]);
  const started = { kind: 'worker-started', cause: 'wake' } as const;
  apply([wireEvent(4, started, { bootId: 'next' })]);
  expect(items.slice(0, 2)).toMatchObject([{ outcome: 'interrupted' }, { outcome: 'interrupted' }]);
  expect(items[2]).toMatchObject({ title: 'Worker restarted' });
});

test('a deadline ends the request that it is about, and is in its timing', () => {
  const deadline = { carrierId: 'a', rpcId: '1', deadline: 'idle', durationMs: 5 } as const;
  const { items, sockets } = correlate([
    opening('a'),
    opened('a'),
    frame('a', 'outgoing', request(1)),
    { kind: 'deadline-started', ...deadline },
    frame('a', 'outgoing', request(2)),
    { kind: 'deadline-fired', ...deadline },
    frame('a', 'outgoing', {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1 },
    }),
  ]);
  const [, first, second] = items;
  expect(first).toMatchObject({ outcome: 'failed', problem: { code: 'deadline' } });
  expect(second).toMatchObject({ outcome: 'pending' });
  const timing = toSocketTiming(sockets.get('a')!, first!);
  expect(timing.marks).toEqual([
    { name: 'Sent', atMs: 0 },
    { name: 'Deadline (idle) fired', atMs: 3 },
    { name: 'Ended: failed', atMs: 3 },
  ]);
  expect(timing).toMatchObject({ totalMs: 3, isRunning: false });
  expect(toSocketTiming(sockets.get('a')!, second!)).toMatchObject({ isRunning: true, totalMs: 0 });
});

test('the timing of a socket is that of its handshake and its frames', () => {
  const { items, sockets } = correlate(someFacts('a'));
  const timing = toSocketTiming(sockets.get('a')!, items[0]!);
  expect(timing.phases).toEqual([
    { name: 'Handshake', kind: 'waiting', startMs: 0, durationMs: 1 },
    { name: 'Open', kind: 'receiving', startMs: 1, durationMs: 10 },
  ]);
  expect(timing.marks.at(-1)).toEqual({ name: 'Closed', atMs: 11 });
});

test('rows and frames say what went where', () => {
  const correlation = correlate(someFacts('a'));
  const rows = correlation.items.map((item) => toRow(item, correlation));
  expect(rows[0]).toMatchObject({ name: 'WebSocket', target: 'mcp', status: 'failed · 1011' });
  expect(rows[1]).toMatchObject({ name: 'tools/list', status: 'result', size: '36 B' });
  const record = correlation.sockets.get('a')!;
  expect(toFrameRow(record, 0)).toMatchObject({
    number: '1',
    direction: 'outgoing',
    opcode: 'text',
    gap: '+1 ms',
    data: JSON.stringify(request(1)),
  });
  expect(toFrameRow(record, record.frames.length)).toBeUndefined();
});

test('a secret in a frame is a cut of its text, in its place', async () => {
  const secrets = await testSecrets();
  const secret = secrets.register('s3cr3t-value');
  const { recorder, blocks } = await startRecorder({ secrets });
  recorder.record(opening('a'), 'c1');
  recorder.record(frame('a', 'outgoing', 'häß s3cr3t-value'), 'c1');
  await recorder.flushed();
  const correlation = createCorrelation();
  correlation.apply(blocks.flatMap(({ events }) => events));
  const stray = correlation.items.find((item) => item.kind === 'stray');
  if (stray?.kind !== 'stray') throw new Error('no row');
  expect(recordedText(correlation, stray.message)).toBe(`häß ${'*'.repeat(12)}`);
  expect(recordedCuts(correlation, stray.message)).toEqual([
    { offset: 4, length: 12, secret, from: 0 },
  ]);
});

test('a refused question for the era is a plain row, and any other error is not', () => {
  const refusal = (id: number) => ({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } });
  const correlation = correlate([
    opening('a'),
    opened('a'),
    frame('a', 'outgoing', request(1, 'server/discover')),
    frame('a', 'incoming', refusal(1)),
    frame('a', 'outgoing', request(2)),
    frame('a', 'incoming', refusal(2)),
  ]);
  const rows = correlation.items.map((item) => toRow(item, correlation));
  expect(rows.map(({ level }) => level)).toEqual(['normal', 'normal', 'error']);
});
