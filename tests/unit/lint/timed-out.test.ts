import { expect, test } from 'vitest';
import { issuesIn, LintLog, notification } from './lint-log.ts';

const TIMED_OUT = { outcome: 'aborted', cause: 'deadline' } as const;

/** A call whose answer has ended inside an event; what came last came `silentMs` before our deadline of 60 s. */
function cutLog(silentMs: number): LintLog {
  const log = new LintLog();
  log.handshake();
  const { httpId } = log.streamed();
  log.message(httpId, notification('notifications/message', { level: 'info', data: 'first' }));
  log.wait(60_000 - silentMs).sse(httpId, 'data: {"jsonrpc":"2.0","meth');
  log.wait(silentMs).end(httpId, TIMED_OUT);
  return log;
}

test('a server that leaves an event unfinished and falls silent is told so', () => {
  const cuts = issuesIn(cutLog(40_000)).filter(({ ruleId }) => ruleId === 'HTT-10');
  expect(cuts.map(({ message }) => message)).toEqual([expect.stringContaining('never ended')]);
});

test('one that is still sending when its time is up is not', () => {
  expect(issuesIn(cutLog(500)).filter(({ ruleId }) => ruleId === 'HTT-10')).toEqual([]);
});
