import { expect, test } from 'vitest';
import type { ConnectionSummary } from '../../../../lib/port/contract.ts';
import { updateWords } from '../../../../lib/state/connect/update-words.ts';

test('says how many connections an update cuts off, and counts none that are over', () => {
  const at = (state: ConnectionSummary['state']): ConnectionSummary => ({
    connectionId: state,
    url: 'http://a/',
    state,
    since: 0,
    messageCount: 0,
    questions: [],
  });
  expect(updateWords([at('connected'), at('lost'), at('failed'), at('closed')])).toContain(
    'cuts off 2 connections,',
  );
  expect(updateWords([at('asking')])).toContain('cuts off 1 connection,');
  expect(updateWords([at('closed')])).not.toContain('connection');
});
