import { expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import { formatElapsed, typeOf } from '../../../../lib/state/view/column-cells.ts';
import { wordRelations } from '../../../../lib/state/view/relation-words.ts';
import { LogBuilder } from '../../../support/builders.ts';

const note = { jsonrpc: '2.0', method: 'notifications/message', params: {} };

test('the type is that of the response, or what a message came in', () => {
  const log = new LogBuilder();
  const stream = log.stream();
  log.message(stream, note);
  log.answer(log.call('1'), '{"jsonrpc":"2.0","id":1,"result":{}}', 200, 'Application/JSON; q=1');
  log.answer(log.call('2'), '<p>No', 404, 'text/html');
  log.answer(log.call('3'), 'x', 200, 'image/png');
  log.call('4');
  log.add({ kind: 'socket-opening', socketId: 's', url: { text: 'ws://h/' }, subprotocols: [] });
  log.add({ kind: 'socket-open', socketId: 's', subprotocol: 'mcp' });
  log.add({
    kind: 'socket-frame',
    socketId: 's',
    direction: 'incoming',
    opcode: 'text',
    data: { bytes: new TextEncoder().encode(JSON.stringify(note)) },
  });
  const correlation = createCorrelation();
  correlation.apply(log.events);
  const types = correlation.items
    .filter(({ kind }) => kind !== 'lifecycle')
    .map((item) => [item.kind, typeOf(item, correlation)]);
  expect(types).toEqual([
    ['stream', 'SSE'],
    ['notification', 'SSE'],
    ['request', 'JSON'],
    ['request', 'HTML'],
    ['request', 'image/png'],
    ['request', ''],
    ['socket', 'WebSocket'],
    ['notification', 'frame'],
  ]);
});

test.each([
  [0, '0.000 s'],
  [-3, '0.000 s'],
  [41.4, '0.041 s'],
  [12_041, '12.041 s'],
  [123_041, '2:03.041'],
  [3_723_041, '1:02:03.041'],
])('%d ms since the first row are %s', (ms, text) => {
  expect(formatElapsed(ms)).toBe(text);
});

test('relations are told in sentences, and where there are none nothing is', () => {
  const log = new LogBuilder();
  log.call('1');
  const correlation = createCorrelation();
  correlation.apply(log.events);
  const item = correlation.items[0]!;
  const nameOf = () => 'tools/list';
  expect(wordRelations([], 0, nameOf)).toBe('');
  expect(wordRelations([{ item, word: 'Replay of' }], 1, nameOf)).toBe(
    'Replay of tools/list. 1 row follows from it.',
  );
  expect(wordRelations([], 2000, nameOf)).toBe('2,000 rows follow from it.');
});
