import { expect, test } from 'vitest';
import { readRecording } from '../../../lib/har/serve/recording.ts';
import { LogBuilder } from '../../support/builders.ts';

const HOUR_MS = 3_600_000;

test.each([HOUR_MS, -HOUR_MS])(
  'a server waits as long as it did, though the clock was set by %d ms meanwhile',
  (byMs) => {
    const log = new LogBuilder();
    log.opened();
    const streamed = log.call('1', 'tools/call', { name: 'slow' });
    log.head(streamed, 200, 'text/event-stream');
    const before = log.events.length;
    log.message(streamed, { jsonrpc: '2.0', method: 'notifications/message', params: {} });
    log.message(streamed, { jsonrpc: '2.0', id: 1, result: {} });
    log.end(streamed);
    log.answer(log.call('2'), { jsonrpc: '2.0', id: 2, result: {} });
    const { calls } = readRecording(
      log.events.map((event, index) =>
        index < before ? event : { ...event, wallTime: event.wallTime + byMs },
      ),
    );
    const pauses = calls.flatMap(({ messages }) => messages.map(({ atMs }) => atMs));
    expect(pauses).toHaveLength(3);
    expect(Math.max(...pauses)).toBeLessThan(20);
    expect(Math.min(...pauses)).toBeGreaterThan(0);
  },
);
