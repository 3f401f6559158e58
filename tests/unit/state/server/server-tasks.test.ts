import { expect, test } from 'vitest';
import { tasksIn } from '../../../../lib/state/server/server-identity.ts';

const calls = '{"requests":{"tools":{"call":{}}}}';

test.each([
  ['in 2025-11-25, by a param', [{ name: 'tasks', settings: calls }], 'param'],
  ['that it lists, but runs none', [{ name: 'tasks', settings: '{"list":{}}' }], undefined],
  [
    'as an extension, by what is declared',
    [{ name: 'extensions', settings: '{"io.modelcontextprotocol/tasks":{}}' }],
    'declared',
  ],
  ['of another extension', [{ name: 'extensions', settings: '{"x":{}}' }], undefined],
  ['nowhere', [{ name: 'tools', settings: '' }], undefined],
])('tasks %s', (_what, capabilities, how) => {
  expect(tasksIn(capabilities)).toBe(how);
});
