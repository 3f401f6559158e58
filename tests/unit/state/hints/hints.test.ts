import { expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { Item } from '../../../../lib/capture/correlate/items.ts';
import { findEvidence } from '../../../../lib/state/view/evidence.ts';
import { findHints, HINT_AFTER_MS } from '../../../../lib/state/hints/hints.ts';
import { LogBuilder } from '../../../support/builders.ts';

const LATE_MS = 8000;

/** Hints for the first request with a method, some time after it began. */
function hints(log: LogBuilder, method = 'tools/call', afterMs = LATE_MS) {
  const correlation = createCorrelation();
  correlation.apply(log.events);
  const item = correlation.items.find((each) => nameOf(each) === method);
  if (item === undefined) throw new Error(`no ${method}`);
  const found = findHints(item, correlation, item.started.wallTime + afterMs);
  // What a hint says can be looked at.
  const places = found.map(({ evidence }) => evidence && findEvidence(evidence, correlation));
  expect(places).not.toContain(undefined);
  return found.map((hint) => {
    const place = hint.evidence && findEvidence(hint.evidence, correlation);
    return { ...hint, row: place && nameOf(place.item), tab: place?.tab };
  });
}

function nameOf(item: Item): string {
  if (item.kind === 'lifecycle') return item.title;
  return 'method' in item ? item.method : item.kind;
}

function kinds(...given: Parameters<typeof hints>): string[] {
  return hints(...given).map(({ kind }) => kind);
}

function sent(log: LogBuilder, httpId: string): string {
  log.add({ kind: 'http-sent', httpId, headers: [], added: [] });
  return httpId;
}

/** A call that was sent, on a connection that has a GET stream or not. */
function called(hasStream = false): { log: LogBuilder; call: string; stream: string } {
  const log = new LogBuilder();
  log.opened();
  const stream = hasStream ? log.stream() : '';
  const call = sent(log, log.call('7', 'tools/call', { name: 'x', _meta: { progressToken: 'p' } }));
  return { log, call, stream };
}

test('what has not waited for long, or is over, or only listens, hangs nowhere', () => {
  const { log, call } = called(true);
  expect(kinds(log, 'tools/call', HINT_AFTER_MS - 1)).toEqual([]);
  expect(kinds(log, 'tools/call', HINT_AFTER_MS)).not.toEqual([]);
  expect(kinds(log, 'stream')).toEqual([]);
  log.answer(call, { jsonrpc: '2.0', id: 7, result: {} });
  expect(kinds(log)).toEqual([]);
});

test('a server that says nothing at all is said to be silent', () => {
  const { log } = called();
  expect(hints(log)).toMatchObject([
    {
      kind: 'silent',
      text: 'Nothing at all came since it was sent, 8.0 s ago.',
      row: 'tools/call',
    },
  ]);
});

test('with an open GET stream, a server may be able to handle one exchange only', () => {
  const { log } = called(true);
  expect(hints(log)).toMatchObject([{ kind: 'one-at-a-time', row: 'stream' }]);
});

test('other traffic shows that the server is alive', () => {
  const { log, stream } = called(true);
  log.message(stream, { jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  expect(hints(log)).toMatchObject([
    { kind: 'alive', row: 'notifications/tools/list_changed', tab: 'message' },
  ]);
  const pinged = called();
  const ping = sent(pinged.log, pinged.log.call('8', 'ping'));
  pinged.log.answer(ping, { jsonrpc: '2.0', id: 8, result: {} });
  expect(hints(pinged.log)).toMatchObject([{ kind: 'alive', row: 'ping' }]);
  expect(hints(pinged.log)[0]?.text).toContain('an answer to `ping` came 7.9 s ago');
});

test('what another connection says tells nothing of this one', () => {
  const { log } = called();
  log.connectionId = 'c2';
  log.message(log.stream(), { jsonrpc: '2.0', method: 'notifications/message' });
  expect(kinds(log)).toEqual(['silent']);
});

test('an answer with another id is found, also one without any', () => {
  const { log, stream } = called(true);
  log.message(stream, { jsonrpc: '2.0', id: 99, result: {} });
  const [other] = hints(log);
  expect(other).toMatchObject({ kind: 'other-id', row: 'stray' });
  expect(other?.text).toContain('the id 99, which no open request has. This request has the id 7.');

  const twice = called(true);
  twice.log.message(twice.stream, '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}');
  expect(hints(twice.log)[0]?.text).toContain('with the id null');
});

test('a question of the server on the stream of the call waits for the user', () => {
  const { log, call } = called();
  log.head(call, 200, 'text/event-stream');
  log.message(call, { jsonrpc: '2.0', id: 'q', method: 'elicitation/create' });
  expect(hints(log)).toMatchObject([{ kind: 'input', row: 'elicitation/create' }]);
  expect(hints(log, 'elicitation/create')).toMatchObject([
    { kind: 'input', text: 'It waits for you: the server asks `elicitation/create`.' },
  ]);
});

test('a question on the stream of another call is about that one', () => {
  const { log } = called();
  const other = sent(log, log.call('8', 'tools/list'));
  log.head(other, 200, 'text/event-stream');
  log.message(other, { jsonrpc: '2.0', id: 'q', method: 'elicitation/create' });
  expect(kinds(log)).toEqual(['alive']);
  expect(kinds(log, 'tools/list')).toEqual(['input']);
});

test('an interim result that asks for input waits for the user', () => {
  const { log, call } = called();
  log.answer(call, {
    jsonrpc: '2.0',
    id: 7,
    result: { resultType: 'input_required', inputRequests: { a: {} } },
  });
  expect(hints(log)).toMatchObject([
    { kind: 'input', text: 'It waits for you: its last result asks for input.' },
  ]);
});

test('where all connections to the host are taken, it says by what', () => {
  const log = new LogBuilder();
  for (let index = 0; index < 4; index += 1) sent(log, log.stream());
  const waiting = log.call('7', 'tools/call');
  log.add({ kind: 'http-queued', httpId: waiting, reason: 'All are in use.' });
  expect(hints(log)).toMatchObject([
    { kind: 'slots', text: expect.stringContaining('4 of them by streams'), row: 'stream' },
  ]);
  log.add({ kind: 'http-released', httpId: waiting });
  sent(log, waiting);
  expect(kinds(log)).toEqual(['one-at-a-time']);
});

test('what the browser has not sent is told from what the server does not answer', () => {
  const log = new LogBuilder();
  log.call('7', 'tools/call');
  expect(kinds(log)).toEqual(['silent']);
  sent(log, log.call('8', 'ping'));
  expect(hints(log)).toMatchObject([{ kind: 'not-sent', row: 'tools/call', tab: 'headers' }]);
});

test('a head without a byte after it is seen', () => {
  const { log, call } = called();
  log.head(call, 200, 'text/event-stream');
  expect(hints(log)).toMatchObject([
    {
      kind: 'no-byte',
      text: 'The head of the answer came (200), but not one byte after it.',
      row: 'tools/call',
      tab: 'headers',
    },
  ]);
});

test('a stream of comments is alive without an answer', () => {
  const { log, call } = called();
  log.head(call, 200, 'text/event-stream');
  log.sse(call, ': a\n\n: b\n\n');
  const [hint] = hints(log);
  expect(hint).toMatchObject({ kind: 'comments-only', row: 'tools/call', tab: 'stream' });
});

test('an answer that stops in the middle is seen', () => {
  const { log, call } = called();
  log.head(call);
  log.chunk(call, '{"jsonrpc"');
  expect(hints(log)).toMatchObject([
    { kind: 'unfinished', text: expect.stringContaining('(10 bytes), the last 7.9 s ago') },
  ]);
});

test('a call that reports progress hangs only once it is silent', () => {
  const { log, call } = called();
  log.head(call, 200, 'text/event-stream');
  const params = { progressToken: 'p', progress: 1 };
  log.message(call, { jsonrpc: '2.0', method: 'notifications/progress', params });
  expect(kinds(log)).toEqual([]);
  expect(hints(log, 'tools/call', 42_000)).toMatchObject([
    { kind: 'progress-silent', row: 'notifications/progress' },
  ]);
  expect(hints(log, 'tools/call', 42_000)[0]?.text).toContain('after 1 message');
});

test('the end of the session ends the hope for an answer', () => {
  const { log } = called();
  log.add({ kind: 'session-ended', cause: '404' });
  expect(hints(log)).toMatchObject([{ kind: 'session-ended', row: 'Session ended' }]);
});

test('a lost connection and a scheduled resumption are named', () => {
  const { log, call } = called();
  log.head(call, 200, 'text/event-stream');
  log.message(call, { jsonrpc: '2.0', method: 'notifications/message' }, '1');
  log.end(call, { outcome: 'cut', errorName: 'NetworkError' });
  log.add({ kind: 'retry-scheduled', carrierId: call, delayMs: 1500, askedBy: 'server' });
  log.add({ kind: 'offline' });
  expect(hints(log, 'tools/call', 60_000).map(({ kind, row }) => [kind, row])).toEqual([
    ['lost', 'The browser is offline'],
    ['resuming', 'Retry in 1500 ms'],
    ['progress-silent', 'notifications/message'],
  ]);
  log.add({ kind: 'online' });
  expect(kinds(log, 'tools/call', 60_000)).not.toContain('lost');
});

test('a restart of the worker that the call has survived is named', () => {
  const { log, call } = called();
  log.head(call, 200, 'text/event-stream');
  log.message(call, { jsonrpc: '2.0', method: 'notifications/message' }, '1');
  log.restart('boot-2');
  log.add({ kind: 'connection-revived', awayMs: 100, resumed: [call], lost: [] });
  const found = hints(log, 'tools/call', 60_000);
  expect(found.map(({ kind, row }) => [kind, row])).toEqual([
    ['restarted', 'Worker restarted'],
    ['progress-silent', 'notifications/message'],
  ]);
});

test('reading that is paused is named until it goes on', () => {
  const { log, call } = called();
  log.head(call, 200, 'text/event-stream');
  log.add({ kind: 'reading-paused', carrierId: call, uncommittedBytes: 1 });
  expect(kinds(log)).toContain('reading-paused');
  log.add({ kind: 'reading-resumed', carrierId: call, uncommittedBytes: 0 });
  expect(kinds(log)).not.toContain('reading-paused');
});

test('over HTTP+SSE, what was accepted is answered on the stream or not at all', () => {
  const { log, call, stream } = called(true);
  log.add({
    kind: 'endpoint-announced',
    httpId: stream,
    announced: '/m',
    verdict: 'accepted',
  });
  log.answer(call, '', 202, null);
  expect(hints(log)).toMatchObject([{ kind: 'accepted', row: 'tools/call' }]);
});
